import type { PlainRequest } from "#lib/network/plain-http.ts";

/**
 * Whether a message comes from a page of the site that it is sent to: other sites, siblings on the same domain too, must
 * not be able to make views of this one. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; who sends neither
 * is no browser that another site could use. An origin on the project's list passes: a site may be shown elsewhere.
 */
export function isOfOwnSite({ url, headers }: PlainRequest, allowedOrigins: readonly string[]): boolean {
  const origin = headers.get("origin");
  if (origin !== null && allowedOrigins.includes(origin)) return true;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  // A page without a referrer policy of ours says "null" of itself, and so does a frame that is nobody's.
  if (origin === null || (origin === "null" && site !== null)) return true;
  // Without the scheme: a proxy may end TLS.
  return hostOf(origin) === hostOf(url);
}

/** Host with port of an address, as it is written there. */
function hostOf(address: string): string {
  const start = address.indexOf("://") + 3;
  const end = address.indexOf("/", start);
  return (end < 0 ? address.slice(start) : address.slice(start, end)).toLowerCase();
}
