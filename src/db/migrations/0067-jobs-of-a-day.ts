import type { Kysely } from "kysely";

/** The number of jobs that a project created per day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("project_spending")
    .addColumn("jobs", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
