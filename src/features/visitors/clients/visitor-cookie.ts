import { randomBytes } from "node:crypto";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import type { AnalyticsSettings } from "#features/visitors/settings.ts";

const COOKIE = "docent_visitor";
const COOKIE_SECONDS = 13 * 30 * 24 * 3_600; // 13 months, the longest that the French exemption allows

/** The id of a reader whose browser was given one, from a request's `Cookie`. */
export function cookieValue(header: string | null): string | null {
  if (header === null) return null;
  return /(?:^|;\s*)docent_visitor=([\w-]{22})(?:;|$)/.exec(header)?.[1] ?? null;
}

/** Only in answer to a script whose browser keeps cookies (`works`): an id for each fetch would make each a visitor. */
export function mintedCookie(
  settings: AnalyticsSettings,
  record: { cookie: string | null; isPrivate: boolean },
  works: boolean,
): string | null {
  const isWanted = settings.identity === "cookie" && works && record.cookie === null && !record.isPrivate;
  return isWanted ? randomBytes(16).toString("base64url") : null;
}

export function cookieText(value: string, request: PlainRequest): string {
  const secure = request.url.startsWith("https:") || request.headers.get("x-forwarded-proto") === "https";
  return `${COOKIE}=${value}; Path=/; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
