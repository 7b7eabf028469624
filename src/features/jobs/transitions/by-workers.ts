import { type RawBuilder, sql } from "kysely";
import type { Spent } from "#agent/budget.ts";
import type { DatabaseTransaction } from "#db/database.ts";
import { isDisconnected, isNodeId } from "#db/node-locks.ts";
import type { JobId } from "#lib/ids.ts";
import type { JobError, JobPhase, JobPullRequest, Plan, Waiting } from "#features/jobs/job.ts";
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

/** A worker's hold on a job. Everything it writes names the fence; a later claim makes every such write fail. */
export interface Hold {
  jobId: JobId;
  owner: string;
  fence: number;
}

/** Claims the job that `next` selects; null when it selects no job. */
export async function claim(
  { database, clock }: StoreDeps,
  { owner, leaseMs, next }: { owner: string; leaseMs: number; next: RawBuilder<JobId> },
): Promise<JobRow | null> {
  const row = await database.kysely
    .updateTable("job")
    .set((expression) => ({
      lease_owner: owner,
      lease_until: sql<number>`${databaseNow(database, clock)} + ${sql.lit(leaseMs)}`,
      fence: expression("fence", "+", 1),
      attempt: expression("attempt", "+", 1),
      deaths: sql<number>`case when lease_owner is null then deaths else deaths + 1 end`,
    }))
    .where("id", "=", next)
    .where(mayStart("claim"))
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  // Not in one transaction with the claim: if this write is lost, the project is only served again sooner.
  const servedAt = databaseNow(database, clock);
  await database.kysely
    .insertInto("queue_turn")
    .values({ project_id: row.project_id, served_at: servedAt })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet({ served_at: servedAt }))
    .execute();
  return row;
}

/**
 * Ends the leases of workers that are dead: all, for a server that is alone on the store, or those of `owners`. The next
 * claim counts the deaths. Jobs with which a worker has died before keep their lease until it expires, so that a server
 * that stops repeatedly does not fail a job within seconds. Returns how many leases ended.
 */
export async function endLeases({ database, clock }: StoreDeps, owners?: readonly string[]): Promise<number> {
  let query = database.kysely
    .updateTable("job")
    .set({ lease_until: databaseNow(database, clock) })
    .where("lease_until", ">", databaseNow(database, clock))
    .where("deaths", "=", 0);
  if (owners !== undefined) query = query.where("lease_owner", "in", owners);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}

/** Workers on PostgreSQL that hold a lease and whose process is not connected. */
export async function disconnectedOwners({ database, clock }: StoreDeps): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom("job")
    .select("lease_owner")
    .distinct()
    .where("lease_until", ">", databaseNow(database, clock))
    .where("deaths", "=", 0)
    .where(isNodeId("lease_owner"))
    .where(isDisconnected("lease_owner"))
    .execute();
  return rows.flatMap(({ lease_owner: owner }) => owner ?? []);
}

/** Extends the leases of these holds in one statement. Holds that are missing from the result are lost. */
export function prolong(
  { database, clock }: StoreDeps,
  holds: readonly Hold[],
  leaseMs: number,
): Promise<Pick<JobRow, "id" | "cancel_requested_at">[]> {
  return database.kysely
    .updateTable("job")
    .set({ lease_until: sql<number>`${databaseNow(database, clock)} + ${sql.lit(leaseMs)}` })
    .where(isHeldBy(holds))
    .where(mayStart("prolong"))
    .returning(["id", "cancel_requested_at"])
    .execute();
}

export const isHeldBy = (holds: readonly Hold[]): RawBuilder<boolean> => {
  const rows = holds.map(
    ({ jobId, owner, fence }) => sql`(cast(${jobId} as text), cast(${owner} as text), ${sql.lit(fence)})`,
  );
  return sql<boolean>`(id, lease_owner, fence) in (values ${sql.join(rows)})`;
};

/** The progress of a turn. */
export interface Progress extends ChangeRecord {
  phase?: JobPhase;
  /** A pushed commit is progress, which resets attempts and deaths. Null: the turn's branch no longer has the commit. */
  commitId?: string | null;
  /** The turn continues on another branch than it started with. */
  branch?: string;
  pullRequest?: JobPullRequest;
  /** Title for a job without one. */
  title?: string;
  spent?: Spent;
  waiting?: Waiting;
}

