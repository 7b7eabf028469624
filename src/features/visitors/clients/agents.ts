import list from "./agents.json" with { type: "json" };
import { OTHER_LABEL } from "#features/visitors/labels.ts";

/**
 * The purpose of a client. Only `assistant` and `browser` are counted (and Markdown read by either or by a program).
 */
export type ClientCategory = "assistant" | "search" | "training" | "other_bot" | "browser" | "http_client";

export interface KnownAgent {
  /** Matched as a whole word, ignoring case, in the user agent. */
  token: string;
  /** The displayed and stored name; the product without a version. */
  name: string;
  operator: string;
  category: "assistant" | "search" | "training" | "other_bot";
  /**
   * Matched at the start only: for coding agents whose names occur as words in other user agents, and for editors,
   * whose built-in browser, used by a person, contains the name, but not first.
   */
  isFirst?: boolean;
}

/** In search order. `agents.json` names their sources. */
export const knownAgents = list.agents.map(({ name, ...agent }) => ({
  ...agent,
  name: name ?? agent.token,
})) as readonly KnownAgent[];

/**
 * Programs that fetch on someone's behalf: not crawlers, not browsers. Coding agents use them (Cline sends curl, older
 * Claude Code axios), so they count as AI where they read Markdown. Matched at the start of the user agent.
 */
export const { httpClients } = list;

/** The stored form of a client: its category at that time, and its product. */
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
 * Parses a stored client for reports: today's entry in the agent table wins over the stored category. The class of its
 * views does not depend on it.
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
