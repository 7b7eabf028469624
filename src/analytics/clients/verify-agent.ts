import { type AgentList, builtInAgents } from "./agent-list.ts";
import { type AddressRanges, parseAddressRanges } from "#lib/network/network-address.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { Verification } from "#analytics/facts.ts";
import type { ViewRecord } from "#analytics/view-record.ts";

/** Agents that are seen outside the ranges they publish (measured: 0 % of Perplexity-User's requests were inside). */
const LEAKY: readonly string[] = ["Perplexity-User"];
const MAX_REMEMBERED = 50_000;

/**
 * Says whether a request comes from the agent that it claims to be: by its signature where it has one that could be
 * judged, else by its address. Only agents whose operators publish keys or ranges can be verified or spoofed; a coding
 * agent runs on its user's machine and is never either. A spoofed view is listed and counts as nothing.
 */
export function createAgentVerifier({ agents, networks }: AgentList = builtInAgents): (
  product: string,
  request: Pick<ViewRecord, "address" | "signature">,
) => Verification {
  const published = new Map<string, AddressRanges>(
    [...networks].map(([product, ranges]) => [product, parseAddressRanges(ranges)]),
  );
  const operators = new Map(agents.map((agent) => [agent.name, agent.operator.toLowerCase()]));
  const known = createLruCache<string, Verification>({ maxWeight: MAX_REMEMBERED });
  return (product, { address, signature }) => {
    if (signature)
      return signature.isValid && maySign(signature.operator, operators.get(product)) ? "verified" : "spoofed";
    const ranges = published.get(product);
    if (!ranges) return "unverifiable";
    const key = `${product} ${address}`;
    const remembered = known.get(key);
    if (remembered) return remembered;
    const verification = ranges(address) ? "verified" : LEAKY.includes(product) ? "unverifiable" : "spoofed";
    known.set(key, verification);
    return verification;
  };
}

/** One operator's key proves nothing about another's agent; a client that is nobody's claims nothing. */
function maySign(operator: string, claimed: string | undefined): boolean {
  return claimed === undefined || claimed === operator.toLowerCase();
}
