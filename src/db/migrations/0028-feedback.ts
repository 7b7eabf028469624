import type { Kysely } from "kysely";

// Votes and comments on pages. `voter` identifies a reader only on one page.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("feedback")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("page", "text", (c) => c.notNull())
    .addColumn("author", "text", (c) => c.notNull())
    .addColumn("helpful", "integer")
    .addColumn("comment", "text")
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("voter", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("feedback_voter").unique().on("feedback").columns(["project_id", "voter"]).execute();
  await db.schema.createIndex("feedback_day").on("feedback").columns(["project_id", "day"]).execute();
  await db.schema.createIndex("feedback_time").on("feedback").columns(["project_id", "created_at", "id"]).execute();
}
