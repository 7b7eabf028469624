import type { PlainRequest } from "#lib/network/plain-http.ts";

/** How readers reach a site: what its cookie is bound to. */
interface Reach {
  /** Path that the site is below: the other site on that host gets the cookie with none of its own requests. */
  base: string;
  scheme: string;
}

/** The prefixes keep other hosts of the domain from setting it; browsers take it over TLS only. */
function cookieName({ base, scheme }: Reach): string {
  if (scheme !== "https:") return "docent_reader";
  return base === "" ? "__Host-docent_reader" : "__Secure-docent_reader";
}

const attributes = ({ base, scheme }: Reach): string =>
  `; Path=${base || "/"}; HttpOnly; SameSite=Lax${scheme === "https:" ? "; Secure" : ""}`;

/** A `Set-Cookie` value; `expiresAt` null: until the browser is closed, and no longer than the token says. */
export function readerCookie({
  value,
  expiresAt,
  ...reach
}: Reach & { value: string; expiresAt: Date | null }): string {
  const until = expiresAt === null ? "" : `; Expires=${expiresAt.toUTCString()}`;
  return `${cookieName(reach)}=${value}${attributes(reach)}${until}`;
}

export const clearedCookie = (reach: Reach): string => `${cookieName(reach)}=; Max-Age=0${attributes(reach)}`;

/** At most a few: a browser that was at several sites of one host has several. */
const MAX_COOKIES = 5;

/** The values that a browser shows. */
export function readerCookies(request: PlainRequest, reach: Reach): string[] {
  const name = `${cookieName(reach)}=`;
  return (request.headers.get("cookie") ?? "")
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(name))
    .slice(0, MAX_COOKIES)
    .map((cookie) => cookie.slice(name.length));
}
