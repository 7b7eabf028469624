import type { Kysely } from "kysely";

// What readers searched for, by day; "" stands for queries that are only counted.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("search_count")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("query", "text", (c) => c.notNull())
    .addColumn("searches", "integer", (c) => c.notNull())
    .addColumn("clicks", "integer", (c) => c.notNull())
    .addColumn("results", "integer", (c) => c.notNull())
    .addColumn("last_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("search_count_pk", ["project_id", "day", "query"])
    .execute();
  await db.schema
    .createTable("search_click")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("query", "text", (c) => c.notNull())
    .addColumn("page", "text", (c) => c.notNull())
    .addColumn("clicks", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("search_click_pk", ["project_id", "day", "query", "page"])
    .execute();
}
