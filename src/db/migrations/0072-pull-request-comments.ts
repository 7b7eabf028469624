import type { Kysely } from "kysely";

/** Comments and reviews of people on pull requests of the embedded host, and the threads on lines of their changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("pull_request_thread")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("path", "text", (c) => c.notNull())
    .addColumn("side", "text", (c) => c.notNull())
    .addColumn("line", "integer", (c) => c.notNull())
    .addColumn("commit_sha", "text", (c) => c.notNull())
    .addColumn("line_text", "text", (c) => c.notNull())
    .addColumn("resolved_by", "text")
    .addColumn("resolved_at", "bigint")
    .addForeignKeyConstraint(
      "pull_request_thread_of",
      ["project_id", "number"],
      "pull_request",
      ["project_id", "number"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .execute();
  await db.schema
    .createIndex("pull_request_thread_number")
    .on("pull_request_thread")
    .columns(["project_id", "number"])
    .execute();
  await db.schema
    .createTable("pull_request_comment")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("thread_id", "text", (c) => c.references("pull_request_thread.id").onDelete("cascade"))
    .addColumn("verdict", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("commit_sha", "text", (c) => c.notNull())
    // The comments of a deleted account stay, with the author's name.
    .addColumn("person_id", "text", (c) => c.references("person.id").onDelete("set null"))
    .addColumn("author", "text", (c) => c.notNull())
    .addColumn("job_id", "text", (c) => c.references("job.id").onDelete("set null"))
    .addColumn("message_seq", "integer")
    .addColumn("note", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("edited_at", "bigint")
    .addForeignKeyConstraint(
      "pull_request_comment_of",
      ["project_id", "number"],
      "pull_request",
      ["project_id", "number"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .execute();
  await db.schema
    .createIndex("pull_request_comment_number")
    .on("pull_request_comment")
    .columns(["project_id", "number"])
    .execute();
  for (const column of ["created_at", "thread_id", "person_id", "job_id"])
    await db.schema.createIndex(`pull_request_comment_${column}`).on("pull_request_comment").column(column).execute();
}
