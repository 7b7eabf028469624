import { type Kysely, sql } from "kysely";

/**
 * Accounts of people, their roles in projects, invitations, and sessions that belong to a key or to a person. SQLite
 * drops a "not null" only with a new table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("person")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull().unique())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("password_hash", "text")
    .addColumn("is_owner", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("project_member")
    .addColumn("project_id", "text", (c) => c.notNull().references("project.id").onDelete("cascade"))
    .addColumn("person_id", "text", (c) => c.notNull().references("person.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("by_group", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("project_member_pk", ["project_id", "person_id"])
    .execute();
  await db.schema.createIndex("project_member_by_person").on("project_member").column("person_id").execute();
  await db.schema
    .createTable("person_identity")
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("person_id", "text", (c) => c.notNull().references("person.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("person_identity_pk", ["issuer", "subject"])
    .execute();
  await db.schema.createIndex("person_identity_by_person").on("person_identity").column("person_id").execute();
  await db.schema
    .createTable("invitation")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("hash", "text", (c) => c.notNull().unique())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("is_owner", "integer", (c) => c.notNull())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("role", "text")
    .addColumn("invited_by", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("invitation_by_project").on("invitation").columns(["project_id", "id"]).execute();
  await db.schema
    .createTable("audit_event")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("actor_kind", "text", (c) => c.notNull())
    .addColumn("actor_id", "text", (c) => c.notNull())
    .addColumn("actor_name", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("target", "text", (c) => c.notNull())
    .addColumn("address", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("audit_event_by_project").on("audit_event").columns(["project_id", "id"]).execute();

  await db.schema.alterTable("job_message").addColumn("asked_by", "text").execute();
  await db.schema.alterTable("job_message").addColumn("asked_by_email", "text").execute();

  // A personal access token is a key of a person. SQLite can add a column with a reference without a new table.
  await sql`alter table api_key add column person_id text references person (id) on delete cascade`.execute(db);
  await db.schema.createIndex("api_key_by_person").on("api_key").column("person_id").execute();

  await db.schema
    .createTable("session_new")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("project_id", "text", (c) => c.references("project.id").onDelete("cascade"))
    .addColumn("key_id", "text", (c) => c.references("api_key.id").onDelete("cascade"))
    .addColumn("person_id", "text", (c) => c.references("person.id").onDelete("cascade"))
    .addColumn("address", "text")
    .addColumn("browser", "text")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("last_seen_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into session_new (hash, project_id, key_id, created_at, last_seen_at, expires_at)
    select hash, project_id, key_id, created_at, last_seen_at, expires_at from session`.execute(db);
  await db.schema.dropTable("session").execute();
  await db.schema.alterTable("session_new").renameTo("session").execute();
  await db.schema.createIndex("session_by_key").on("session").columns(["key_id", "created_at"]).execute();
  await db.schema.createIndex("session_by_person").on("session").columns(["person_id", "created_at"]).execute();
  await db.schema.createIndex("session_by_expiry").on("session").column("expires_at").execute();
}
