import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Job, JobPullRequest } from "./job.ts";
import { jobFromRow, type JobRow } from "./job-rows.ts";

export interface JobName {
  projectId: ProjectId;
  jobId: JobId;
}

/** One job of a project; null when there is none, or when it is another project's. */
export async function findJob(
  { database }: { database: Database },
  { projectId, jobId }: JobName,
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

/** A job's row, which nobody else changes until the transaction ends; null as `findJob`. */
export async function findLocked(
  transaction: DatabaseTransaction,
  database: Database,
  { projectId, jobId }: JobName,
): Promise<JobRow | null> {
  let query = transaction.selectFrom("job").selectAll().where("id", "=", jobId).where("project_id", "=", projectId);
  if (database.engine === "postgres") query = query.forUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

/** `AppError not_found`. */
export async function lockJob(transaction: DatabaseTransaction, database: Database, name: JobName): Promise<JobRow> {
  const row = await findLocked(transaction, database, name);
  if (!row) throw new AppError("not_found", "There is no such job.");
  return row;
}
