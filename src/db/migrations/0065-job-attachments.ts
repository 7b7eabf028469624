import { type Kysely, SqliteAdapter, sql } from "kysely";

/** Images attached to messages of jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const bytes = db.getExecutor().adapter instanceof SqliteAdapter ? sql`blob` : sql`bytea`;
  await db.schema
    .createTable("job_attachment")
    .addColumn("job_id", "text", (c) => c.notNull().references("job.id").onDelete("cascade"))
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("media_type", "text", (c) => c.notNull())
    .addColumn("size_bytes", "integer", (c) => c.notNull())
    .addColumn("content", bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("job_attachment_pk", ["job_id", "seq", "number"])
    .execute();
}
