import { type RateLimitState, countCall } from "#accounts/rate-limit.ts";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { type JobId, newJobId, type ProjectId } from "#lib/ids.ts";
import { claimKey, type IdempotencyKey } from "#jobs/idempotency.ts";
import type { Job } from "#jobs/job.ts";
import { jobFromRow } from "#jobs/job-rows.ts";
import { type JobName, lockJob } from "#jobs/jobs.ts";
import { accept, followUp, type NewJob } from "#jobs/transitions/by-callers.ts";

export interface SubmitDeps {
  database: Database;
  clock: Clock;
  agentCallsPerHour: number;
  /** For events without a text of anybody's. */
  redact(text: string): string;
  /** Takes credentials out of what people of a project wrote, the project's own keys among them. */
  redactFor(queryable: Queryable, projectId: ProjectId): Promise<(text: string) => string>;
}

export interface Submitted {
  job: Job;
  rateLimit: RateLimitState;
}

/**
 * Accepts a job with its first message, in one transaction. The outcome of its key is the job's id.
 * `AppError rate_limited`, `idempotency_mismatch`.
 */
export async function createJob(
  deps: SubmitDeps,
  request: NewJob,
  idempotency: IdempotencyKey | null,
): Promise<Submitted> {
  const now = deps.clock.now();
  const id = newJobId(now);
  const submitted = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: id, at: now.getTime() });
    return insertJob(transaction, deps, { ...request, id, now });
  });
  deps.database.wakeUp.notify("job", submitted.job.id);
  return submitted;
}

/** `createJob` as a part of the caller's transaction; notify `job` after its commit. */
export async function insertJob(
  transaction: DatabaseTransaction,
  { database, clock, agentCallsPerHour, redactFor }: SubmitDeps,
  request: NewJob & { id: JobId; now: Date },
): Promise<Submitted> {
  const { id, now } = request;
  const at = now.getTime();
  const rateLimit = await countCall(transaction, {
    projectId: request.projectId,
    bucket: "agent",
    limit: agentCallsPerHour,
    now,
  });
  const redact = await redactFor(transaction, request.projectId);
  const row = await accept(transaction, { database, clock, redact }, { ...request, at });
  await transaction
    .insertInto("job_message")
    .values({ job_id: id, seq: 1, prompt: request.prompt, created_at: at })
    .execute();
  return { job: jobFromRow(row), rateLimit };
}

/**
 * Adds a follow-up message, which wakes a completed or failed job. The outcome of its key is the job's id.
 * `AppError conflict` for an archived job, `not_found`, `rate_limited`, `idempotency_mismatch`.
 */
export async function addMessage(
  deps: SubmitDeps,
  message: JobName & { prompt: string },
  idempotency: IdempotencyKey | null = null,
): Promise<Submitted> {
  const now = deps.clock.now();
  const { jobId } = message;
  const submitted = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, idempotency, { outcome: jobId, at: now.getTime() });
    return insertMessage(transaction, deps, { ...message, now });
  });
  deps.database.wakeUp.notify("job", message.jobId);
  deps.database.wakeUp.notify("job_event", message.jobId);
  return submitted;
}

/** `addMessage` as a part of the caller's transaction; notify `job` and `job_event` after its commit. */
export async function insertMessage(
  transaction: DatabaseTransaction,
  { database, clock, agentCallsPerHour, redactFor }: SubmitDeps,
  message: JobName & { prompt: string; now: Date },
): Promise<Submitted> {
  const { projectId, prompt, now } = message;
  const at = now.getTime();
  const rateLimit = await countCall(transaction, {
    projectId,
    bucket: "agent",
    limit: agentCallsPerHour,
    now,
  });
  // Locked, so that messages of one job get their numbers one after another.
  const before = await lockJob(transaction, database, message);
  if (before.status === "archived") {
    throw new AppError("conflict", "This job is archived. Unarchive it before you send a message.");
  }
  const redact = await redactFor(transaction, projectId);
  const row = await followUp(transaction, { database, clock, redact }, before, { at, prompt });
  await transaction
    .insertInto("job_message")
    .values({ job_id: row.id, seq: row.msg_seq, prompt, created_at: at })
    .execute();
  return { job: jobFromRow(row), rateLimit };
}
