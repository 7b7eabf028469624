import type { Kysely } from "kysely";

// Comments at code hosts that address the agent, and what does not work at those hosts.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("connection").addColumn("comments_seen_at", "bigint").execute();
  await db.schema
    .createTable("connection_remark")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("about", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("connection_remark_key", ["project_id", "about"])
    .execute();
  await db.schema
    .createTable("host_comment")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("thread", "text")
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("author_id", "text", (c) => c.notNull())
    .addColumn("author_login", "text", (c) => c.notNull())
    .addColumn("prompt", "text", (c) => c.notNull())
    .addColumn("about", "text")
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("tries", "integer", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("job_id", "text", (c) => c.references("job.id").onDelete("set null"))
    .addColumn("message_seq", "integer")
    .addColumn("answer_id", "text")
    .addColumn("note", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("host_comment_key", ["project_id", "id"])
    .execute();
  // Unfinished comments; the other rows only prevent duplicates.
  await db.schema.createIndex("host_comment_due").on("host_comment").columns(["state", "due_at"]).execute();
  await db.schema.createIndex("host_comment_job").on("host_comment").column("job_id").execute();
}
