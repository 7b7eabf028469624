import type { Database } from "#db/database.ts";
import type { JobId } from "#lib/ids.ts";

interface Deps {
  database: Database;
  /** Takes credentials out of what people wrote. */
  redact(text: string): string;
}

/** The instructions of a job by their number, in full. */
export async function listPrompts({ database, redact }: Deps, jobId: JobId): Promise<Map<number, string>> {
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["seq", "prompt"])
    .where("job_id", "=", jobId)
    .orderBy("seq")
    .execute();
  return new Map(rows.map((row) => [row.seq, redact(row.prompt)]));
}

/** The first instruction of each job, for lists that name jobs without a title yet. */
export async function firstPrompts({ database, redact }: Deps, jobIds: readonly JobId[]): Promise<Map<JobId, string>> {
  if (jobIds.length === 0) return new Map();
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["job_id", "prompt"])
    .where("job_id", "in", jobIds)
    .where("seq", "=", 1)
    .execute();
  return new Map(rows.map((row) => [row.job_id, redact(row.prompt)]));
}
