import { type Kysely, sql } from "kysely";

// Portable subset: text ids, bigint instants, JSON as text, partial indexes. Text keys sort by byte on both engines.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("project")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("slug", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("source_url", "text")
    .addColumn("code_host", "text", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("settings", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("instance_secret")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("api_key")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("hint", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .execute();
  await db.schema
    .createTable("rate_limit")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("bucket", "text", (c) => c.notNull())
    .addColumn("window_start", "bigint", (c) => c.notNull())
    .addColumn("used", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("rate_limit_pk", ["project_id", "bucket"])
    .execute();
  await db.schema
    .createTable("job")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("phase", "text", (c) => c.notNull())
    .addColumn("title", "text")
    .addColumn("summary", "text")
    .addColumn("error", "text")
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("base_ref", "text", (c) => c.notNull())
    .addColumn("branch", "text")
    .addColumn("draft", "integer", (c) => c.notNull())
    .addColumn("pull_request", "text")
    .addColumn("msg_seq", "integer", (c) => c.notNull())
    .addColumn("done_seq", "integer", (c) => c.notNull())
    .addColumn("event_seq", "integer", (c) => c.notNull())
    .addColumn("lease_owner", "text")
    .addColumn("lease_until", "bigint")
    .addColumn("fence", "integer", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("run_after", "bigint", (c) => c.notNull())
    .addColumn("cancel_requested_at", "bigint")
    .addColumn("steps", "integer", (c) => c.notNull())
    .addColumn("input_tokens", "bigint", (c) => c.notNull())
    .addColumn("cached_tokens", "bigint", (c) => c.notNull())
    .addColumn("output_tokens", "bigint", (c) => c.notNull())
    .addColumn("cost_micro_usd", "bigint", (c) => c.notNull())
    .addColumn("automation_id", "text")
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("archived_at", "bigint")
    .addColumn("archived_from", "text")
    .execute();
  await sql`create index job_runnable on job (run_after, id) where status = 'active' and done_seq < msg_seq`.execute(
    db,
  );
  await db.schema.createIndex("job_by_project").on("job").columns(["project_id", "id"]).execute();
  await sql`create unique index job_branch on job (project_id, branch) where branch is not null`.execute(db);
  await db.schema
    .createTable("job_message")
    .addColumn("job_id", "text", (c) => c.notNull().references("job.id").onDelete("cascade"))
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("prompt", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("job_message_pk", ["job_id", "seq"])
    .execute();
  await db.schema
    .createTable("job_turn")
    .addColumn("job_id", "text", (c) => c.notNull().references("job.id").onDelete("cascade"))
    .addColumn("turn", "integer", (c) => c.notNull())
    .addColumn("base_commit", "text", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("commit_id", "text")
    .addPrimaryKeyConstraint("job_turn_pk", ["job_id", "turn"])
    .execute();
  await db.schema
    .createTable("job_step")
    .addColumn("job_id", "text", (c) => c.notNull().references("job.id").onDelete("cascade"))
    .addColumn("turn", "integer", (c) => c.notNull())
    .addColumn("step", "integer", (c) => c.notNull())
    .addColumn("fence", "integer", (c) => c.notNull())
    .addColumn("messages", "text", (c) => c.notNull())
    .addColumn("tree", "text")
    .addColumn("delivered_seq", "integer", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("job_step_pk", ["job_id", "turn", "step"])
    .execute();
  await db.schema
    .createTable("job_event")
    .addColumn("job_id", "text", (c) => c.notNull().references("job.id").onDelete("cascade"))
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("turn", "integer", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("job_event_pk", ["job_id", "seq"])
    .execute();
  await db.schema
    .createTable("idempotency_key")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("body_hash", "text", (c) => c.notNull())
    .addColumn("job_id", "text", (c) => c.notNull()) // written before its job, in the same transaction
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_key_pk", ["project_id", "key"])
    .execute();
  await db.schema
    .createTable("pull_request")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("head", "text", (c) => c.notNull())
    .addColumn("head_sha", "text", (c) => c.notNull())
    .addColumn("base", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("body", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("draft", "integer", (c) => c.notNull())
    .addColumn("merged_sha", "text")
    .addColumn("merge_base", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .addColumn("closed_at", "bigint")
    .addPrimaryKeyConstraint("pull_request_pk", ["project_id", "number"])
    .execute();
  await sql`create unique index pull_request_open on pull_request (project_id, head) where state = 'open'`.execute(db);
  await db.schema
    .createTable("visitor_secret")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("epoch", "integer", (c) => c.notNull())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("visitor_secret_pk", ["project_id", "epoch"])
    .execute();
}
