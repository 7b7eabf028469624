import type { Kysely } from "kysely";

// Sources are polled; their webhooks were never read.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("source").dropColumn("sealed_webhook_secret").execute();
  await db.schema.alterTable("source").dropColumn("webhook_at").execute();
}
