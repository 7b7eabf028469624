import type { Kysely } from "kysely";

/** The provider that a job waits for, and the time that a turn has waited, which does not count towards its limit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("waiting", "text").execute();
  await db.schema
    .alterTable("job_turn")
    .addColumn("waited_ms", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
}
