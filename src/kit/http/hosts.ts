import { isIP } from "node:net";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";

/**
 * The target of a `Host` header: the label of a site (a slug or a domain; "" for an unknown one), null for the server's
 * own pages.
 */
export type HostTarget = string | null;

export interface Hosts {
  /**
   * Answers synchronously for the server's own names and those below the site domain; other names are looked up. Never
   * rejects.
   */
  siteOf(host: string | undefined): HostTarget | Promise<HostTarget>;
  /** Whether a name is served over TLS: the server's own, a project's domain, or the name of a project's site. */
  isServed(name: string): Promise<boolean>;
}

/** The lookup caches results, so that a busy site does not query the store for each request. */
const RECHECK_MS = 1_000;
const MAX_KNOWN = 5_000;
const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
// Names that no public resolver knows (RFC 6762, RFC 8375, ICANN's .internal, and those of home routers and companies).
const PRIVATE_NAME = /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Distinguishes the server's own hosts from those of sites. Its own are its address, IP addresses, names without a dot,
 * and private names that no project has; a server without a configured address treats every name that no project has as
 * its own.
 */
export function createHosts(deps: {
  siteDomain: string;
  baseUrl(): string;
  /** Whether the operator set `baseUrl`, rather than it following from the listening address. */
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
    // While the store is unavailable, the last known result applies; the site answers for any other name.
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
