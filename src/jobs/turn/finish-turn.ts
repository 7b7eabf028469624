import type { DatabaseTransaction } from "#db/database.ts";
import { lastCancelled } from "#jobs/requests/cancel.ts";
import type { JobEventData } from "#jobs/events.ts";
import { type JobError, jobError, type JobPullRequest } from "#jobs/job.ts";
import type { JobRow } from "#jobs/job-rows.ts";
import type { Plan } from "#jobs/plan.ts";
import { announceEvents } from "#jobs/outbox.ts";
import { type Claim, holdJob } from "#jobs/queue/queue.ts";
import { finish } from "#jobs/transitions/by-workers.ts";
import type { TurnDeps } from "./turns.ts";

export type TurnOutcome =
  | {
      ok: true;
      title: string | null;
      summary: string;
      pullRequest: JobPullRequest | null;
      /** Of a dry run. */
      plan?: Plan;
      handledSeq: number;
    }
  | { ok: false; error: JobError; handledSeq: number };

/**
 * Ends a turn: its messages count as handled, the lease ends, and the job is done unless more messages wait. A failed
 * turn's message is not run again; what was sent after it is, unless a cancellation came after that. Throws `LostClaim`.
 */
export async function finishTurn(
  deps: TurnDeps,
  { claim, turn, outcome }: { claim: Claim; turn: number; outcome: TurnOutcome },
): Promise<void> {
  const { database, clock } = deps;
  const at = clock.now().getTime();
  const { remains, events } = await database.transaction(async (transaction) => {
    const row = await holdJob(transaction, database, claim);
    const { handledSeq, error } = await settled(transaction, row, outcome);
    const more = handledSeq < row.msg_seq;
    const events = eventsOf(outcome, more ? "more" : error);
    await finish(transaction, deps, row, { at, turn, events, handledSeq, error, made: outcome.ok ? outcome : null });
    return { remains: more, events };
  });
  announceEvents(database, claim.jobId, events);
  if (remains) database.wakeUp.notify("job", claim.jobId);
}

/** What the turn comes to. A cancellation that came too late to stop it still ends the messages that waited behind it. */
async function settled(
  transaction: DatabaseTransaction,
  row: JobRow,
  outcome: TurnOutcome,
): Promise<{ handledSeq: number; error: JobError | null }> {
  const handledSeq = Math.max(outcome.handledSeq, await lastCancelled(transaction, row));
  if (!outcome.ok) return { handledSeq, error: outcome.error };
  const error = handledSeq > outcome.handledSeq ? jobError("cancelled", "The job was cancelled.") : null;
  return { handledSeq, error };
}

function eventsOf(outcome: TurnOutcome, end: JobError | null | "more"): JobEventData[] {
  const summary = outcome.ok ? outcome.summary : outcome.error.message;
  const finished: JobEventData = { type: "turn.finished", ok: outcome.ok, summary };
  if (end === "more") return [finished];
  return [finished, end ? { type: "job.failed", error: end } : { type: "job.completed", summary }];
}
