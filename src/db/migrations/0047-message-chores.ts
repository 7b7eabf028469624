import type { Kysely } from "kysely";

/** The chores of a message that runs without a model. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job_message").addColumn("chores", "text").execute();
}
