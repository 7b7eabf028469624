import type { Kysely } from "kysely";

// A repeated request is answered with whatever the first one created or changed, no longer only a job.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("idempotency_key").renameColumn("job_id", "outcome").execute();
}
