import type { Kysely } from "kysely";

// What a host has against the changes of a project, beside how looking at it goes.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("connection").addColumn("refusal", "text").execute();
}
