import { isIP } from "node:net";

/** More than any known project needs. */
export const MAX_API_HOSTS = 50;
const MAX_LENGTH = 260;

/**
 * Normalizes a host for storage and comparison: `api.example.com`, `api.example.com:8443`, `[::1]:4010`, or
 * `*.example.com` for all subdomains. Without a port, the default port of http and https. Null if it is invalid.
 */
export function normaliseApiHost(text: string): string | null {
  const written = text.trim();
  const isWildcard = written.startsWith("*.");
  const name = isWildcard ? written.slice(2) : written;
  if (name === "" || written.length > MAX_LENGTH || /[\s/?#@\\*%]/.test(name)) return null;
  const url = URL.parse(`https://${name}`);
  if (url === null || url.pathname !== "/" || url.host === "") return null;
  if (!isWildcard) return url.host;
  return isIP(url.hostname) === 0 && url.hostname.includes(".") ? `*.${url.host}` : null;
}

/** Whether these hosts of a project allow a URL to be fetched. */
export function isApiHost(hosts: readonly string[] | undefined, { protocol, host }: URL): boolean {
  if (protocol !== "https:" && protocol !== "http:") return false;
  return (hosts ?? []).some((entry) => (entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry));
}
