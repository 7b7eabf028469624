import { readFileSync } from "node:fs";
import { z } from "zod";
import { knownAgents } from "./agents.ts";
import { type AddressRanges, addressRanges } from "./client-address.ts";
import { BoundedMap } from "./counts-cache.ts";
import type { Verification } from "./facts.ts";
import type { ViewRecord } from "./view-record.ts";

const Networks = z.object({ about: z.string(), networks: z.record(z.string(), z.array(z.string())) });

/** Agents that are seen outside the ranges they publish (measured: 0 % of Perplexity-User's requests were inside). */
const LEAKY: readonly string[] = ["Perplexity-User"];
const MAX_REMEMBERED = 50_000;

/**
 * Says whether a request comes from the agent that it claims to be: by its signature where it has one that could be
 * judged, else by its address. Only agents whose operators publish keys or ranges can be verified or spoofed; a coding
 * agent runs on its user's machine and is never either. A badge for reports: no view is counted or left out by it.
 */
export function createAgentVerifier(): (
  product: string,
  request: Pick<ViewRecord, "address" | "signature">,
) => Verification {
  const file = readFileSync(new URL("./agent-networks.json", import.meta.url), "utf8");
  const { networks } = Networks.parse(JSON.parse(file));
  const published = new Map<string, AddressRanges>(
    Object.entries(networks).map(([product, ranges]) => [product, addressRanges(ranges)]),
  );
  const known = new BoundedMap<string, Verification>(MAX_REMEMBERED);
  return (product, { address, signature }) => {
    if (signature) return signature.isValid && maySign(signature.operator, product) ? "verified" : "spoofed";
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

const operators = new Map(knownAgents.map((agent) => [agent.name, agent.operator.toLowerCase()]));

/** One operator's key proves nothing about another's agent; a client that is nobody's claims nothing. */
function maySign(operator: string, product: string): boolean {
  const claimed = operators.get(product);
  return claimed === undefined || claimed === operator.toLowerCase();
}
