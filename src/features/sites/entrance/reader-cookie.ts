import type { PlainRequest } from "#lib/network/plain-http.ts";

/** The scope of a site's cookie. */
interface Reach {
  /** The path below which the site is mounted: other sites on that host do not receive the cookie. */
  base: string;
  scheme: string;
}

/** The prefixes prevent other hosts of the domain from setting it; browsers accept them over TLS only. */
function cookieName({ base, scheme }: Reach): string {
  if (scheme !== "https:") return "docent_reader";
  return base === "" ? "__Host-docent_reader" : "__Secure-docent_reader";
}

const attributes = ({ base, scheme }: Reach): string =>
  `; Path=${base || "/"}; HttpOnly; SameSite=Lax${scheme === "https:" ? "; Secure" : ""}`;

/** A `Set-Cookie` value; `expiresAt` null: until the browser is closed, at most for the token's lifetime. */
export function readerCookie({
  value,
  expiresAt,
  ...reach
}: Reach & { value: string; expiresAt: Date | null }): string {
  const until = expiresAt === null ? "" : `; Expires=${expiresAt.toUTCString()}`;
  return `${cookieName(reach)}=${value}${attributes(reach)}${until}`;
}

export const clearedCookie = (reach: Reach): string => `${cookieName(reach)}=; Max-Age=0${attributes(reach)}`;

/** A browser that has visited several sites of one host sends several. */
const MAX_COOKIES = 5;

/** The values that a browser sends. */
export function readerCookies(request: PlainRequest, reach: Reach): string[] {
  const name = `${cookieName(reach)}=`;
  return (request.headers.get("cookie") ?? "")
    .split(";")
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(name))
    .slice(0, MAX_COOKIES)
    .map((cookie) => cookie.slice(name.length));
}
