/**
 * The project that a `Host` header names: `{slug}.{siteDomain}`. Null for the server's own pages and interface, which
 * every other host reaches; a host below the site domain that cannot be a slug is `unknown`.
 */
export function siteOfHost(host: string | undefined, siteDomain: string): { slug: string } | "unknown" | null {
  const name = (host ?? "").toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
  if (name === siteDomain || !name.endsWith(`.${siteDomain}`)) return null;
  const slug = name.slice(0, -siteDomain.length - 1);
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug) ? { slug } : "unknown";
}
