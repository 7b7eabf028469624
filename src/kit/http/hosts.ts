import { isIP } from "node:net";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";

/** What a `Host` header leads to: the label of a site (a slug or a domain; "" where nobody has it), null for the server's own pages. */
export type HostTarget = string | null;

export interface Hosts {
  /** At once for the server's own names and those below the site domain; other names are looked up. Never rejects. */
  siteOf(host: string | undefined): HostTarget | Promise<HostTarget>;
  /** Whether readers may come by a name over TLS: the server's own, a project's domain, or the name of a project's site. */
  isServed(name: string): Promise<boolean>;
}

/** Kept by who looks a name up, so that a busy site does not ask the store for each request. */
const RECHECK_MS = 1_000;
const MAX_KNOWN = 5_000;
const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
// Names that no resolver of the Internet has (RFC 6762, RFC 8375, ICANN's .internal, and what home routers and companies use).
const PRIVATE_NAME = /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Tells the server's own hosts from those of sites. Own are its address, IP addresses, names without a dot and private
 * names that no project has; a server whose address nobody set takes every name that no project has for its own.
 */
export function createHosts(deps: {
  siteDomain: string;
  baseUrl(): string;
  /** Whether `baseUrl` was set by the operator, and does not only follow from where the server listens. */
  hasOwnAddress: boolean;
  clock: Clock;
  hasDomain(domain: string): Promise<boolean>;
  hasProject(slug: string): Promise<boolean>;
}): Hosts {
  const { siteDomain, clock } = deps;
  const known = createLruCache<string, { isTaken: boolean; atMs: number }>({ maxWeight: MAX_KNOWN });

  const isOwn = (name: string): boolean =>
    name === siteDomain || name === new URL(deps.baseUrl()).hostname || name === "localhost";

  function slugIn(name: string): string | null {
    if (!name.endsWith(`.${siteDomain}`)) return null;
    const slug = name.slice(0, -siteDomain.length - 1);
    return SLUG.test(slug) ? slug : "";
  }

  async function isTaken(domain: string): Promise<boolean> {
    const nowMs = clock.now().getTime();
    const remembered = known.get(domain);
    if (remembered && Math.abs(nowMs - remembered.atMs) < RECHECK_MS) return remembered.isTaken;
    const found = await deps.hasDomain(domain);
    known.set(domain, { isTaken: found, atMs: nowMs });
    return found;
  }

  async function lookUp(name: string): Promise<HostTarget> {
    // With the store away, what was known last goes on; the site says what it is about anything else.
    const taken = await isTaken(name).catch(() => known.get(name)?.isTaken ?? true);
    if (taken) return name;
    return !deps.hasOwnAddress || PRIVATE_NAME.test(name) ? null : "";
  }

  return {
    siteOf(host) {
      const name = nameOf(host);
      if (name === "" || isOwn(name)) return null;
      const slug = slugIn(name);
      if (slug !== null) return slug;
      if (!name.includes(".") || isIP(name.replace(/^\[|\]$/g, "")) !== 0 || name.startsWith("[")) return null;
      return lookUp(name);
    },
    async isServed(given) {
      const name = nameOf(given);
      if (isOwn(name)) return true;
      const slug = slugIn(name);
      if (slug !== null) return slug !== "" && (await deps.hasProject(slug));
      return name.includes(".") && (await isTaken(name));
    },
  };
}

const nameOf = (host: string | undefined): string => (host ?? "").toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
