import type { Kysely } from "kysely";

// Domains of projects' own: the primary key is what keeps a domain from belonging to two projects of the instance.
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
