import { type Kysely, sql } from "kysely";

// GitHub apps registered for this server, and connections that use an app's installation instead of a token. SQLite
// cannot make a column nullable, so a new column replaces the old one.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("github_app")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("number", "text", (c) => c.notNull())
    .addColumn("slug", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("owner", "text", (c) => c.notNull())
    .addColumn("sealed_private_key", "text", (c) => c.notNull())
    .addColumn("sealed_webhook_secret", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.alterTable("connection").addColumn("token_or_null", "text").execute();
  await sql`update connection set token_or_null = sealed_token`.execute(db);
  await db.schema.alterTable("connection").dropColumn("sealed_token").execute();
  await db.schema.alterTable("connection").renameColumn("token_or_null", "sealed_token").execute();
  await db.schema
    .alterTable("connection")
    .addColumn("app_id", "text", (c) => c.references("github_app.id"))
    .execute();
  await db.schema.alterTable("connection").addColumn("installation_id", "text").execute();
  await db.schema.createIndex("connection_by_app").on("connection").columns(["app_id", "remote_id"]).execute();
}
