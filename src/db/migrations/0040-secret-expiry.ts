import type { Kysely } from "kysely";

// Null until the secret is used or looked after next: what was kept so far is then kept for a week at least.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("visitor_secret").addColumn("expires_at", "bigint").execute();
}
