import type { Kysely } from "kysely";

/** How many jobs a project created on a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("project_spending")
    .addColumn("jobs", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
