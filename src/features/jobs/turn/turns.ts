import type { Spent } from "#agent/budget.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";
import type { Redact } from "#lib/secrets/secret-scan.ts";
import type { ModelMessage } from "#models/message.ts";
import { listAttachments } from "#features/jobs/attachments.ts";
import type { Instruction } from "#features/jobs/chore-messages.ts";
import type { JobEventData } from "#features/jobs/events.ts";
import { announceEvents } from "#features/jobs/outbox.ts";
import { readChores, wereRedacted } from "#features/jobs/stored-chores.ts";
import { type Claim, holdJob } from "#features/jobs/queue/queue.ts";
import { addSpending } from "#features/jobs/queue/spending.ts";
import { type Progress, progress, step as recordStep } from "#features/jobs/transitions/by-workers.ts";
import { messagesText, readStepMessages } from "./step-messages.ts";
import { readStepState, type StepState } from "./step-state.ts";
import { type EarlyEnd, readEarlyEnd } from "./turn-ending.ts";

export interface TurnDeps {
  database: Database;
  clock: Clock;
  redact: Redact;
}

/** With the vault that decrypts the stored messages of steps. */
export interface StepDeps extends TurnDeps {
  vault: KeyVault;
}

/** What was decided before the first step of a turn, so that a replay starts from the same state. */
export interface Turn {
  turn: number;
  baseCommit: string;
  branch: string;
  startedAt: Date;
  /** The pushed commit, once it is recorded. */
  commitId: string | null;
  /** How long it was on hold because its provider did not answer. */
  waitedMs: number;
  /** Why it stopped before the agent was done; null if it did not. */
  endedEarly: EarlyEnd | null;
}

export interface StoredStep {
  step: number;
  messages: ModelMessage[];
  tree: string | null;
  deliveredSeq: number;
  state: StepState;
}

export async function findTurn(
  { database }: Pick<TurnDeps, "database">,
  claim: Claim,
  turn: number,
): Promise<Turn | null> {
  const row = await database.kysely
    .selectFrom("job_turn")
    .selectAll()
    .where("job_id", "=", claim.jobId)
    .where("turn", "=", turn)
    .executeTakeFirst();
  if (!row) return null;
  return {
    turn: row.turn,
    baseCommit: row.base_commit,
    branch: row.branch,
    startedAt: new Date(row.started_at),
    commitId: row.commit_id,
    waitedMs: row.waited_ms,
    endedEarly: readEarlyEnd(row.ended_early),
  };
}

/** Every step of the job so far, oldest first: the conversation. */
export async function listSteps(
  { database, vault }: Pick<StepDeps, "database" | "vault">,
  claim: Claim,
): Promise<(StoredStep & { turn: number })[]> {
  const rows = await database.kysely
    .selectFrom("job_step")
    .selectAll()
    .where("job_id", "=", claim.jobId)
    .orderBy("turn")
    .orderBy("step")
    .execute();
  return rows.map((row) => ({
    turn: row.turn,
    step: row.step,
    messages: readStepMessages(vault, { jobId: claim.jobId, turn: row.turn, step: row.step }, row.messages),
    tree: row.tree,
    deliveredSeq: row.delivered_seq,
    state: readStepState(row.state),
  }));
}

/** Messages with `after < seq`, in order. */
export async function promptsAfter(
  { database, vault }: Pick<StepDeps, "database" | "vault">,
  claim: Claim,
  after: number,
): Promise<Instruction[]> {
  const rows = await database.kysely
    .selectFrom("job_message")
    .select(["seq", "prompt", "chores"])
    .where("job_id", "=", claim.jobId)
    .where("seq", ">", after)
    .orderBy("seq")
    .execute();
  const attachments = await listAttachments(database, { jobId: claim.jobId, after });
  return rows.map((row) => ({
    ...row,
    chores: readChores(vault, { jobId: claim.jobId, seq: row.seq }, row.chores),
    wereRedacted: wereRedacted(row.chores),
    attachments: attachments.get(row.seq) ?? [],
  }));
}

