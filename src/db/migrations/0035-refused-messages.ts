import type { Kysely } from "kysely";

// Why a follow-up was not carried out that left its job as it was.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("refusal", "text").execute();
}
