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

/** The first instruction of each job of a project, for lists that name jobs without a title yet. */
export async function firstPrompts(
  { database, redactFor }: Deps,
  { projectId, jobIds }: { projectId: Job["projectId"]; jobIds: readonly JobId[] },
): Promise<Map<JobId, string>> {
  if (jobIds.length === 0) return new Map();
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["job_id", "prompt"])
    .where("job_id", "in", jobIds)
    .where("seq", "=", 1)
    .execute();
  const redact = await redactFor(database.kysely, projectId);
  return new Map(rows.map((row) => [row.job_id, redact(row.prompt)]));
}
