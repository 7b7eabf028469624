/** Address of a site, beside the server's own: same scheme, same port. */
export function siteUrl(baseUrl: string, siteDomain: string, slug: string): string {
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${slug}.${siteDomain}${port === "" ? "" : `:${port}`}/`;
}
