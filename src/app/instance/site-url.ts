/** Address of a host that leads to this server: with the same scheme and port. */
export function hostUrl(baseUrl: string, host: string): string {
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}/`;
}

/** Address of a site, beside the server's own: same scheme, same port. */
export function siteUrl(baseUrl: string, siteDomain: string, slug: string): string {
  return hostUrl(baseUrl, `${slug}.${siteDomain}`);
}
