import type { Kysely } from "kysely";

// Null: unverified and spoofed views have never been reclassified.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("analytics_project").addColumn("judged_by", "text").execute();
}
