import type { DatabaseTransaction } from "#db/database.ts";
import type { FileReason } from "#tools/tool.ts";
import type { JobId } from "#lib/ids.ts";
import { createMeasure } from "#lib/measure.ts";
import { lastCancelled } from "#features/jobs/requests/cancel.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import { isRefusal, type JobError, jobError, type JobPullRequest, type Plan } from "#features/jobs/job.ts";
import type { JobRow } from "#features/jobs/job-rows.ts";
import { announceEvents } from "#features/jobs/outbox.ts";
import { type Claim, holdJob } from "#features/jobs/queue/queue.ts";
import { finish } from "#features/jobs/transitions/by-workers.ts";
import { succeededBefore } from "./turn-history.ts";
import type { TurnDeps } from "./turns.ts";

export type TurnOutcome =
  | {
      ok: true;
      title: string | null;
      summary: string;
      /** Whether a file was changed; for a dry run, whether one would have been. */
      changed?: boolean;
      question?: string | null;
      /** The agent's reason for each changed file. */
      files?: readonly FileReason[];
      /** Rules that people may keep for later jobs. */
      forLaterJobs?: readonly string[];
      pullRequest: JobPullRequest | null;
      /** The plan of a dry run. */
      plan?: Plan;
      handledSeq: number;
    }
  /** `changed`: its unfinished work was published. */
  | { ok: false; error: JobError; handledSeq: number; changed?: boolean };

/** Counts turns that ended. */
export const turnEnds = createMeasure<{
  jobId: JobId;
  /** `completed`, or the code of the error. */
  result: "completed" | JobError["code"];
}>("turn end");

/**
 * Ends a turn: its messages count as handled, the lease ends, and the job is done unless more messages wait. The message
 * of a failed turn is not run again; later messages are, unless a cancellation covers them. A refused follow-up leaves a
 * completed job completed, because its pull request is still valid. Throws `LostClaim`.
 */
export async function finishTurn(
  deps: TurnDeps,
  { claim, turn, outcome }: { claim: Claim; turn: number; outcome: TurnOutcome },
): Promise<void> {
  const { database, clock } = deps;
  const at = clock.now().getTime();
  const { remains, events } = await database.transaction(async (transaction) => {
    const row = await holdJob(transaction, database, claim);
    const { handledSeq, error: ended } = await resultOf(transaction, row, outcome);
    const more = handledSeq < row.msg_seq;
    const isRefused = !outcome.ok && ended === outcome.error && isRefusal(ended);
    const refusal = isRefused && (more || (await succeededBefore(transaction, row.id))) ? ended : null;
    const error = refusal ? null : ended;
    const events = eventsOf(outcome, { end: more ? "more" : error, refusal, completed: row.summary });
    const made = outcome.ok ? outcome : null;
    const changed = outcome.changed ?? false;
    await finish(transaction, deps, row, { at, turn, events, handledSeq, error, refusal, changed, made });
    return { remains: more, events };
  });
  turnEnds.publish({ jobId: claim.jobId, result: outcome.ok ? "completed" : outcome.error.code });
  announceEvents(database, claim.jobId, events);
  if (remains) database.wakeUp.notify("job", claim.jobId);
}

/** The result of a turn. A cancellation that came too late to stop it still ends the messages that waited behind it. */
async function resultOf(
  transaction: DatabaseTransaction,
  row: JobRow,
  outcome: TurnOutcome,
): Promise<{ handledSeq: number; error: JobError | null }> {
  const handledSeq = Math.max(outcome.handledSeq, await lastCancelled(transaction, row));
  if (!outcome.ok) return { handledSeq, error: outcome.error };
  const error = handledSeq > outcome.handledSeq ? jobError("cancelled", "The job was cancelled.") : null;
  return { handledSeq, error };
}

function eventsOf(
  outcome: TurnOutcome,
  { end, refusal, completed }: { end: JobError | null | "more"; refusal: JobError | null; completed: string | null },
): JobEventData[] {
  const summary = outcome.ok ? outcome.summary : outcome.error.message;
  const { files = [], forLaterJobs = [] } = outcome.ok ? outcome : {};
  const details = { ...(files.length > 0 && { files }), ...(forLaterJobs.length > 0 && { forLaterJobs }) };
  const events: JobEventData[] = [{ type: "turn.finished", ok: outcome.ok, summary, ...details }];
  if (refusal) events.push({ type: "message.refused", seq: outcome.handledSeq, error: refusal });
  if (end === "more") return events;
  if (end) return [...events, { type: "job.failed", error: end }];
  return [...events, { type: "job.completed", summary: refusal ? completed : summary }];
}
