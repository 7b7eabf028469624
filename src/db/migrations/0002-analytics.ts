import { type Kysely, SqliteAdapter, sql } from "kysely";

// Projects have a small number here: a text id would be most of a row that is stored millions of times. The large
// tables have no foreign keys (a lookup per insert); rows of numbers without a project are deleted in the background.
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const bytes = isSqlite ? sql`blob` : sql`bytea`;
  // Clustering by primary key on SQLite was twice as fast for the presence table, which is only read by key.
  const clustered = isSqlite ? sql`without rowid` : sql``;
  await db.schema
    .createTable("analytics_project")
    .addColumn("project_id", "text", (c) => c.primaryKey().references("project.id").onDelete("cascade"))
    .addColumn("number", "integer", (c) => c.notNull().unique())
    .addColumn("index_number", "integer", (c) => c.notNull().unique())
    .addColumn("next_index", "integer")
    .addColumn("rules_version", "integer", (c) => c.notNull())
    .addColumn("kept_from", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("analytics_number")
    .addColumn("number", "integer", (c) => c.primaryKey())
    .execute();
  await db.schema
    .createTable("analytics_label")
    .addColumn("project", "integer", (c) => c.notNull())
    .addColumn("id", "integer", (c) => c.notNull())
    .addColumn("kind", "integer", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("analytics_label_pk", ["project", "id"])
    .execute();
  await db.schema
    .createIndex("analytics_label_text")
    .unique()
    .on("analytics_label")
    .columns(["project", "kind", "text"])
    .execute();
  await db.schema
    .createTable("view_segment")
    .addColumn("project", "integer", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("seq", "integer", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("content", bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("view_segment_pk", ["project", "day", "seq"])
    .execute();
  await db.schema
    .createTable("visitor_presence")
    .addColumn("project", "integer", (c) => c.notNull())
    .addColumn("visitor", "bigint", (c) => c.notNull())
    .addColumn("page", "integer", (c) => c.notNull())
    .addColumn("last", "integer", (c) => c.notNull())
    .addColumn("earlier", bytes)
    .addPrimaryKeyConstraint("visitor_presence_pk", ["project", "visitor", "page"])
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("visitor_count")
    .addColumn("project", "integer", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("page", "integer", (c) => c.notNull())
    .addColumn("previous", "integer", (c) => c.notNull())
    .addColumn("human", "integer", (c) => c.notNull())
    .addColumn("ai", "integer", (c) => c.notNull())
    .addColumn("total", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("visitor_count_pk", ["project", "day", "page", "previous"])
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("visitor_pack")
    .addColumn("project", "integer", (c) => c.notNull())
    .addColumn("span", "integer", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("version", "integer", (c) => c.notNull())
    .addColumn("content", bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("visitor_pack_pk", ["project", "span", "day"])
    .execute();
  await db.schema
    .createTable("view_tally")
    .addColumn("project", "integer", (c) => c.notNull())
    .addColumn("facet", "integer", (c) => c.notNull())
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("item", "integer", (c) => c.notNull())
    .addColumn("human", "integer", (c) => c.notNull())
    .addColumn("ai", "integer", (c) => c.notNull())
    .addColumn("other", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("view_tally_pk", ["project", "facet", "day", "item"])
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("journal_position")
    .addColumn("journal", "text", (c) => c.primaryKey())
    .addColumn("segment", "bigint", (c) => c.notNull())
    .addColumn("position", "bigint", (c) => c.notNull())
    .execute();
}
