import type { Kysely } from "kysely";

/** The mail queue, and whether a person wants mail when jobs end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mail")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("recipient", "text", (c) => c.notNull())
    .addColumn("content", "text")
    .addColumn("job_id", "text", (c) => c.references("job.id").onDelete("cascade"))
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("next_attempt_at", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("mail_due").on("mail").column("next_attempt_at").execute();
  await db.schema
    .alterTable("person")
    .addColumn("mails_jobs", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
