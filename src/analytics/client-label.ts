import type { Queryable } from "#db/database.ts";
import { type ClientCategory, knownAgents } from "./agents.ts";
import { labelKinds } from "./labels.ts";

/** How a client is stored: the category it was judged to have, and its product. */
export function clientText(category: ClientCategory, product: string): string {
  return `${category}/${product}`;
}

export interface StoredClient {
  category: ClientCategory;
  product: string;
  operator: string | null;
}

const agentsByName = new Map(knownAgents.map((agent) => [agent.name, agent]));
const CATEGORIES: readonly string[] = ["assistant", "search", "training", "other_bot", "browser", "http_client"];

/** Reads a stored client by today's rules: what the agent table says of its product wins over what was judged then. */
export function readClient(text: string): StoredClient {
  const slash = text.indexOf("/");
  const then = text.slice(0, slash);
  const product = text.slice(slash + 1);
  const agent = agentsByName.get(product);
  const category = agent?.category ?? (CATEGORIES.includes(then) ? (then as ClientCategory) : "other_bot");
  return { category, product, operator: agent?.operator ?? null };
}

/** All clients of a project by label. */
export async function readClients(queryable: Queryable, project: number): Promise<Map<number, StoredClient>> {
  const rows = await queryable
    .selectFrom("analytics_label")
    .select(["id", "text"])
    .where("project", "=", project)
    .where("kind", "=", labelKinds.client)
    .execute();
  return new Map(rows.map((row) => [row.id, readClient(row.text)]));
}
