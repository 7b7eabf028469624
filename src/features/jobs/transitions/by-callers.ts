import type { CommonEffort } from "#models/settings.ts";
import type { Asker } from "#features/keys/actor.ts";
import type { DatabaseTransaction } from "#db/database.ts";
import { type CalledChore, entryOf } from "#agent/toolbox/chore-calls.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { Attachment } from "#features/jobs/attachments.ts";
import { appendEvents, type JobEventData } from "#features/jobs/events.ts";
import type { JobError, JobPullRequest } from "#features/jobs/job.ts";
import type { JobRow } from "#features/jobs/job-rows.ts";
import {
  change,
  type ChangeRecord,
  type TransitionDeps,
  type Columns,
  type StoreDeps,
  UNHELD,
  databaseNow,
} from "./change.ts";
import { mayStart } from "./job-states.ts";

export interface NewJob {
  projectId: ProjectId;
  prompt: string;
  /** Carried out without a model. The prompt then only explains them to people. */
  chores?: readonly CalledChore[] | null;
  model: string;
  baseRef: string;
  draft: boolean;
  /** Nothing is published. */
  dryRun?: boolean;
  title: string | null;
  /** How long the model thinks; absent = as the settings of the project or model say. */
  effort?: CommonEffort | null;
  /** Images attached to the prompt. */
  attachments?: readonly Attachment[];
  /** Who creates it; absent for the server itself. */
  askedBy?: Asker | null;
  automationId?: string | null;
}

/** Inserts a job. The caller stores its first message. */
export async function accept(
  transaction: DatabaseTransaction,
  { database, clock, redact }: TransitionDeps,
  { id, at, ...request }: NewJob & { id: JobId; at: number },
): Promise<JobRow> {
  const { model, baseRef } = request;
  const title = request.title && redact(request.title);
  const events: JobEventData[] = [{ type: "job.created", title, model, ref: baseRef }, received(1, request)];
  const row = await transaction
    .insertInto("job")
    .values({
      id,
      project_id: request.projectId,
      status: "active",
      phase: "queued",
      title,
      summary: null,
      error: null,
      refusal: null,
      changed: 0,
      question: null,
      model,
      base_ref: baseRef,
      branch: null,
      draft: request.draft ? 1 : 0,
      dry_run: request.dryRun ? 1 : 0,
      effort: request.effort ?? null,
      pull_request: null,
      msg_seq: 1,
      done_seq: 0,
      event_seq: events.length,
      ...UNHELD,
      fence: 0,
      run_after: databaseNow(database, clock),
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
  await appendEvents(transaction, { jobId: id, lastSeq: 0, turn: 1, at, events, redact });
  return row;
}

interface Message {
  prompt: string;
  chores?: readonly CalledChore[] | null;
  askedBy?: Asker | null;
  effort?: CommonEffort | null;
  attachments?: readonly Attachment[];
}

const received = (seq: number, { prompt, chores, askedBy, attachments = [] }: Message): JobEventData => ({
  type: "message.received",
  seq,
  prompt,
  ...(askedBy?.email && { by: askedBy.name }),
  ...(chores && { chores: chores.map(entryOf) }),
  ...(attachments.length > 0 && {
    attachments: attachments.map(({ mediaType, content }) => ({ mediaType, sizeBytes: content.length })),
  }),
});

/** Adds a message, whose number is the `msg_seq` of the returned row. The caller stores the message. */
export async function followUp(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  { at, ...message }: { at: number } & Message,
): Promise<JobRow> {
  const seq = row.msg_seq + 1;
  const events: JobEventData[] = [received(seq, message)];
  const set: Columns = {
    status: "active",
    phase: row.status === "active" ? row.phase : "queued",
    error: null,
    refusal: null,
    msg_seq: seq,
    ...(message.effort && { effort: message.effort }),
    attempt: 0,
    run_after: databaseNow(deps.database, deps.clock),
  };
  return change(transaction, deps, row, { transition: "followUp", at, turn: seq, events, set });
}

/** Records that cancellation was requested. `isDue`: a worker must claim the waiting job now to publish its work. */
export function askToCancel(
  transaction: DatabaseTransaction,
  { database, clock }: StoreDeps,
  row: JobRow,
  { at, keepWork, isDue }: { at: number; keepWork: boolean; isDue: boolean },
): Promise<JobRow> {
  return transaction
    .updateTable("job")
    .set({ cancel_requested_at: at, cancel_keeps_work: keepWork ? 1 : 0 })
    .$if(isDue, (update) => update.set({ run_after: databaseNow(database, clock) }))
    .where("id", "=", row.id)
    .where(mayStart("askToCancel"))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends a job that no worker holds, with all its messages. */
export function cancel(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  { at, error }: { at: number; error: JobError },
): Promise<JobRow> {
  const record: ChangeRecord = { at, turn: row.done_seq + 1, events: [{ type: "job.failed", error }] };
  const set: Columns = {
    ...UNHELD,
    status: "failed",
    phase: "idle",
    error: JSON.stringify(error),
    done_seq: row.msg_seq,
    fence: row.fence + 1, // a worker whose lease has expired may still run
  };
  return change(transaction, deps, row, { ...record, transition: "cancel", set });
}

export function archive(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  at: number,
): Promise<JobRow> {
  const record: ChangeRecord = { at, turn: row.done_seq, events: [{ type: "job.archived" }] };
  const from = row.status === "completed" ? "completed" : "failed";
  const set: Columns = { status: "archived", archived_from: from, archived_at: at };
  return change(transaction, deps, row, { ...record, transition: "archive", set });
}

/** Restores the status that the job was archived from. */
export function unarchive(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  at: number,
): Promise<JobRow> {
  const record: ChangeRecord = { at, turn: row.done_seq, events: [{ type: "job.unarchived" }] };
  const set: Columns = { status: row.archived_from ?? "completed", archived_from: null, archived_at: null };
  return change(transaction, deps, row, { ...record, transition: "unarchive", set });
}

/** Records the state in which people left the job's pull request. */
export function notePullRequest(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  { at, pullRequest, events }: { at: number; pullRequest: JobPullRequest; events: readonly JobEventData[] },
): Promise<JobRow> {
  const set: Columns = { pull_request: JSON.stringify(pullRequest) };
  return change(transaction, deps, row, { transition: "notePullRequest", at, turn: row.done_seq, events, set });
}

/** Deletes the instructions and the transcript of a job. Its outcome stays, with a name for lists. */
export async function forget(
  transaction: DatabaseTransaction,
  row: JobRow,
  { at, name }: { at: number; name: string },
): Promise<void> {
  const forgotten = await transaction
    .updateTable("job")
    .set({ transcript_deleted_at: at, title: row.title ?? name, revision: row.revision + 1 })
    .where("id", "=", row.id)
    .where(mayStart("forget"))
    .returning("id")
    .executeTakeFirst();
  if (!forgotten) return;
  for (const table of ["job_step", "job_event", "job_attachment"] as const)
    await transaction.deleteFrom(table).where("job_id", "=", row.id).execute();
  await transaction.updateTable("job_message").set({ prompt: "", chores: null }).where("job_id", "=", row.id).execute();
}

/** Deletes the row and, through foreign keys, everything that is stored about the job. */
export async function remove(transaction: DatabaseTransaction, { id }: JobRow): Promise<void> {
  await transaction.deleteFrom("job").where("id", "=", id).where(mayStart("remove")).execute();
}
