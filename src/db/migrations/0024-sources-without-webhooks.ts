import type { Kysely } from "kysely";

// Sources are looked at in turn; no webhook of theirs was ever read.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("source").dropColumn("sealed_webhook_secret").execute();
  await db.schema.alterTable("source").dropColumn("webhook_at").execute();
}
