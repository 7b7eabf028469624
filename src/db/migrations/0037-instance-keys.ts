import { type Kysely, sql } from "kysely";

// A key may belong to the instance instead of a project, and be limited to addresses; the same holds for its sessions
// and idempotency keys. SQLite drops "not null" only with a new table: sessions are copied before their keys.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("api_key_new")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("hint", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("expires_at", "bigint")
    .addColumn("revoked_at", "bigint")
    .addColumn("scope", "text", (c) => c.notNull().defaultTo("admin"))
    .addColumn("allowed_addresses", "text")
    .execute();
  await sql`insert into api_key_new (id, project_id, name, hash, hint, created_at, last_used_at, expires_at, revoked_at, scope)
    select id, project_id, name, hash, hint, created_at, last_used_at, expires_at, revoked_at, scope from api_key`.execute(
    db,
  );
  await db.schema
    .createTable("session_new")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("key_id", "text", (c) => c.notNull().references("api_key_new.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into session_new (hash, project_id, key_id, created_at, last_seen_at, expires_at)
    select hash, project_id, key_id, created_at, last_seen_at, expires_at from session`.execute(db);
  await db.schema.dropTable("session").execute();
  await db.schema.dropTable("api_key").execute();
  await db.schema.alterTable("api_key_new").renameTo("api_key").execute();
  await db.schema.alterTable("session_new").renameTo("session").execute();
  await db.schema.createIndex("session_by_key").on("session").columns(["key_id", "created_at"]).execute();
  await db.schema.createIndex("session_by_expiry").on("session").column("expires_at").execute();

  await db.schema
    .createTable("idempotency_key_new")
    .addColumn("owner", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("body_hash", "text", (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("idempotency_key_of_owner_pk", ["owner", "key"])
    .execute();
  await sql`insert into idempotency_key_new (owner, key, project_id, body_hash, outcome, created_at)
    select project_id, key, project_id, body_hash, outcome, created_at from idempotency_key`.execute(db);
  await db.schema.dropTable("idempotency_key").execute();
  await db.schema.alterTable("idempotency_key_new").renameTo("idempotency_key").execute();
}
