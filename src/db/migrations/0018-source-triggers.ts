import type { Kysely } from "kysely";

// Automations triggered by events in a source, and the subject of each run.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("automation").addColumn("source", "text").execute();
  await db.schema.alterTable("automation").addColumn("from_commit", "text").execute();
  await db.schema.alterTable("automation_run").addColumn("source_range", "text").execute();
  await db.schema
    .createIndex("automation_run_message")
    .on("automation_run")
    .columns(["job_id", "message_seq"])
    .execute();
}
