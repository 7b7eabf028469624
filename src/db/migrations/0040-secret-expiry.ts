import type { Kysely } from "kysely";

// Null until the secret is next used or checked: existing secrets are then kept for at least another week.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("visitor_secret").addColumn("expires_at", "bigint").execute();
}
