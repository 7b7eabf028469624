import type { JobId } from "#lib/ids.ts";
import type { Job } from "#features/jobs/job.ts";
import type { SubmitDeps } from "./submit.ts";

type Deps = Pick<SubmitDeps, "database" | "redactFor">;

/** The full instructions of a job by number, with credentials redacted. */
export async function listPrompts(
  { database, redactFor }: Deps,
  job: Pick<Job, "id" | "projectId">,
): Promise<Map<number, string>> {
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["seq", "prompt"])
    .where("job_id", "=", job.id)
    .orderBy("seq")
    .execute();
  const redact = await redactFor(database.kysely, job.projectId);
  return new Map(rows.map((row) => [row.seq, redact(row.prompt)]));
}

/** Who sent the messages of a job, by number; without those of the server itself, such as an automation. */
export async function listAskers({ database }: Pick<Deps, "database">, jobId: JobId): Promise<Map<number, string>> {
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["seq", "asked_by"])
    .where("job_id", "=", jobId)
    .where("asked_by", "is not", null)
    .orderBy("seq")
    .execute();
  return new Map(rows.map((row) => [row.seq, row.asked_by ?? ""]));
}

/** The first instruction of each job of a project, and who sent it, for lists. */
export async function firstMessages(
  { database, redactFor }: Deps,
  { projectId, jobIds }: { projectId: Job["projectId"]; jobIds: readonly JobId[] },
): Promise<Map<JobId, { prompt: string; askedBy: string | null }>> {
  if (jobIds.length === 0) return new Map();
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["job_id", "prompt", "asked_by"])
    .where("job_id", "in", jobIds)
    .where("seq", "=", 1)
    .execute();
  const redact = await redactFor(database.kysely, projectId);
  return new Map(rows.map((row) => [row.job_id, { prompt: redact(row.prompt), askedBy: row.asked_by }]));
}
