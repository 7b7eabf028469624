import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Database } from "#db/database.ts";

const MAX_NAMED = 5;

/**
 * A sentence about projects whose repositories are not in `root`, null when all are there. It names at most five. Costs
 * one list of the projects and one of the folder.
 */
export async function lostRepositories({ kysely }: Database, root: string): Promise<string | null> {
  // The projects first: one that is made meanwhile has its repository before its row.
  const projects = await kysely.selectFrom("project").select(["id", "slug"]).orderBy("slug").execute();
  const there = new Set(await readdir(root).catch(() => []));
  const lost = projects.filter(({ id }) => !there.has(`${id}.git`));
  if (lost.length === 0) return null;
  const named = lost.slice(0, MAX_NAMED).map(({ id, slug }) => `${slug} (${path.basename(root)}/${id}.git)`);
  const rest = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : "";
  return `Repositories are missing from the data directory: ${named.join(", ")}${rest}.`;
}