export function progress(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  { at, turn, phase, commitId, branch, pullRequest, title, spent, waiting, events }: Progress,
): Promise<JobRow> {
  const isNewPhase = phase !== undefined && phase !== row.phase;
  const set: Columns = {
    ...(phase && { phase }),
    ...(branch !== undefined && { branch }),
    ...(typeof commitId === "string" && { attempt: 0, deaths: 0 }),
    ...(pullRequest && { pull_request: JSON.stringify(pullRequest) }),
    ...(title !== undefined && { title: row.title ?? title }),
    ...(spent && spentAfter(row, spent)),
    ...(waiting && { waiting: JSON.stringify(waiting) }),
  };
  const allEvents = isNewPhase ? [{ type: "job.phase", phase } as const, ...events] : events;
  return change(transaction, deps, row, { transition: "progress", at, turn, events: allEvents, set });
}

/** Records another step. A stored step is progress, which resets attempts and deaths. */
export function step(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  { spent, ...record }: ChangeRecord & { spent: Spent },
): Promise<JobRow> {
  const set: Columns = {
    attempt: 0,
    deaths: 0,
    steps: row.steps + 1,
    waiting: null,
    ...(row.phase === "waiting" && { phase: "running" as const }),
    ...spentAfter(row, spent),
  };
  const resumed = row.phase === "waiting" ? [{ type: "job.phase", phase: "running" } as const] : [];
  return change(transaction, deps, row, { ...record, events: [...resumed, ...record.events], transition: "step", set });
}

const spentAfter = (row: JobRow, { usage, costMicroUsd }: Spent): Columns => ({
  input_tokens: row.input_tokens + usage.inputTokens,
  cached_tokens: row.cached_tokens + usage.cachedTokens,
  output_tokens: row.output_tokens + usage.outputTokens,
  cost_micro_usd: row.cost_micro_usd + costMicroUsd,
});

/** Releases an unfinished job, to be claimed again after `delayMs`, or immediately when its cancellation was requested. */
export async function release(
  { database, clock }: StoreDeps,
  hold: Hold,
  { delayMs, undoAttempt }: { delayMs: number; undoAttempt: boolean },
): Promise<void> {
  const now = databaseNow(database, clock);
  await database.kysely
    .updateTable("job")
    .set({
      lease_owner: null,
      lease_until: null,
      deaths: 0,
      run_after: sql<number>`case when cancel_requested_at is null then ${now} + ${sql.lit(delayMs)} else ${now} end`,
      // After progress it is 0, and there is nothing to undo.
      ...(undoAttempt && { attempt: sql<number>`case when attempt > 0 then attempt - 1 else 0 end` }),
    })
    .where("id", "=", hold.jobId)
    .where("fence", "=", hold.fence)
    .where(mayStart("release"))
    .execute();
}

/** Makes all jobs that wait for a provider due. */
export async function resumeWaiting({ database, clock }: StoreDeps): Promise<void> {
  const now = databaseNow(database, clock);
  await database.kysely
    .updateTable("job")
    .set({ run_after: now })
    .where("phase", "=", "waiting")
    .where("run_after", ">", now)
    .where(mayStart("resume"))
    .execute();
}

/** The outcome of a successful turn. */
interface Made {
  title: string | null;
  summary: string;
  question?: string | null;
  pullRequest: JobPullRequest | null;
  plan?: Plan;
}

/**
 * Marks the messages up to `handledSeq` as handled, the last of them with `error` or successfully. The job waits again if
 * there are more. With `refusal`, that message was not carried out, and the job stays completed.
 */
export function finish(
  transaction: DatabaseTransaction,
  deps: TransitionDeps,
  row: JobRow,
  end: ChangeRecord & {
    handledSeq: number;
    error: JobError | null;
    refusal: JobError | null;
    changed: boolean;
    made: Made | null;
  },
): Promise<JobRow> {
  const { handledSeq, error, refusal, changed, made, ...record } = end;
  const waits = handledSeq < row.msg_seq;
  const set: Columns = {
    ...UNHELD,
    ...(made && {
      title: row.title ?? made.title,
      summary: made.summary,
      question: made.question ?? null,
      pull_request: made.pullRequest && JSON.stringify(made.pullRequest),
      ...(made.plan && { plan: JSON.stringify(made.plan) }),
    }),
    status: waits ? "active" : error ? "failed" : "completed",
    phase: waits ? "queued" : "idle",
    error: waits || !error ? null : deps.redact(JSON.stringify(error)),
    refusal: waits || !refusal ? null : deps.redact(JSON.stringify(refusal)),
    changed: changed ? 1 : 0,
    done_seq: handledSeq,
    run_after: databaseNow(deps.database, deps.clock),
  };
  return change(transaction, deps, row, { ...record, transition: "finish", set });
}
