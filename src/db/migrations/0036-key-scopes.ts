import type { Kysely } from "kysely";

// Existing keys keep full access.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_key")
    .addColumn("scope", "text", (c) => c.notNull().defaultTo("admin"))
    .execute();
}
