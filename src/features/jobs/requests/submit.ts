import type { CommonEffort } from "#models/settings.ts";
import type { Asker } from "#features/keys/actor.ts";
import { type RateLimitState, countCall } from "#kit/limits/rate-limit.ts";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { CalledChore } from "#agent/toolbox/chore-calls.ts";
import { choresText, readChores, REDACTED_CHORES, wereRedacted } from "#features/jobs/stored-chores.ts";
import { type Attachment, insertAttachments, readAttachments } from "#features/jobs/attachments.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import { createMeasure } from "#lib/measure.ts";
import { type JobId, newJobId, type ProjectId } from "#lib/ids.ts";
import { claimKey, type IdempotencyKey } from "#kit/http/request-outcomes.ts";
import type { Job } from "#features/jobs/job.ts";
import { refuseArchived } from "#features/projects/archived.ts";
import { jobFromRow, type JobRow } from "#features/jobs/job-rows.ts";
import { type JobName, lockJob } from "#features/jobs/jobs.ts";
import { countNewJob } from "./job-quota.ts";
import { refuseChoreCredentials } from "./refuse-chore-credentials.ts";
import { accept, followUp, type NewJob } from "#features/jobs/transitions/by-callers.ts";

export interface SubmitDeps {
  database: Database;
  clock: Clock;
  /** Encrypts chores that contain a credential. */
  vault: KeyVault;
  agentCallsPerHour: number;
  /** The quota of projects without a quota of their own; absent or null = no quota. */
  jobsPerDay?: number | null;
  /** Redacts events that have no text by people. */
  redact(text: string): string;
  /** Redacts credentials in texts by people of a project, including the project's own keys. */
  redactFor(queryable: Queryable, projectId: ProjectId): Promise<Redact>;
}

interface MessageText {
  prompt: string;
  /** Carried out without a model. */
  chores?: readonly CalledChore[] | null;
  /** Who sends it; absent for the server itself. */
  askedBy?: Asker | null;
  /** How long the model thinks from this message on; absent: as before. */
  effort?: CommonEffort | null;
  /** Images attached to the prompt. */
  attachments?: readonly Attachment[];
}

/** Messages that were accepted. */
export const messagesAccepted = createMeasure<{ projectId: ProjectId; jobId: JobId; seq: number }>("message accepted");

/** Wakes workers and readers of a job after the transaction that accepted a message. */
export function announceMessage(
  { wakeUp }: Pick<Database, "wakeUp">,
  message: { projectId: ProjectId; jobId: JobId; seq: number },
): void {
  messagesAccepted.publish(message);
  wakeUp.notify("job", message.jobId);
  wakeUp.notify("job_event", message.jobId);
}

/** What `announceMessage` needs of a job whose message was accepted last. */
export const lastMessage = ({ projectId, id, messageCount }: Job) => ({ projectId, jobId: id, seq: messageCount });

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
  announceMessage(deps.database, lastMessage(submitted.job));
  return submitted;
}

/** `createJob` as a part of the caller's transaction; `announceMessage` after its commit. */
export async function insertJob(
  transaction: DatabaseTransaction,
  deps: SubmitDeps,
  request: NewJob & { id: JobId; now: Date },
): Promise<Submitted> {
  return submit(transaction, deps, request, async (redact) => {
    await countNewJob(transaction, { database: deps.database, jobsPerDay: deps.jobsPerDay ?? null }, request);
    return accept(transaction, { ...deps, redact }, { ...request, at: request.now.getTime() });
  });
}

/**
 * Adds a follow-up message, which makes a completed or failed job active again. The outcome of its key is the job's id.
 * `AppError conflict` for an archived job, `not_found`, `rate_limited`, `idempotency_mismatch`.
 */
export function addMessage(
  deps: SubmitDeps,
  { prompt, chores = null, askedBy = null, effort = null, attachments = [], ...name }: JobName & MessageText,
  idempotency: IdempotencyKey | null = null,
): Promise<Submitted> {
  return send(deps, name, { idempotency, textIn: async () => ({ prompt, chores, askedBy, effort, attachments }) });
}

/**
 * Sends the last message of a job again after it failed or was refused. The outcome of its key is the job's id.
 * `AppError conflict` for a job whose last message did not fail, and what `addMessage` throws.
 */
