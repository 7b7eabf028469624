import { type AgentList, builtInAgents } from "./agent-list.ts";
import { type AddressRanges, parseAddressRanges } from "#lib/network/network-address.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { dayOf } from "#features/visitors/day.ts";
import type { Verification } from "#features/visitors/facts.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

/**
 * Agents that also use addresses outside their published ranges (measured: 0 % of Perplexity-User's requests were
 * inside), or whose operator does not state that all their requests come from there.
 */
const LEAKY: readonly string[] = ["Perplexity-User", "Claude-User"];
const MAX_REMEMBERED = 50_000;
/**
 * For how many days before and after its date a list proves that an address is not the operator's. ChatGPT-User's
 * changed by 10 % in 83 days of 2026, so at most one of 60 real addresses is missing within them.
 */
const CERTAIN_DAYS = 14;

/**
 * Decides whether a request comes from the agent that it claims to be: by its signature if it has one that can be
 * checked, else by its address. Only agents whose operators publish keys or ranges can be verified or spoofed; a coding
 * agent runs on its user's machine and is never either. A spoofed view is listed and does not count; an unverified one
 * comes from an address that is missing from a list that is too old to be certain.
 */
export function createAgentVerifier(
  list: AgentList = builtInAgents,
): (product: string, request: Pick<ViewRecord, "address" | "signature" | "time">) => Verification {
  const published = new Map<string, AddressRanges>(
    [...list.networks].map(([product, ranges]) => [product, parseAddressRanges(ranges)]),
  );
  const operators = new Map(list.agents.map((agent) => [agent.name, agent.operator.toLowerCase()]));
  const listed = createLruCache<string, boolean>({ maxWeight: MAX_REMEMBERED });
  return (product, { address, signature, time }) => {
    if (signature)
      return signature.isValid && maySign(signature.operator, operators.get(product)) ? "verified" : "spoofed";
    const ranges = published.get(product);
    if (!ranges) return "unverifiable";
    const key = `${product} ${address}`;
    let isListed = listed.get(key);
    if (isListed === undefined) listed.set(key, (isListed = ranges(address)));
    if (isListed) return "verified";
    return unlistedAddress(list, product, dayOf(time));
  };
}

/** The verification of an agent at an address outside its operator's list on a day. */
export function unlistedAddress(list: AgentList, product: string, day: number): Verification {
  if (LEAKY.includes(product)) return "unverifiable";
  const age = day - dayOf(Date.parse(list.dates.get(product) ?? list.date));
  return Math.abs(age) > CERTAIN_DAYS ? "unverified" : "spoofed";
}

export interface KnownAddresses {
  agent: string;
  /** The list's date, `YYYY-MM-DD`. */
  date: string;
  ranges: number;
  /** Whether the list proves on that day that an agent at another address is spoofed; otherwise it is unverified. */
  isCurrent: boolean;
}

/** The agents with known addresses, and whether their lists are current on a day. */
export function knownAddresses(list: AgentList, day: number): KnownAddresses[] {
  return [...list.networks].map(([agent, { length: ranges }]) => ({
    agent,
    date: list.dates.get(agent) ?? list.date,
    ranges,
    isCurrent: unlistedAddress(list, agent, day) !== "unverified",
  }));
}

/** One operator's key proves nothing about another's agent; an unknown client claims nothing. */
function maySign(operator: string, claimed: string | undefined): boolean {
  return claimed === undefined || claimed === operator.toLowerCase();
}