/** Writes events (and the phase and the spending) under the fence, without a step. */
export async function recordProgress(
  deps: TurnDeps,
  claim: Claim,
  options: Omit<Progress, "at"> & { start?: Turn; endedEarly?: EarlyEnd; waitedMs?: number },
): Promise<void> {
  const { database, clock } = deps;
  const at = clock.now().getTime();
  await database.transaction(async (transaction) => {
    const row = await holdJob(transaction, database, claim);
    if (options.start) {
      const { turn, baseCommit, branch, startedAt, commitId } = options.start;
      await transaction
        .insertInto("job_turn")
        .values({
          job_id: claim.jobId,
          turn,
          base_commit: baseCommit,
          branch,
          started_at: startedAt.getTime(),
          commit_id: commitId,
          ended_early: null,
        })
        .execute();
    }
    if (["commitId", "branch", "endedEarly", "waitedMs"].some((key) => key in options)) {
      await transaction
        .updateTable("job_turn")
        .set({
          ...(options.commitId !== undefined && { commit_id: options.commitId }),
          ...(options.branch !== undefined && { branch: options.branch }),
          ...(options.waitedMs !== undefined && { waited_ms: options.waitedMs }),
          ...(options.endedEarly && { ended_early: JSON.stringify(options.endedEarly) }),
        })
        .where("job_id", "=", claim.jobId)
        .where("turn", "=", options.turn)
        .execute();
    }
    if (options.spent) await addSpending(transaction, claim, { turn: options.turn, spent: options.spent, at });
    await progress(transaction, deps, row, { ...options, ...(options.start && { branch: options.start.branch }), at });
  });
  announceEvents(database, claim.jobId, options.events);
}

export interface StepToCommit extends Spent {
  turn: number;
  step: number;
  messages: readonly ModelMessage[];
  tree: string | null;
  deliveredSeq: number;
  state: StepState;
  events: JobEventData[];
}

/**
 * Completes a stored step with the reports of the sub-tasks that it started. Throws `LostClaim`.
 */
export async function completeStep(
  deps: StepDeps,
  claim: Claim,
  step: Pick<StepToCommit, "turn" | "step" | "messages" | "state" | "events">,
): Promise<void> {
  const { database, clock } = deps;
  const { turn, events } = step;
  await database.transaction(async (transaction) => {
    const row = await holdJob(transaction, database, claim);
    await transaction
      .updateTable("job_step")
      .set({
        messages: messagesText(deps, { jobId: claim.jobId, turn, step: step.step }, step.messages),
        state: JSON.stringify(step.state),
      })
      .where("job_id", "=", claim.jobId)
      .where("turn", "=", turn)
      .where("step", "=", step.step)
      .execute();
    await progress(transaction, deps, row, { turn, events, at: clock.now().getTime() });
  });
  announceEvents(database, claim.jobId, events);
}

/** Stores one step atomically. A stored step is progress, which resets attempts and deaths. Throws `LostClaim`. */
export async function commitStep(deps: StepDeps, claim: Claim, step: StepToCommit): Promise<void> {
  const { database, clock } = deps;
  const at = clock.now().getTime();
  await database.transaction(async (transaction) => {
    const row = await holdJob(transaction, database, claim);
    await transaction
      .insertInto("job_step")
      .values({
        job_id: claim.jobId,
        turn: step.turn,
        step: step.step,
        fence: claim.fence,
        messages: messagesText(deps, { jobId: claim.jobId, turn: step.turn, step: step.step }, step.messages),
        tree: step.tree,
        delivered_seq: step.deliveredSeq,
        state: JSON.stringify(step.state),
        created_at: at,
      })
      .execute();
    await addSpending(transaction, claim, { turn: step.turn, spent: step, at });
    await recordStep(transaction, deps, row, { at, turn: step.turn, events: step.events, spent: step });
  });
  database.wakeUp.notify("job_event", claim.jobId);
}
