import type { Kysely } from "kysely";

/** Authenticator apps, recovery codes and passkeys of people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("person_two_factor")
    .addColumn("person_id", "text", (c) => c.primaryKey().references("person.id").onDelete("cascade"))
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("last_step", "bigint", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("recovery_code")
    .addColumn("person_id", "text", (c) => c.notNull().references("person_two_factor.person_id").onDelete("cascade"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("recovery_code_pk", ["person_id", "hash"])
    .execute();
  await db.schema
    .createTable("passkey")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("person_id", "text", (c) => c.notNull().references("person.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("counter", "bigint", (c) => c.notNull())
    .addColumn("challenged_at", "bigint", (c) => c.notNull())
    .addColumn("last_used_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("passkey_person").on("passkey").column("person_id").execute();
}
