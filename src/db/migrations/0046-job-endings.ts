import { type Kysely, sql } from "kysely";

/** Whether the last message of a job changed a file, and the agent's question. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("job")
    .addColumn("changed", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("job").addColumn("question", "text").execute();
  // For jobs that have already ended, the pull request is the best evidence.
  await sql`
    update job set changed = 1
    where pull_request is not null and error is null and status in ('completed', 'archived')`.execute(db);
}
