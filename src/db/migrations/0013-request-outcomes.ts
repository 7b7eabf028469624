import type { Kysely } from "kysely";

// A repeated request is answered by what the first one made or changed: no longer a job alone.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("idempotency_key").renameColumn("job_id", "outcome").execute();
}
