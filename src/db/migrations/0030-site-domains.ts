import type { Kysely } from "kysely";

// Custom domains of projects; the primary key prevents two projects from having the same domain.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("site_domain")
    .addColumn("domain", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("is_main", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("site_domain_project").on("site_domain").column("project_id").execute();
}
