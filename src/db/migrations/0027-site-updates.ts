import type { Kysely } from "kysely";

// Requests over HTTP to update a site, or to preview a branch.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("site_update")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("branch", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await db.schema.createIndex("site_update_project").on("site_update").columns(["project_id", "id"]).execute();
}
