import type { Kysely } from "kysely";

// Connections to repositories on GitHub, GitLab, Gitea or Forgejo, and their state.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("connection")
    .addColumn("project_id", "text", (c) => c.primaryKey().references("project.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("api_url", "text", (c) => c.notNull())
    .addColumn("remote_id", "text", (c) => c.notNull())
    .addColumn("sealed_token", "text", (c) => c.notNull())
    .addColumn("sealed_webhook_secret", "text", (c) => c.notNull())
    .addColumn("synced_at", "bigint")
    .addColumn("tried_at", "bigint")
    .addColumn("trouble", "text")
    .addColumn("webhook_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
}
