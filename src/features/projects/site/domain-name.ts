import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { AppError } from "#lib/app-error.ts";

/** Domains of the server itself, which no project can have. */
export interface OwnNames {
  /** Sites are subdomains of it. */
  siteDomain: string;
  /** URL of the server itself. */
  baseUrl: string;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME = 253;

/** Whether DNS can have a name, in lower case and ASCII, without a trailing dot. */
export const isHostName = (name: string): boolean =>
  name.length <= MAX_NAME && name.split(".").every((label) => LABEL.test(label));

const refused = (text: string, why: string) =>
  new AppError("invalid", `"${text.slice(0, 100)}" cannot be a site's domain: ${why}`);

/**
 * Normalizes a domain for storage and comparison: lower case, ASCII (UTS 46; `bücher.example` becomes
 * `xn--bcher-kva.example`), without a trailing dot. `AppError invalid` for an invalid domain.
 */
export function normaliseDomain(text: string, { siteDomain, baseUrl }: OwnNames): string {
  const given = text.trim();
  if (given.includes("/")) throw refused(given, "write the name alone, without https:// and without a path.");
  if (given.includes("*")) throw refused(given, "name each one. Wildcards are the operator's, for sites of projects.");
  if (isIP(given.replace(/^\[|\]$/g, "")) !== 0) throw refused(given, "it is an IP address, and readers need a name.");
  if (given.includes(":")) throw refused(given, "write the name alone, without a port.");
  const name = /[\s@?#%\\]/.test(given) || given.length > 1_000 ? "" : domainToASCII(given).replace(/\.$/, "");
  const labels = name.split(".");
  if (!isHostName(name)) {
    throw refused(given, "it is not a name that DNS can have, such as docs.example.com.");
  }
  // Browsers and resolvers parse a name whose last label is a number as an IP address: 127.1, 0x7f.1 (WHATWG URL, 3.5).
  if (/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1)!))
    throw refused(given, "it is an IP address, and readers need a name.");
  if (labels.length < 2) throw refused(given, "it needs a dot, as in docs.example.com.");
  if (isOwnName(name, { siteDomain, baseUrl })) throw refused(given, "it is a name of this server itself.");
  return name;
}

function isOwnName(name: string, { siteDomain, baseUrl }: OwnNames): boolean {
  const isAtOrBelow = (domain: string) => name === domain || name.endsWith(`.${domain}`);
  return isAtOrBelow(siteDomain) || isAtOrBelow("localhost") || name === new URL(baseUrl).hostname;
}
