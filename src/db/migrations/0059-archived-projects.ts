import type { Kysely } from "kysely";

/** Archived projects, and former slugs of projects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("project").addColumn("archived_at", "bigint").execute();
  await db.schema
    .createTable("former_slug")
    .addColumn("slug", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("left_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("former_slug_project").on("former_slug").column("project_id").execute();
}
