import type { Kysely } from "kysely";

// Why a follow-up that left its job unchanged was refused.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("job").addColumn("refusal", "text").execute();
}
