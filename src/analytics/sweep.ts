import type { Database } from "#db/database.ts";

const CHUNK = 5_000;

/**
 * Deletes the rows of numbers that no project has any more (deleted projects, indexes before a rebuild), little by
 * little so that other writers get their turn.
 */
export async function sweepNumbers(database: Database, signal?: AbortSignal): Promise<void> {
  const { kysely } = database;
  const numbers = await kysely.selectFrom("analytics_number").select("number").orderBy("number").execute();
  const projects = await kysely
    .selectFrom("analytics_project")
    .select(["number", "index_number", "next_index"])
    .execute();
  const used = new Set(projects.flatMap((row) => [row.number, row.index_number, row.next_index]));
  // A number is written before its project's row, but in the same transaction: every number read here is settled.
  for (const { number } of numbers) {
    if (used.has(number)) continue;
    await sweepPresence(database, number, signal);
    for (const table of ["visitor_count", "visitor_pack", "view_tally", "view_segment", "analytics_label"] as const) {
      await kysely.deleteFrom(table).where("project", "=", number).execute();
    }
    await kysely.deleteFrom("analytics_number").where("number", "=", number).execute();
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
      // More rows of one visitor than a chunk has: all of them at once.
      await kysely
        .deleteFrom("visitor_presence")
        .where("project", "=", project)
        .where("visitor", "=", last.visitor)
        .execute();
    }
  }
}
