import { hostname } from "node:os";
import { isIP } from "node:net";
import type { Config } from "./config.ts";
import { hostUrl, siteUrl } from "./site-url.ts";

type Settings = Pick<Config, "baseUrl" | "host" | "siteDomain">;

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1"]);
const EVERY_ADDRESS = new Set(["0.0.0.0", "::", ""]);

/**
 * Public URL of this server, without a trailing slash: the configured one, or the listening address. For a server that
 * listens on all addresses the URL that clients use is unknown, so this returns the loopback name.
 */
export function publicAddress({ baseUrl, host }: Settings, port: number): string {
  if (baseUrl !== null) return baseUrl;
  if (LOOPBACK.has(host) || EVERY_ADDRESS.has(host)) return `http://localhost:${port}`;
  const name = isIP(host) === 6 ? `[${host.replace(/%.*/s, "")}]` : host;
  return `http://${name}:${port}`;
}

/** The addresses of a running server. Functions, because the port may be known only after it listens. */
export interface ServerAddress {
  /** Without a trailing slash. */
  baseUrl(): string;
  /** `https:` or `http:`, as clients see it. */
  scheme(): string;
  /** URL of a site by its label: a project's slug, or the label of a preview. */
  siteUrl(label: string): string;
  /** URL of another host that resolves to this server. */
  hostUrl(host: string): string;
  /** Sets the actual port. */
  listensAt(port: number): void;
}

export function createAddress(config: Settings & Pick<Config, "port">): ServerAddress {
  let baseUrl = publicAddress(config, config.port);
  return {
    baseUrl: () => baseUrl,
    scheme: () => new URL(baseUrl).protocol,
    siteUrl: (label) => siteUrl(baseUrl, config.siteDomain, label),
    hostUrl: (host) => hostUrl(baseUrl, host),
    listensAt(port) {
      baseUrl = publicAddress(config, port);
    },
  };
}

/** Notes for the operator about the server's addresses, one or two sentences each. */
export function addressNotes(settings: Settings, baseUrl: string): string[] {
  const { hostname: name, port } = new URL(baseUrl);
  const notes: string[] = [];
  if (settings.baseUrl === null && EVERY_ADDRESS.has(settings.host)) {
    const example = `http://${hostname()}${port === "" ? "" : `:${port}`}`;
    notes.push(
      `The server listens on all addresses, but its links (prLink, repositories) begin with ${baseUrl} and are broken ` +
        `from other machines. Set DOCENT_BASE_URL to the address that they use, such as ${example}.`,
    );
  }
  const isLocal = name === "localhost" && !EVERY_ADDRESS.has(settings.host);
  if (!isLocal && /(?:^|\.)localhost$/.test(settings.siteDomain)) {
    const why = isIP(name.replace(/^\[|\]$/g, "")) === 0 ? "" : " There are no names below an IP address:";
    notes.push(
      `Sites are at ${siteUrl(baseUrl, settings.siteDomain, "{project}")}, which this machine alone can open.` +
        `${why} ${why === "" ? "Set" : "set"} DOCENT_SITE_DOMAIN to a domain whose subdomains all lead to this server.`,
    );
  }
  return notes;
}
