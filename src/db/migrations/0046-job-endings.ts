import type { Kysely } from "kysely";

/** Whether the last message of a job changed a file, and what the agent asks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("job")
    .addColumn("changed", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("job").addColumn("question", "text").execute();
}
