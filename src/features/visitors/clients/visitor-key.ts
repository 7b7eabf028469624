import { createHmac, hash, randomBytes } from "node:crypto";
import { addressPrefix } from "#features/visitors/client-address.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { dayText } from "#features/visitors/day.ts";
import type { VisitorSecret } from "#features/visitors/secrets.ts";
import type { AnalyticsSettings } from "#features/visitors/settings.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";

/** The inputs of a visitor number. */
export interface VisitorTraits {
  mode: AnalyticsSettings["identity"];
  secret: VisitorSecret;
  address: string;
  /** `keyProduct` of `ClientFacts`. */
  product: string;
  cookie: string | null;
  isPrivate: boolean;
  day: number;
}

/**
 * The number of a visitor: 53 bits of HMAC-SHA256 over the address's prefix (IPv4 whole, IPv6 /64) and the client's
 * product, keyed with the project's secret. It does not depend on page, surface or class. In `daily` mode, and for
 * readers that ask for privacy, the day is part of it. 53 bits are what a double holds: at a million visitors the
 * chance that any two share a number is 6 in 100,000.
 */
export function visitorNumber(traits: VisitorTraits): number {
  return keyedNumber(traits.secret, identityText(traits));
}

/** 53 bits of a text's HMAC-SHA256: what a double holds. */
export function keyedNumber({ secret }: VisitorSecret, text: string): number {
  const digest = createHmac("sha256", secret).update(text).digest();
  return (digest.readUInt32BE(0) & 0x1f_ffff) * 2 ** 32 + digest.readUInt32BE(4);
}

/** The identity of a reader: a cookie, or address and program, for a day or for as long as the secret is kept. */
export function identityText(traits: VisitorTraits): string {
  if (traits.mode === "cookie" && traits.cookie !== null && !traits.isPrivate) {
    return `${traits.secret.epoch}\ncookie\n${traits.cookie}`;
  }
  const isDaily = traits.mode === "daily" || traits.isPrivate;
  const span = isDaily ? dayText(traits.day) : "";
  return `${traits.secret.epoch}\n${span}\n${addressPrefix(traits.address)}\n${traits.product}`;
}

const MAX_REMEMBERED = 200_000;

/** `visitorNumber` with a cache of recent results (0.2 µs instead of 4); `project` distinguishes secrets. */
export function createVisitorNumbers(): (project: number, traits: VisitorTraits) => number {
  const known = createLruCache<string, number>({ maxWeight: MAX_REMEMBERED });
  return (project, traits) => {
    const daily = traits.mode === "daily" || traits.isPrivate ? traits.day : "";
    const identity =
      traits.mode === "cookie" && traits.cookie !== null && !traits.isPrivate ? `c${traits.cookie}` : traits.address;
    const key = `${project}/${traits.secret.epoch}/${daily}/${identity}/${traits.product}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const number = visitorNumber(traits);
    known.set(key, number);
    return number;
  };
}

/** An event id as the number that facts store to detect repeats; never 0. */
export function eventNumber(event: string): number {
  const digest = hash("sha256", event, "buffer");
  return (digest.readUInt32BE(0) & 0x1f_ffff) * 2 ** 32 + digest.readUInt32BE(4) || 1;
}

const COOKIE = "docent_visitor";
const COOKIE_SECONDS = 13 * 30 * 24 * 3_600; // 13 months, the longest that the French exemption allows

/** The id that a reader's browser was given, from a request's `Cookie`. */
export function cookieValue(header: string | null): string | null {
  if (header === null) return null;
  return /(?:^|;\s*)docent_visitor=([\w-]{22})(?:;|$)/.exec(header)?.[1] ?? null;
}

/**
 * Only in response to a script whose browser keeps cookies (`works`): otherwise each request would create a new
 * visitor.
 */
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
