import type { Kysely } from "kysely";

// How often a worker was gone with a job in its hands since the job last got on.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("job")
    .addColumn("deaths", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
