import { type ClientCategory, type KnownAgent, knownAgents } from "./agents.ts";
import { OTHER_LABEL } from "#features/visitors/labels.ts";

/** How a client is stored: the category it was judged to have, and its product. */
export function clientText(category: ClientCategory, product: string): string {
  return `${category}/${product}`;
}

export interface StoredClient {
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
