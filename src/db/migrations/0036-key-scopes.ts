import type { Kysely } from "kysely";

// Keys from before could do everything, and still can.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_key")
    .addColumn("scope", "text", (c) => c.notNull().defaultTo("admin"))
    .execute();
}
