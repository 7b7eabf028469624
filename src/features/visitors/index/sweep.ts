import type { Database } from "#db/database.ts";

const CHUNK = 5_000;
/** Tables of an index, and those that refer to a project's own number. */
const INDEX_TABLES = ["visitor_count", "visitor_pack"] as const;
const PROJECT_TABLES = ["view_tally", "view_segment", "analytics_label"] as const;

/**
 * Deletes the rows of numbers that no project has any more (deleted projects, replaced indexes), in small steps so that
 * other writers get their turn. A project's own number is also that of its first index: after a rebuild that index is
 * deleted and the rest stays.
 */
export async function sweepNumbers(database: Database, signal?: AbortSignal): Promise<void> {
  const { kysely } = database;
  const numbers = await kysely.selectFrom("analytics_number").select("number").orderBy("number").execute();
  const projects = await kysely
    .selectFrom("analytics_project")
    .select(["number", "index_number", "next_index"])
    .execute();
  const indexes = new Set(projects.flatMap((row) => [row.index_number, row.next_index]));
  const owners = new Set(projects.map((row) => row.number));
  // A number is written before its project's row, but in the same transaction: every number read here is final.
  for (const { number } of numbers) {
    if (indexes.has(number)) continue;
    await sweepPresence(database, number, signal);
    for (const table of INDEX_TABLES) await kysely.deleteFrom(table).where("project", "=", number).execute();
    if (owners.has(number)) continue;
    for (const table of PROJECT_TABLES) await kysely.deleteFrom(table).where("project", "=", number).execute();
    // The largest one stays: the next number is one more, and another process may still be deleting this one's rows.
    await kysely
      .deleteFrom("analytics_number")
      .where("number", "=", number)
      .where("number", "<", ({ selectFrom }) =>
        selectFrom("analytics_number").select(({ fn }) => fn.max("number").as("last")),
      )
      .execute();
  }
}

async function sweepPresence({ kysely }: Database, project: number, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    const last = await kysely
      .selectFrom("visitor_presence")
      .select("visitor")
      .where("project", "=", project)
      .orderBy("visitor")
      .limit(1)
      .offset(CHUNK)
      .executeTakeFirst();
    let rows = kysely.deleteFrom("visitor_presence").where("project", "=", project);
    if (last) rows = rows.where("visitor", "<", last.visitor);
    const { numDeletedRows } = await rows.executeTakeFirstOrThrow();
    if (!last) return;
    if (numDeletedRows === 0n) {
      // One visitor has more rows than a chunk: delete all of them at once.
      await kysely
        .deleteFrom("visitor_presence")
        .where("project", "=", project)
        .where("visitor", "=", last.visitor)
        .execute();
    }
  }
}
