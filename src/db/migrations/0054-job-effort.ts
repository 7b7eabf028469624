import type { Kysely } from "kysely";

/** How long the model of a job thinks, if its caller sets it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("effort", "text").execute();
}
