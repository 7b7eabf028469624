import type { Kysely } from "kysely";

/** For whom a job waits, and how long a turn has waited: that time does not count towards its limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("waiting", "text").execute();
  await db.schema
    .alterTable("job_turn")
    .addColumn("waited_ms", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
