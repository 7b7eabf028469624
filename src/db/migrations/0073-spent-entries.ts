import type { Kysely } from "kysely";

/** Tokens that have let somebody in to a private site, until they expire: each does so once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("spent_entry")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("spent_entry_project").on("spent_entry").column("project_id").execute();
  await db.schema.createIndex("spent_entry_expires").on("spent_entry").column("expires_at").execute();
}
