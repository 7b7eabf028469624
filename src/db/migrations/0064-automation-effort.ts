import type { Kysely } from "kysely";

/** How long the model thinks in the jobs of an automation. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("automation").addColumn("effort", "text").execute();
}
