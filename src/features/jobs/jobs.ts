import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Job, JobPullRequest } from "./job.ts";
import { jobFromRow, type JobRow } from "./job-rows.ts";

export interface JobName {
  projectId: ProjectId;
  jobId: JobId;
}

/** One job of a project; null when it does not exist or belongs to another project. */
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

/** A job by its id alone, for commands that run on the server's machine. */
export async function findAnyJob({ database }: { database: Database }, jobId: JobId): Promise<Job | null> {
  const row = await database.kysely.selectFrom("job").selectAll().where("id", "=", jobId).executeTakeFirst();
  return row ? jobFromRow(row) : null;
}

/**
 * A job with the current state of its pull request, as `look` returns it: people merge and close pull requests, and only
 * an open one can have changed. `look` returns null when the state is unknown.
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

/** Reads a job's row and locks it until the transaction ends; null as in `findJob`. */
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
