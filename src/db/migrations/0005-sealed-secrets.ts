import { type Kysely, sql } from "kysely";

// The store no longer contains usable secrets: sessions are rows with a hash, and visitor secrets are sealed with a key
// outside the store (at server start, because a migration has no key). Their column is renamed so that an older server
// that is still running does not count with the sealed text.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table instance_secret rename to instance_value`.execute(db);
  await sql`delete from instance_value`.execute(db);
  await sql`alter table visitor_secret rename column secret to sealed`.execute(db);
  await db.schema
    .createTable("session")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("key_id", "text", (c) => c.notNull().references("api_key.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("session_by_key").on("session").columns(["key_id", "created_at"]).execute();
  await db.schema.createIndex("session_by_expiry").on("session").column("expires_at").execute();
}
