import type { Kysely } from "kysely";

/** What a webhook's requests contain: the event, or a message for a chat. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("webhook_endpoint")
    .addColumn("format", "text", (c) => c.notNull().defaultTo("standard"))
    .execute();
}
