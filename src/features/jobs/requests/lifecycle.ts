import type { DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import { type Job, jobName } from "#features/jobs/job.ts";
import { jobFromRow, type JobRow } from "#features/jobs/job-rows.ts";
import { findLocked, type JobName, lockJob } from "#features/jobs/jobs.ts";
import { announceEvents } from "#features/jobs/outbox.ts";
import { archive, forget, remove, unarchive } from "#features/jobs/transitions/by-callers.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";

const ARCHIVED: JobEventData[] = [{ type: "job.archived" }];

/** Archives a job, which then takes no messages. Repeating it changes nothing. `AppError conflict` while active, `not_found`. */
export async function archiveJob(
  deps: TransitionDeps,
  name: JobName,
  idempotency: IdempotencyKey | null = null,
): Promise<Job> {
  const at = deps.clock.now().getTime();
  const job = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: name.jobId, at });
    const row = await lockJob(transaction, deps.database, name);
    if (row.status === "archived") return row;
    if (row.status === "active") throw stillActive("archived");
    return archive(transaction, deps, row, at);
  });
  announceEvents(deps.database, name.jobId, ARCHIVED);
  return jobFromRow(job);
}

/** Restores an archived job to its earlier status. A job that is not archived is unchanged. */
export async function unarchiveJob(
  deps: TransitionDeps,
  name: JobName,
  idempotency: IdempotencyKey | null = null,
): Promise<Job> {
  const job = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: name.jobId, at: deps.clock.now().getTime() });
    return unarchiveIn(transaction, deps, name);
  });
  deps.database.wakeUp.notify("job_event", name.jobId);
  return jobFromRow(job);
}

/** `unarchiveJob` as a part of the caller's transaction; notify `job_event` after its commit. */
export async function unarchiveIn(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  name: JobName,
): Promise<JobRow> {
  const row = await lockJob(transaction, deps.database, name);
  if (row.status !== "archived") return row;
  if (row.transcript_deleted_at !== null) {
    const day = new Date(row.transcript_deleted_at).toISOString().slice(0, 10);
    const why = `Its transcript was deleted on ${day} by the server's retention.`;
    throw new AppError("conflict", `This job stays archived. ${why} Create a new job instead.`);
  }
  return unarchive(transaction, deps, row, deps.clock.now().getTime());
}

/**
 * Removes a job with its messages, steps and transcript. Its branch and pull request stay on the code host.
 * `AppError conflict` while active, `not_found`.
 */
export async function deleteJob({ database }: Pick<TransitionDeps, "database">, name: JobName): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockJob(transaction, database, name);
    if (row.status === "active") throw stillActive("deleted");
    await remove(transaction, row);
  });
  database.wakeUp.notify("job_event", name.jobId);
}

/** Archives up to `limit` jobs without activity since `before`. Returns how many it archived. */
export async function archiveIdleJobs(
  deps: TransitionDeps,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const idle = await deps.database.kysely
    .selectFrom("job")
    .select(["id", "project_id"])
    .where("status", "in", ["completed", "failed"])
    .where("updated_at", "<=", before)
    .orderBy("updated_at")
    .limit(limit)
    .execute();
  let archived = 0;
  for (const { id, project_id: projectId } of idle) {
    const isDone = await deps.database.transaction(async (transaction) => {
      const row = await findLocked(transaction, deps.database, { projectId, jobId: id });
      if (!row || (row.status !== "completed" && row.status !== "failed") || row.updated_at > before) return false;
      await archive(transaction, deps, row, deps.clock.now().getTime());
      return true;
    });
    if (!isDone) continue; // a message, a person or another node was faster
    archived++;
    announceEvents(deps.database, id, ARCHIVED);
  }
  return archived;
}

/** Deletes the transcripts of up to `limit` jobs that were archived before a time. Returns how many jobs it found. */
export async function forgetOldTranscripts(
  { database }: Pick<TransitionDeps, "database">,
  { before, at, limit }: { before: number; at: number; limit: number },
): Promise<number> {
  const old = await database.kysely
    .selectFrom("job")
    .select(["id", "project_id"])
    .where("archived_at", "<", before)
    .where("transcript_deleted_at", "is", null)
    .where("status", "=", "archived")
    .orderBy("archived_at")
    .limit(limit)
    .execute();
  for (const { id, project_id: projectId } of old) {
    await database.transaction(async (transaction) => {
      const row = await findLocked(transaction, database, { projectId, jobId: id });
      if (!row || row.archived_at === null || row.archived_at >= before) return;
      const first = transaction.selectFrom("job_message").select("prompt").where("job_id", "=", id);
      const message = await first.where("seq", "=", 1).executeTakeFirst();
      await forget(transaction, row, { at, name: jobName(row, message?.prompt) });
    });
    database.wakeUp.notify("job_event", id);
  }
  return old.length;
}

const stillActive = (wanted: string) =>
  new AppError("conflict", `This job is active; it can be ${wanted} when it has ended. Cancel it first.`);
