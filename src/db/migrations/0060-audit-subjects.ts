import type { Kysely } from "kysely";

/** What an entry of the audit log is about, by its name: a key, a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("audit_event").addColumn("subject", "text").execute();
}
