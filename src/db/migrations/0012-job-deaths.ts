import type { Kysely } from "kysely";

// How often a worker died while holding a job since the job last made progress.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("job")
    .addColumn("deaths", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
