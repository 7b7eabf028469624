import { isIP } from "node:net";
import type { Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import { isHostName, type OwnNames } from "./domain-name.ts";
import { projectOfDomain } from "./domains.ts";

/** The parts of a project that say where its site is published. */
interface Published {
  slug: string;
  settings: { externalSite?: string | undefined; publicAddress?: string | undefined };
}

const MAX_ADDRESS = 300;

export const EXTERNAL_SITE_RULE =
  "must be the http(s) address of the site, such as https://docs.example.com or https://example.com/docs, without a query, an anchor, a user name or a password";

/** The address of a site in the one form that is stored: without a slash at its end or a dot after its host. Null for one that cannot be used. */
export function normaliseExternalSite(text: string): string | null {
  const url = text.length <= MAX_ADDRESS ? URL.parse(text.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  if (/[?#]/.test(text)) return null;
  const path = url.pathname.replace(/\/$/, "");
  const host = url.hostname.replace(/\.$/, "");
  if (!isHostName(host) && isIP(host.replace(/^\[|\]$/g, "")) === 0) return null;
  const origin = `${url.protocol}//${host}${url.port && `:${url.port}`}`;
  // It is put into headers and documents.
  return /^(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/.test(path) ? origin + path : null;
}

/** Names and addresses by which a machine reaches itself. `URL` has turned `127.1` and `[0:0:0:0:0:0:0:1]` into these. */
const isOwnMachine = (hostname: string): boolean =>
  /^(?:(?:.*\.)?localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);

/**
 * An external site as it is stored. `AppError invalid` for a text that is no such address, and for an address that this
 * server answers itself: its pages would redirect to themselves.
 */
export async function admitExternalSite(
  queryable: Queryable,
  text: string,
  { siteDomain, baseUrl }: OwnNames,
): Promise<string> {
  const address = normaliseExternalSite(text);
  if (address === null) throw refused(EXTERNAL_SITE_RULE);
  const { host, hostname, port } = new URL(address);
  const own = new URL(baseUrl);
  const isSite = hostname === siteDomain || hostname.endsWith(`.${siteDomain}`);
  const isBehindOwnPort = port === own.port && (isSite || (isOwnMachine(hostname) && isOwnMachine(own.hostname)));
  if (host === own.host || isBehindOwnPort || (await projectOfDomain(queryable, hostname)) !== null) {
    throw refused(`cannot be on ${host}, which this server answers itself: the site would redirect to itself`);
  }
  if (isOwnMachine(hostname) && !isOwnMachine(own.hostname)) {
    throw refused(`cannot be on ${hostname}: for each reader that is their own machine`);
  }
  return address;
}

const refused = (message: string): AppError =>
  new AppError("invalid", `The address of the external site ${message}.`, {
    details: [{ path: "externalSite", message }],
  });

/** A site that another service publishes has no further address here. `AppError conflict`. */
export function refuseFurtherAddresses(
  { externalSite, publicAddress }: Published["settings"],
  domains: readonly string[],
): void {
  if (externalSite === undefined) return;
  const problem =
    domains.length > 0
      ? `it cannot have domains on this server, such as ${domains[0]}. Remove the domains, or the external site`
      : publicAddress !== undefined && "publicAddress cannot be set as well: remove one of the two";
  if (problem !== false) throw new AppError("conflict", `The site is published at ${externalSite}, so ${problem}.`);
}

/** Where readers find a project's site: at another service, else at the address that its slug has here. */
export const publishedUrl = ({ slug, settings }: Published, siteUrl: (slug: string) => string): string =>
  settings.externalSite === undefined ? siteUrl(slug) : `${settings.externalSite}/`;

/** The path below which an external site is published; "" at the root of its host. */
export const basePathOf = (externalSite: string): string => new URL(externalSite).pathname.replace(/\/$/, "");

/**
 * The path of a viewed page as the project has it: without the base path and the `.html` of an external site. Null outside
 * of the base path. `base`: null where Docent publishes the site.
 */
export function pathInProject(base: string | null, path: string): string | null {
  if (base === null) return path;
  if (base !== "" && path !== base && !path.startsWith(`${base}/`)) return null;
  return path.slice(base.length).replace(/(?:\/index)?\.html$/i, "") || "/";
}
