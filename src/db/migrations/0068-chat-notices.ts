import type { Kysely } from "kysely";

/** The address of a person's chat webhook, to which their notices go instead of mail. Sealed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("person").addColumn("chat_url", "text").execute();
}
