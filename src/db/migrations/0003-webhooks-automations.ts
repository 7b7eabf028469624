import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("webhook_endpoint")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("description", "text")
    .addColumn("events", "text", (c) => c.notNull())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("previous_secret", "text")
    .addColumn("previous_until", "bigint")
    .addColumn("disabled_at", "bigint")
    .addColumn("disabled_reason", "text")
    .addColumn("failing_since", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("webhook_endpoint_project")
    .on("webhook_endpoint")
    .columns(["project_id", "id"])
    .execute();
  await db.schema
    .createTable("webhook_event")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("job_id", "text", (c) => c.notNull()) // outlives its job
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("job", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("webhook_event_age").on("webhook_event").column("created_at").execute();
  await db.schema
    .createTable("webhook_delivery")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("endpoint_id", "text", (c) => c.notNull().references("webhook_endpoint.id").onDelete("cascade"))
    .addColumn("event_id", "text", (c) => c.notNull().references("webhook_event.id").onDelete("cascade"))
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("next_attempt_at", "bigint", (c) => c.notNull())
    .addColumn("lease_until", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await sql`create index webhook_delivery_due on webhook_delivery (next_attempt_at) where status = 'pending'`.execute(
    db,
  );
  await db.schema.createIndex("webhook_delivery_log").on("webhook_delivery").columns(["endpoint_id", "id"]).execute();
  await db.schema.createIndex("webhook_delivery_event").on("webhook_delivery").column("event_id").execute();
  await db.schema
    .createTable("webhook_attempt")
    .addColumn("delivery_id", "text", (c) => c.notNull().references("webhook_delivery.id").onDelete("cascade"))
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("duration_ms", "integer", (c) => c.notNull())
    .addColumn("status", "integer")
    .addColumn("error", "text")
    .addColumn("response", "text")
    .addPrimaryKeyConstraint("webhook_attempt_pk", ["delivery_id", "attempt"])
    .execute();

  await db.schema
    .createTable("automation")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("prompt", "text", (c) => c.notNull())
    .addColumn("trigger_kind", "text", (c) => c.notNull())
    .addColumn("cron", "text")
    .addColumn("time_zone", "text")
    .addColumn("branch", "text")
    .addColumn("ref", "text")
    .addColumn("model", "text")
    .addColumn("draft", "integer", (c) => c.notNull())
    .addColumn("enabled", "integer", (c) => c.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("due_by", "text")
    .addColumn("seen_commit", "text")
    .addColumn("runs", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("updated_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("automation_project").on("automation").columns(["project_id", "id"]).execute();
  await sql`create index automation_due on automation (due_at) where due_at is not null`.execute(db);
  await db.schema
    .createTable("automation_run")
    .addColumn("automation_id", "text", (c) => c.notNull().references("automation.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("started_by", "text", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("job_id", "text")
    .addColumn("message_seq", "integer")
    .addColumn("note", "text")
    .addPrimaryKeyConstraint("automation_run_pk", ["automation_id", "number"])
    .execute();
  await sql`create index job_automation on job (automation_id, id) where automation_id is not null`.execute(db);
  await sql`create index job_idle on job (updated_at) where status in ('completed', 'failed')`.execute(db);
}
