import { clientAddress, plainAddress } from "#features/visitors/client-address.ts";
import { MAX_USER_AGENT_LENGTH } from "#features/visitors/clients/classify.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { type AddressRanges, isPublicAddress } from "#lib/network/network-address.ts";
import type { PlainRequest } from "#lib/network/plain-http.ts";
import type { Logger } from "#lib/logger.ts";

/** An address with so many readers that it must be a proxy in front of the server. */
export interface UnnamedProxy {
  address: string;
  /** Whether it names readers in `X-Forwarded-For`. Otherwise it has to be configured to. */
  namesReaders: boolean;
  /** The value of `DOCENT_TRUSTED_PROXIES` that would include it. */
  trustedProxies: string;
}

/** Detects a proxy that makes all readers one visitor. */
export interface ProxyWatch {
  /** Examines a reader's request. */
  note(request: Pick<PlainRequest, "headers">, peerAddress: string): void;
  /** The first one found since the server started; null while there is none. */
  found(): UnnamedProxy | null;
}

/** Headers that proxies add and no browser sends. */
const PROXY_HEADERS = [
  "forwarded",
  "x-real-ip",
  "x-forwarded-proto",
  "x-forwarded-host",
  "cf-connecting-ip",
  "true-client-ip",
  "via",
];
/** User agents behind one private address that sends forwarding headers: certainly a proxy. */
const FORWARDED_AGENTS = 3;
/** The same when their number is the only evidence. */
const MANY_AGENTS = 20;
/**
 * Outside private networks a proxy may be a reader's own; only one that nearly all readers come through is the
 * server's.
 */
const MOST = 0.8;
const MAX_ADDRESSES = 256;

export function createProxyWatch(deps: {
  trustedProxies: readonly string[];
  isTrustedProxy: AddressRanges;
  logger: Logger;
}): ProxyWatch {
  const { isTrustedProxy, logger } = deps;
  const agentsOf = createLruCache<string, Set<string>>({ maxWeight: MAX_ADDRESSES });
  let requests = 0;
  let forwarded = 0;
  let found: UnnamedProxy | null = null;

  const isEnough = ({ address, agents, isForwarded }: { address: string; agents: number; isForwarded: boolean }) => {
    if (!isPublicAddress(address)) return agents >= (isForwarded ? FORWARDED_AGENTS : MANY_AGENTS);
    return isForwarded && agents >= MANY_AGENTS && forwarded >= requests * MOST;
  };

  return {
    note({ headers }, peerAddress) {
      if (found !== null) return;
      requests++;
      const forwardedFor = headers.get("x-forwarded-for");
      const peer = plainAddress(peerAddress);
      if (peer === null) return;
      const address = clientAddress({ peer, forwardedFor, isTrustedProxy });
      // An entry left of the believed one: a further proxy is there, or the reader made it up.
      const namesReaders =
        forwardedFor !== null && !isTrustedProxy(address) && plainAddress(forwardedFor.split(",", 1)[0]!) !== address;
      const isForwarded =
        namesReaders || (!isTrustedProxy(peer) && PROXY_HEADERS.some((name) => headers.get(name) !== null));
      if (isForwarded) forwarded++;
      else if (isPublicAddress(address)) return;
      const key = `${isForwarded} ${address}`;
      const agents = agentsOf.get(key) ?? new Set<string>();
      if (agents.size < MANY_AGENTS) agents.add((headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT_LENGTH));
      agentsOf.set(key, agents);
      if (!isEnough({ address, agents: agents.size, isForwarded })) return;
      const trustedProxies = isTrustedProxy(address) ? deps.trustedProxies : [...deps.trustedProxies, address];
      found = { address, namesReaders, trustedProxies: trustedProxies.join(",") };
      agentsOf.clear();
      logger.warn(
        { ...found, docs: "operate/deployment.md#reverse-proxy" },
        "all readers behind one address count as one visitor: it looks like a proxy that DOCENT_TRUSTED_PROXIES does not name, or that sends no X-Forwarded-For",
      );
    },
    found: () => found,
  };
}
