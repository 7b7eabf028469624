import type { Kysely } from "kysely";

// Who may read a private site; a project without a row has a public one.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("site_access")
    .addColumn("project_id", "text", (c) => c.primaryKey().references("project.id").onDelete("cascade"))
    .addColumn("mode", "text", (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
}
