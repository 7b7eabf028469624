import type { Kysely } from "kysely";

// Further repositories that a project's agent may read.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("source")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("sealed_token", "text")
    .addColumn("sealed_webhook_secret", "text", (c) => c.notNull())
    .addColumn("synced_at", "bigint")
    .addColumn("tried_at", "bigint")
    .addColumn("trouble", "text")
    .addColumn("webhook_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("source_name", ["project_id", "name"])
    .execute();
}