export function retryJob(
  deps: SubmitDeps,
  name: JobName,
  idempotency: IdempotencyKey | null = null,
): Promise<Submitted> {
  return send(deps, name, { idempotency, textIn: (transaction) => lastText(transaction, deps, name) });
}

/** `retryJob` as a part of the caller's transaction; `announceMessage` after its commit. */
export async function retryIn(
  transaction: DatabaseTransaction,
  deps: SubmitDeps,
  { now, ...name }: JobName & { now: Date },
): Promise<Submitted> {
  return insertMessage(transaction, deps, { ...name, ...(await lastText(transaction, deps, name)), now });
}

async function lastText(transaction: DatabaseTransaction, deps: SubmitDeps, name: JobName): Promise<MessageText> {
  const { status, refusal, messageCount } = jobFromRow(await lockJob(transaction, deps.database, name));
  if (status !== "failed" && !(status === "completed" && refusal)) {
    const state = status === "archived" ? "archived: unarchive it first" : status;
    throw new AppError("conflict", `Only a job whose last message failed can be retried. This one is ${state}.`);
  }
  const last = transaction.selectFrom("job_message").select(["prompt", "chores"]).where("job_id", "=", name.jobId);
  const { prompt, chores } = await last.where("seq", "=", messageCount).executeTakeFirstOrThrow();
  if (wereRedacted(chores)) throw new AppError("conflict", REDACTED_CHORES);
  const attachments = await readAttachments(transaction, { jobId: name.jobId, seq: messageCount });
  return { prompt, chores: readChores(deps.vault, { jobId: name.jobId, seq: messageCount }, chores), attachments };
}

async function send(
  deps: SubmitDeps,
  name: JobName,
  message: { idempotency: IdempotencyKey | null; textIn(transaction: DatabaseTransaction): Promise<MessageText> },
): Promise<Submitted> {
  const now = deps.clock.now();
  const { jobId } = name;
  const submitted = await deps.database.transaction(async (transaction) => {
    await claimKey(transaction, message.idempotency, { outcome: jobId, at: now.getTime() });
    return insertMessage(transaction, deps, { ...name, ...(await message.textIn(transaction)), now });
  });
  announceMessage(deps.database, lastMessage(submitted.job));
  return submitted;
}

/** `addMessage` as a part of the caller's transaction; `announceMessage` after its commit. */
export async function insertMessage(
  transaction: DatabaseTransaction,
  deps: SubmitDeps,
  message: JobName & MessageText & { now: Date },
): Promise<Submitted> {
  return submit(transaction, deps, message, async (redact) => {
    // Locked, so that concurrent messages of one job get different numbers.
    const row = await lockJob(transaction, deps.database, message);
    if (row.status === "archived") {
      const way =
        row.transcript_deleted_at === null
          ? "Unarchive it before you send a message."
          : "Its transcript was deleted, so it cannot continue. Create a new job.";
      throw new AppError("conflict", `This job is archived. ${way}`);
    }
    return followUp(transaction, { ...deps, redact }, row, { ...message, at: message.now.getTime() });
  });
}

/** Counts the call and stores the message. Its number is the `msg_seq` of the row that `write` returns. */
async function submit(
  transaction: DatabaseTransaction,
  { agentCallsPerHour, redactFor, vault }: SubmitDeps,
  {
    projectId,
    prompt,
    chores = null,
    askedBy = null,
    attachments = [],
    now,
  }: MessageText & { projectId: ProjectId; now: Date },
  write: (redact: (text: string) => string) => Promise<JobRow>,
): Promise<Submitted> {
  await refuseArchived(transaction, projectId);
  const rateLimit = await countCall(transaction, { projectId, bucket: "agent", limit: agentCallsPerHour, now });
  const redact = await redactFor(transaction, projectId);
  if (chores) refuseChoreCredentials(redact, chores);
  const row = await write(redact);
  await transaction
    .insertInto("job_message")
    // Credentials are redacted before they are stored, so that a copy of the database reveals none.
    .values({
      job_id: row.id,
      seq: row.msg_seq,
      prompt: redact(prompt),
      chores: chores && choresText({ vault, redact }, { jobId: row.id, seq: row.msg_seq }, chores),
      asked_by: askedBy?.name ?? null,
      asked_by_email: askedBy?.email ?? null,
      created_at: now.getTime(),
    })
    .execute();
  await insertAttachments(transaction, { jobId: row.id, seq: row.msg_seq }, attachments);
  return { job: jobFromRow(row), rateLimit };
}
