import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { LocalCopies } from "./local-copy.ts";
import { packTogether } from "./local-packs.ts";
import { readRepository, replacePacks } from "./repository-rows.ts";

/** Each is a query and a file when a node makes its copy, and more work for whoever looks an object up. */
const MAX_PACKS = 40;

/**
 * Puts one pack in place of many; answers whether it did. Nothing is dropped: a tree that an unfinished job stands on has no reference.
 * Of several nodes that do it at once, one has done it.
 */
export async function packStored(
  { database, copies }: { database: Database; copies: LocalCopies },
  project: ProjectId,
): Promise<boolean> {
  const stored = await readRepository(database, project);
  if (stored === null || stored === "same" || stored.packs.length <= MAX_PACKS) return false;
  await copies.follow(project);
  const replaced = stored.packs.map(({ name }) => name);
  await using pack = await packTogether(copies.at(project), replaced);
  if (!pack || !(await replacePacks(database, project, { pack, replaced }))) return false;
  await pack.keep();
  await copies.follow(project);
  return true;
}
