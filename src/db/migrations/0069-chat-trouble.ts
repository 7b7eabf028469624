import type { Kysely } from "kysely";

/** Why a person's chat did not accept the last message, and when. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("person").addColumn("chat_trouble", "text").execute();
  await db.schema.alterTable("person").addColumn("chat_trouble_at", "bigint").execute();
}
