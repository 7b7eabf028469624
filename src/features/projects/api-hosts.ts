import { isIP } from "node:net";

/** More than any project is known to have APIs at. */
export const MAX_API_HOSTS = 50;
const MAX_LENGTH = 260;

/**
 * A host as it is kept and compared: `api.example.com`, `api.example.com:8443`, `[::1]:4010`, or `*.example.com` for all
 * names below one. Without a port it is the one of http and https. Null for anything else.
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

/** Whether a project that names these hosts has this address asked. */
export function isApiHost(hosts: readonly string[] | undefined, { protocol, host }: URL): boolean {
  if (protocol !== "https:" && protocol !== "http:") return false;
  return (hosts ?? []).some((entry) => (entry.startsWith("*.") ? host.endsWith(entry.slice(1)) : host === entry));
}
