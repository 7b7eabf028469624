import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { decodeFacts } from "#features/visitors/facts.ts";
import { deleteLabels } from "./label-rows.ts";
import { facets } from "#features/visitors/labels.ts";
import { lockProject } from "./project-row.ts";

/** Facets whose items are numbers of a list of ours; those of all others are labels. */
const NUMBERED_FACETS: readonly number[] = [facets.surface, facets.excluded];

/**
 * Deletes the texts that no stored view and no count refers to any more: pages, clients, referring hosts and missing
 * paths of views that were too old. Nearly all facts are read before the project's write lock is taken. Does nothing
 * when nothing was deleted since it last did it.
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
 * The same, whether or not something was deleted since. Only where the visitor index has no more than there are facts
 * (`index_from` is `kept_from`): the pages of what it has besides would lose their names.
 */
export async function deleteUnusedLabels(
  database: Database,
  projectId: ProjectId,
  row: { number: number; kept_from: number },
): Promise<void> {
  const used = createUsedLabels(row.number);
  await used.read(database.kysely);
  await database.transaction(async (transaction) => {
    const { number } = await lockProject(database, transaction, projectId);
    await used.read(transaction); // what was folded meanwhile
    const tallied = await talliedLabels(transaction, number);
    const labels = await transaction.selectFrom("analytics_label").select("id").where("project", "=", number).execute();
    const unused = labels.map(({ id }) => id).filter((id) => !used.labels.has(id) && !tallied.has(id));
    if (unused.length > 0) await deleteLabels(transaction, number, unused);
    await transaction
      .updateTable("analytics_project")
      .set({ labels_from: row.kept_from })
      .where("project_id", "=", projectId)
      .execute();
  });
}

/** The labels in facts. `read` again reads only segments that are new since. */
function createUsedLabels(project: number) {
  const labels = new Set<number>();
  const seen = new Set<string>();
  return {
    labels,
    async read(queryable: Queryable): Promise<void> {
      const ofProject = queryable.selectFrom("view_segment").where("project", "=", project);
      for (const { day, seq } of await ofProject.select(["day", "seq"]).execute()) {
        if (seen.has(`${day}/${seq}`)) continue;
        const segment = await ofProject
          .select("content")
          .where("day", "=", day)
          .where("seq", "=", seq)
          .executeTakeFirst();
        if (!segment) continue; // joined with others since: the next reading has it
        seen.add(`${day}/${seq}`);
        const columns = decodeFacts(segment.content);
        for (const column of [columns.page, columns.client, columns.referrer]) for (const id of column) labels.add(id);
      }
    },
  };
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
