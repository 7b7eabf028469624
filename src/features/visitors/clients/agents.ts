import list from "./agents.json" with { type: "json" };
import { OTHER_LABEL } from "#features/visitors/labels.ts";

/** What a client is for. Only `assistant` and `browser` (and Markdown read by either or by a program) are counted. */
export type ClientCategory = "assistant" | "search" | "training" | "other_bot" | "browser" | "http_client";

export interface KnownAgent {
  /** Matched whole words, ignoring case, in the user agent. */
  token: string;
  /** The name shown and stored; the product without a version. */
  name: string;
  operator: string;
  category: "assistant" | "search" | "training" | "other_bot";
  /**
   * Matched at the start only: coding agents with names that are words of other user agents, too, and editors whose built-in browser,
   * used by a person, names them, but not first.
   */
  isFirst?: boolean;
}

/** In the order in which they are looked for. `agents.json` says where they are from. */
export const knownAgents = list.agents.map(({ name, ...agent }) => ({
  ...agent,
  name: name ?? agent.token,
})) as readonly KnownAgent[];

/**
 * Programs that fetch for somebody: not crawlers, not browsers. Coding agents hide behind them (Cline sends curl, older
 * Claude Code axios), so they count as AI where they read Markdown. Matched at the start of the user agent.
 */
export const { httpClients } = list;

/** How a client is stored: the category it was judged to have, and its product. */
export function clientText(category: ClientCategory, product: string): string {
  return `${category}/${product}`;
}

interface StoredClient {
  category: ClientCategory;
  product: string;
  operator: string | null;
}

const CATEGORIES: readonly string[] = ["assistant", "search", "training", "other_bot", "browser", "http_client"];

/**
 * Reads a stored client for reports: what the agent table says of its product today wins over what was judged then. What
 * its views count as does not hang on it.
 */
export function readClient(text: string, agents: readonly KnownAgent[] = knownAgents): StoredClient {
  if (text === OTHER_LABEL) return { category: "http_client", product: OTHER_LABEL, operator: null };
  const slash = text.indexOf("/");
  const then = text.slice(0, slash);
  const product = text.slice(slash + 1);
  const agent = agents.find(({ name }) => name === product);
  const category = agent?.category ?? (CATEGORIES.includes(then) ? (then as ClientCategory) : "other_bot");
  return { category, product, operator: agent?.operator ?? null };
}
