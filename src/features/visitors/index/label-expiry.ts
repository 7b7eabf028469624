import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { deleteLabels } from "./label-rows.ts";
import { facets } from "#features/visitors/labels.ts";
import { lockProject } from "./project-row.ts";
import { createSegmentReader } from "./segments.ts";

/** Facets whose items are numbers of a fixed list; those of all others are labels. */
const NUMBERED_FACETS: readonly number[] = [facets.surface, facets.excluded];

/**
 * Deletes the texts that no stored view and no count refers to any more: pages, clients, referring hosts and missing
 * paths of expired views. Nearly all facts are read before the project's write lock is taken. Does nothing when nothing
 * was deleted since the last run.
 */
export async function forgetUnusedLabels(database: Database, projectId: ProjectId): Promise<void> {
  const row = await database.kysely
    .selectFrom("analytics_project")
    .select(["number", "kept_from", "labels_from"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!row || row.labels_from >= row.kept_from) return;
  await deleteUnusedLabels(database, projectId, row);
}

/**
 * The same, whether or not something was deleted since. Only when the visitor index covers exactly the facts
 * (`index_from` is `kept_from`): otherwise pages of the index would lose their names.
 */
export async function deleteUnusedLabels(
  database: Database,
  projectId: ProjectId,
  row: { number: number; kept_from: number },
): Promise<void> {
  const used = new Set<number>();
  const segments = createSegmentReader(row.number);
  const readUsed = async (queryable: Queryable) => {
    for await (const { columns } of segments(queryable))
      for (const column of [columns.page, columns.client, columns.referrer]) for (const id of column) used.add(id);
  };
  await readUsed(database.kysely);
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    await readUsed(transaction); // views that were folded meanwhile
    const tallied = await talliedLabels(transaction, number);
    const labels = await transaction.selectFrom("analytics_label").select("id").where("project", "=", number).execute();
    const unused = labels.map(({ id }) => id).filter((id) => !used.has(id) && !tallied.has(id));
    if (unused.length > 0) await deleteLabels(transaction, number, unused);
    await transaction
      .updateTable("analytics_project")
      .set({ labels_from: row.kept_from })
      .where("project_id", "=", projectId)
      .execute();
  });
}

async function talliedLabels(transaction: DatabaseTransaction, project: number): Promise<Set<number>> {
  const rows = await transaction
    .selectFrom("view_tally")
    .select("item")
    .distinct()
    .where("project", "=", project)
    .where("facet", "not in", NUMBERED_FACETS)
    .execute();
  return new Set(rows.map(({ item }) => item));
}
