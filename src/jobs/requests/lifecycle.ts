import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { appendEvents, type JobEventData } from "#jobs/events.ts";
import { claimKey, type IdempotencyKey } from "#jobs/idempotency.ts";
import type { Job } from "#jobs/job.ts";
import { jobFromRow, type JobRow } from "#jobs/job-rows.ts";
import { announceEvents, recordForWebhooks } from "#jobs/outbox.ts";

export interface LifecycleDeps {
  database: Database;
  clock: Clock;
  redact(text: string): string;
}

export interface JobName {
  projectId: ProjectId;
  jobId: JobId;
}

/** Puts a job away; it takes no more messages. Again changes nothing. `AppError conflict` while active, `not_found`. */
export async function archiveJob(
  deps: LifecycleDeps,
  name: JobName,
  idempotency: IdempotencyKey | null = null,
): Promise<Job> {
  const events: JobEventData[] = [];
  const job = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: name.jobId, at: deps.clock.now().getTime() });
    const row = await lockJob(transaction, deps.database, name);
    if (row.status === "archived") return row;
    if (row.status === "active") throw stillActive("archived");
    events.splice(0, events.length, { type: "job.archived" });
    return change(transaction, deps, { row, events, set: { status: "archived", archived_from: row.status } });
  });
  announceEvents(deps.database, name.jobId, events);
  return jobFromRow(job);
}

/** Brings an archived job back to the state that it was archived from. A job that is not archived stays as it is. */
export async function unarchiveJob(
  deps: LifecycleDeps,
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
  deps: LifecycleDeps,
  name: JobName,
): Promise<JobRow> {
  const row = await lockJob(transaction, deps.database, name);
  if (row.status !== "archived") return row;
  const set = { status: row.archived_from ?? "completed", archived_from: null };
  return change(transaction, deps, { row, events: [{ type: "job.unarchived" }], set });
}

/**
 * Removes a job with its messages, steps and transcript. Its branch and pull request stay on the code host.
 * `AppError conflict` while active, `not_found`.
 */
export async function deleteJob({ database }: Pick<LifecycleDeps, "database">, name: JobName): Promise<void> {
  await database.transaction(async (transaction) => {
    const row = await lockJob(transaction, database, name);
    if (row.status === "active") throw stillActive("deleted");
    await transaction.deleteFrom("job").where("id", "=", name.jobId).execute();
  });
  database.wakeUp.notify("job_event", name.jobId);
}

/** Archives up to `limit` jobs in which nothing happened since `before`; answers with how many there were. */
export async function archiveIdleJobs(
  deps: LifecycleDeps,
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
    const events: JobEventData[] = [{ type: "job.archived" }];
    const isDone = await deps.database.transaction(async (transaction) => {
      const row = await findLocked(transaction, deps.database, { projectId, jobId: id });
      if (!row || (row.status !== "completed" && row.status !== "failed") || row.updated_at > before) return false;
      await change(transaction, deps, { row, events, set: { status: "archived", archived_from: row.status } });
      return true;
    });
    if (!isDone) continue; // a message, a person or another node was faster
    archived++;
    announceEvents(deps.database, id, events);
  }
  return archived;
}

async function findLocked(transaction: DatabaseTransaction, database: Database, name: JobName): Promise<JobRow | null> {
  let query = transaction
    .selectFrom("job")
    .selectAll()
    .where("id", "=", name.jobId)
    .where("project_id", "=", name.projectId);
  if (database.engine === "postgres") query = query.forUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

async function lockJob(transaction: DatabaseTransaction, database: Database, name: JobName): Promise<JobRow> {
  const row = await findLocked(transaction, database, name);
  if (!row) throw new AppError("not_found", "There is no such job.");
  return row;
}

async function change(
  transaction: DatabaseTransaction,
  { database, clock, redact }: LifecycleDeps,
  options: { row: JobRow; events: JobEventData[]; set: Pick<JobRow, "status" | "archived_from"> },
): Promise<JobRow> {
  const { row, events } = options;
  const at = clock.now().getTime();
  const eventSeq = await appendEvents(transaction, {
    jobId: row.id,
    lastSeq: row.event_seq,
    turn: row.done_seq,
    at,
    events,
    redact,
  });
  const job = await transaction
    .updateTable("job")
    .set({
      ...options.set,
      archived_at: options.set.status === "archived" ? at : null,
      event_seq: eventSeq,
      revision: row.revision + 1,
      updated_at: at,
    })
    .where("id", "=", row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordForWebhooks(transaction, { database, job, events, at });
  return job;
}

const stillActive = (wanted: string) =>
  new AppError("conflict", `This job is active; it can be ${wanted} when it has ended. Cancel it first.`);
