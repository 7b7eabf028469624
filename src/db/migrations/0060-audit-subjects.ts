import type { Kysely } from "kysely";

/** Name of an audit log entry's subject, such as a key or a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("audit_event").addColumn("subject", "text").execute();
}
