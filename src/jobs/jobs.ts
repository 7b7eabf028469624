import type { Database } from "#db/database.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Job, JobPullRequest } from "./job.ts";
import { jobFromRow } from "./job-rows.ts";

/** One job of a project; null when there is none, or when it is another project's. */
export async function findJob(
  { database }: { database: Database },
  { projectId, jobId }: { projectId: ProjectId; jobId: JobId },
): Promise<Job | null> {
  const row = await database.kysely
    .selectFrom("job")
    .selectAll()
    .where("id", "=", jobId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row ? jobFromRow(row) : null;
}

/** A job by its id alone, for commands on the machine itself. */
export async function findAnyJob({ database }: { database: Database }, jobId: JobId): Promise<Job | null> {
  const row = await database.kysely.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirst();
  return row ? jobFromRow(row) : null;
}

/**
 * A job with its pull request as `look` finds it now: people merge and close. Only an open one can have changed behind
 * our back; null from `look` = it cannot be told.
 */
export async function withCurrentPullRequest(
  job: Job,
  look: (number: number) => Promise<Pick<JobPullRequest, "state" | "draft"> | null>,
): Promise<Job> {
  if (job.pullRequest?.state !== "open") return job;
  const current = await look(job.pullRequest.number);
  if (!current) return job;
  return { ...job, pullRequest: { ...job.pullRequest, state: current.state, draft: current.draft } };
}
