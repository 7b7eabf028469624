import { type RateLimitState, countCall } from "#accounts/rate-limit.ts";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { type JobId, newJobId, type ProjectId } from "#lib/ids.ts";
import { appendEvents, type JobEventData } from "#jobs/events.ts";
import { claimKey, type IdempotencyKey } from "#jobs/idempotency.ts";
import type { Job } from "#jobs/job.ts";
import { jobFromRow } from "#jobs/job-rows.ts";
import { databaseNow } from "#jobs/queue/queue.ts";

export interface SubmitDeps {
  database: Database;
  clock: Clock;
  agentCallsPerHour: number;
  /** For events without a text of anybody's. */
  redact(text: string): string;
  /** Takes credentials out of what people of a project wrote, the project's own keys among them. */
  redactFor(queryable: Queryable, projectId: ProjectId): Promise<(text: string) => string>;
}

export interface NewJob {
  projectId: ProjectId;
  prompt: string;
  model: string;
  baseRef: string;
  draft: boolean;
  title: string | null;
  automationId?: string | null;
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
  const events: JobEventData[] = [
    { type: "job.created", title: request.title, model: request.model, ref: request.baseRef },
    { type: "message.received", seq: 1, prompt: request.prompt },
  ];
  const row = await transaction
    .insertInto("job")
    .values({
      id,
      project_id: request.projectId,
      status: "active",
      phase: "queued",
      title: request.title,
      summary: null,
      error: null,
      model: request.model,
      base_ref: request.baseRef,
      branch: null,
      draft: request.draft ? 1 : 0,
      pull_request: null,
      msg_seq: 1,
      done_seq: 0,
      event_seq: events.length,
      lease_owner: null,
      lease_until: null,
      fence: 0,
      attempt: 0,
      run_after: databaseNow(database, clock),
      cancel_requested_at: null,
      cancel_keeps_work: 0,
      steps: 0,
      input_tokens: 0,
      cached_tokens: 0,
      output_tokens: 0,
      cost_micro_usd: 0,
      automation_id: request.automationId ?? null,
      revision: 1,
      created_at: at,
      updated_at: at,
      archived_at: null,
      archived_from: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto("job_message")
    .values({ job_id: id, seq: 1, prompt: request.prompt, created_at: at })
    .execute();
  const redact = await redactFor(transaction, request.projectId);
  await appendEvents(transaction, { jobId: id, lastSeq: 0, turn: 1, at, events, redact });
  return { job: jobFromRow(row), rateLimit };
}

export interface NewMessage {
  projectId: ProjectId;
  jobId: JobId;
  prompt: string;
}

/**
 * Adds a follow-up message, which wakes a completed or failed job. The outcome of its key is the job's id.
 * `AppError conflict` for an archived job, `not_found`, `rate_limited`, `idempotency_mismatch`.
 */
export async function addMessage(
  deps: SubmitDeps,
  message: NewMessage,
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
  message: NewMessage & { now: Date },
): Promise<Submitted> {
  const { now } = message;
  const at = now.getTime();
  const rateLimit = await countCall(transaction, {
    projectId: message.projectId,
    bucket: "agent",
    limit: agentCallsPerHour,
    now,
  });
  // The update locks the row, so that messages of one job get their numbers one after another.
  const row = await transaction
    .updateTable("job")
    .set((expression) => ({
      status: "active",
      phase: expression
        .case()
        .when("status", "=", "active")
        .then(expression.ref("phase"))
        .else("queued" as const)
        .end(),
      error: null,
      msg_seq: expression("msg_seq", "+", 1),
      event_seq: expression("event_seq", "+", 1),
      attempt: 0,
      run_after: databaseNow(database, clock),
      revision: expression("revision", "+", 1),
      updated_at: at,
    }))
    .where("id", "=", message.jobId)
    .where("project_id", "=", message.projectId)
    .where("status", "!=", "archived")
    .returningAll()
    .executeTakeFirst();
  if (!row) throw await missingOrArchived(transaction, message);
  await transaction
    .insertInto("job_message")
    .values({ job_id: row.id, seq: row.msg_seq, prompt: message.prompt, created_at: at })
    .execute();
  const events: JobEventData[] = [{ type: "message.received", seq: row.msg_seq, prompt: message.prompt }];
  const redact = await redactFor(transaction, message.projectId);
  await appendEvents(transaction, { jobId: row.id, lastSeq: row.event_seq - 1, turn: row.msg_seq, at, events, redact });
  return { job: jobFromRow(row), rateLimit };
}

async function missingOrArchived(
  transaction: DatabaseTransaction,
  { projectId, jobId }: { projectId: ProjectId; jobId: JobId },
): Promise<AppError> {
  const row = await transaction
    .selectFrom("job")
    .select("status")
    .where("id", "=", jobId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  if (!row) return new AppError("not_found", "There is no such job.");
  return new AppError("conflict", "This job is archived. Unarchive it before you send a message.");
}
