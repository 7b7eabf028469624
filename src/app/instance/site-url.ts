/** URL of a host that resolves to this server, with the server's scheme and port. */
export function hostUrl(baseUrl: string, host: string): string {
  const { protocol, port } = new URL(baseUrl);
  return `${protocol}//${host}${port === "" ? "" : `:${port}`}/`;
}

/** URL of a site, with the server's scheme and port. */
export function siteUrl(baseUrl: string, siteDomain: string, slug: string): string {
  return hostUrl(baseUrl, `${slug}.${siteDomain}`);
}
