import type { Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId } from "#lib/ids.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import { type Job, jobError } from "#features/jobs/job.ts";
import { jobFromRow, type JobRow } from "#features/jobs/job-rows.ts";
import { type JobName, lockJob } from "#features/jobs/jobs.ts";
import { isLeased } from "#features/jobs/queue/queue.ts";
import { askToCancel, cancel } from "#features/jobs/transitions/by-callers.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";

/**
 * Requests the end of a job's work. A queued job fails immediately, a running one within two seconds, when its worker
 * notices. With `keepWork`, the work of the current turn is published first, as for any turn that ends early.
 * `AppError conflict` when the job is not active, `not_found`.
 */
export async function cancelJob(
  deps: TransitionDeps,
  { projectId, jobId, keepWork = false }: JobName & { keepWork?: boolean },
  idempotency: IdempotencyKey | null = null,
): Promise<Job> {
  const { database, clock } = deps;
  const at = clock.now().getTime();
  const job = await database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: jobId, at });
    const row = await lockJob(transaction, database, { projectId, jobId });
    if (row.status !== "active")
      throw new AppError("conflict", `This job is ${row.status}; only an active job can be cancelled.`);
    const isRunning = await isLeased(transaction, { database, clock }, jobId);
    // Only a worker can publish, so a job that waits between two attempts is claimed again.
    if (isRunning || (keepWork && (await hasWork(transaction, row)))) {
      return askToCancel(transaction, { database, clock }, row, { at, keepWork, isDue: !isRunning });
    }
    return cancel(transaction, deps, row, { at, error: jobError("cancelled", "The job was cancelled.") });
  });
  database.wakeUp.notify("job", jobId);
  database.wakeUp.notify("job_event", jobId);
  if (job.status === "failed") database.wakeUp.notify("outbox");
  return jobFromRow(job);
}

/** Whether the current turn of a job has a stored step with changed files. */
async function hasWork(queryable: Queryable, { id, done_seq }: JobRow): Promise<boolean> {
  const row = await queryable
    .selectFrom("job_step")
    .select("step")
    .where("job_id", "=", id)
    .where("turn", "=", done_seq + 1)
    .where("tree", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the work of a cancelled job is to be published. */
export async function keepsWork({ database }: Pick<TransitionDeps, "database">, jobId: JobId): Promise<boolean> {
  const query = database.kysely.selectFrom("job").select("cancel_keeps_work").where("id", "=", jobId);
  return (await query.executeTakeFirst())?.cancel_keeps_work === 1;
}

/** The last message that was accepted before a cancellation; 0 without one. Later messages are still handled. */
export async function lastCancelled(
  queryable: Queryable,
  job: Pick<JobRow, "id" | "cancel_requested_at">,
): Promise<number> {
  if (job.cancel_requested_at === null) return 0;
  const row = await queryable
    .selectFrom("job_message")
    .select((expression) => expression.fn.max("seq").as("seq"))
    .where("job_id", "=", job.id)
    .where("created_at", "<=", job.cancel_requested_at)
    .executeTakeFirst();
  return row?.seq ?? 0;
}
