import type { Kysely } from "kysely";

// Why a host refuses a project's changes, separate from the state of polling it.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("connection").addColumn("refusal", "text").execute();
}
