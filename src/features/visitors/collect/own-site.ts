import type { PlainRequest } from "#lib/network/plain-http.ts";

/**
 * Whether a message comes from a page of the site that it is sent to: other sites, including siblings on the same
 * domain, must not be able to create views of this one. Browsers declare the origin in `Sec-Fetch-Site`, older ones in
 * `Origin`; a request with neither is not from a browser that another site could use. An origin on the project's list
 * passes: a site may be mounted elsewhere.
 */
export function isOfOwnSite({ url, headers }: PlainRequest, allowedOrigins: readonly string[]): boolean {
  const origin = headers.get("origin");
  if (origin !== null && allowedOrigins.includes(origin)) return true;
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  // A page without our referrer policy sends "null" as its origin, and so does a sandboxed frame.
  if (origin === null || (origin === "null" && site !== null)) return true;
  // Without the scheme: a proxy may terminate TLS.
  return hostOf(origin) === hostOf(url);
}

/** Host and port of an address, as written. */
function hostOf(address: string): string {
  const start = address.indexOf("://") + 3;
  const end = address.indexOf("/", start);
  return (end < 0 ? address.slice(start) : address.slice(start, end)).toLowerCase();
}
