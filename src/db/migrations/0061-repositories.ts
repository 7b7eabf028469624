import { type Kysely, SqliteAdapter, sql } from "kysely";

/**
 * Repositories for nodes that share no disk: references, and objects in git packs. A repository is stored before the
 * row of its project, and sources have repositories too, so the id references neither table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const bytes = isSqlite ? sql`blob` : sql`bytea`;
  // References are compared by their bytes, as git does.
  const name = isSqlite ? sql`text` : sql`text collate "C"`;
  await db.schema
    .createTable("repository")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("head", "text", (c) => c.notNull())
    .addColumn("blobs", "text", (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("packs", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("repository_reference")
    .addColumn("repository_id", "text", (c) => c.notNull().references("repository.id").onDelete("cascade"))
    .addColumn("name", name, (c) => c.notNull())
    .addColumn("object_id", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("repository_reference_pk", ["repository_id", "name"])
    .execute();
  await db.schema
    .createTable("repository_pack")
    .addColumn("repository_id", "text", (c) => c.notNull().references("repository.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("size_bytes", "bigint", (c) => c.notNull())
    .addColumn("index_bytes", "bigint", (c) => c.notNull())
    .addColumn("is_partial", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("repository_pack_pk", ["repository_id", "name"])
    .execute();
  await db.schema
    .createTable("repository_pack_chunk")
    .addColumn("repository_id", "text", (c) => c.notNull())
    .addColumn("pack", "text", (c) => c.notNull())
    .addColumn("number", "integer", (c) => c.notNull())
    .addColumn("content", bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("repository_pack_chunk_pk", ["repository_id", "pack", "number"])
    .addForeignKeyConstraint(
      "repository_pack_chunk_pack",
      ["repository_id", "pack"],
      "repository_pack",
      ["repository_id", "name"],
      (constraint) => constraint.onDelete("cascade"),
    )
    .execute();
  // A pack is already compressed: PostgreSQL would try in vain.
  if (!isSqlite) await sql`alter table repository_pack_chunk alter column content set storage external`.execute(db);
}
