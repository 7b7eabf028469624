import { type Kysely, SqliteAdapter, sql } from "kysely";

// API descriptions that sites reference by URL: the last good copy of each, compressed, and the time of the next fetch.
export async function up(db: Kysely<unknown>): Promise<void> {
  const bytes = db.getExecutor().adapter instanceof SqliteAdapter ? sql`blob` : sql`bytea`;
  await db.schema
    .createTable("api_address")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("address", "text", (c) => c.notNull())
    .addColumn("is_live", "integer", (c) => c.notNull())
    .addColumn("wanted_at", "bigint", (c) => c.notNull())
    .addColumn("next_at", "bigint")
    .addColumn("claimed_until", "bigint")
    .addColumn("tried_at", "bigint")
    .addColumn("read_at", "bigint")
    .addColumn("failures", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("trouble", "text")
    .addColumn("etag", "text")
    .addColumn("last_modified", "text")
    .addColumn("version", "text")
    .addColumn("size_bytes", "bigint")
    .addColumn("content", bytes)
    .addPrimaryKeyConstraint("api_address_pk", ["project_id", "address"])
    .execute();
  await db.schema.createIndex("api_address_next").on("api_address").column("next_at").execute();
}
