import { type RawBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { JobId } from "#lib/ids.ts";
import { jobFromRow, type JobRow } from "#jobs/job-rows.ts";
import type { Job } from "#jobs/job.ts";
import { MAX_WAIT_MS, nextJob } from "./queue-order.ts";

/** No lease is longer, unless this server is set to longer ones. */
const MAX_LEASE_MS = 3_600_000;

export interface QueueDeps {
  database: Database;
  clock: Clock;
}

/** A worker's hold on a job. Everything it writes names the fence; a later claim makes every such write fail. */
export interface Claim {
  jobId: JobId;
  owner: string;
  fence: number;
  /** Claims since the last recorded progress, this one included. */
  attempt: number;
  /** Claims before this one that their workers never gave back: most likely dead. Counted since the last recorded progress. */
  deaths: number;
  /** Whether the work was to be cancelled when it was claimed: its last worker died before it noticed. */
  isCancelled: boolean;
  job: Job;
}

/** Thrown when a claim is no longer ours: another worker has the job, or it was deleted. The turn is dropped silently. */
export class LostClaim extends Error {
  constructor() {
    super("The claim on the job was lost.");
    this.name = "LostClaim";
  }
}

/**
 * Takes a runnable job, if any: active, with unhandled messages, due, and held by nobody alive; of those in the order of
 * `nextJob`. On PostgreSQL leases run by the database's clock, so that nodes need not agree on the time.
 */
export async function claimJob(
  { database, clock }: QueueDeps,
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<Claim | null> {
  const now = databaseNow(database, clock);
  const row = await database.kysely
    .updateTable("job")
    .set((expression) => ({
      lease_owner: owner,
      lease_until: sql<number>`${now} + ${sql.lit(leaseMs)}`,
      fence: expression("fence", "+", 1),
      attempt: expression("attempt", "+", 1),
      deaths: sql<number>`case when lease_owner is null then deaths else deaths + 1 end`,
    }))
    .where("id", "=", nextJob(database.engine, now, Math.max(MAX_LEASE_MS, 2 * leaseMs)))
    .returningAll()
    .executeTakeFirst();
  if (!row) return null;
  return {
    jobId: row.id,
    owner,
    fence: row.fence,
    attempt: row.attempt,
    deaths: row.deaths,
    isCancelled: row.cancel_requested_at !== null,
    job: jobFromRow(row),
  };
}

/** What became of the claims that still hold, by job. */
export type HeldClaims = Map<JobId, { cancelRequested: boolean }>;

/** Prolongs the leases of all these claims in one statement. Those that are missing in the answer are lost. */
export async function heartbeat(
  { database, clock }: QueueDeps,
  claims: readonly Claim[],
  leaseMs: number,
): Promise<HeldClaims> {
  if (claims.length === 0) return new Map();
  const rows = await database.kysely
    .updateTable("job")
    .set({ lease_until: sql<number>`${databaseNow(database, clock)} + ${sql.lit(leaseMs)}` })
    .where(holds(claims))
    .returning(["id", "cancel_requested_at"])
    .execute();
  return heldOf(rows);
}

/** The same look without prolonging anything. */
export async function readClaims({ database }: QueueDeps, claims: readonly Claim[]): Promise<HeldClaims> {
  if (claims.length === 0) return new Map();
  const rows = await database.kysely
    .selectFrom("job")
    .select(["id", "cancel_requested_at"])
    .where(holds(claims))
    .execute();
  return heldOf(rows);
}

const holds = (claims: readonly Claim[]) => {
  const rows = claims.map(
    ({ jobId, owner, fence }) => sql`(cast(${jobId} as text), cast(${owner} as text), ${sql.lit(fence)})`,
  );
  return sql<boolean>`(id, lease_owner, fence) in (values ${sql.join(rows)})`;
};

const heldOf = (rows: readonly { id: JobId; cancel_requested_at: number | null }[]): HeldClaims =>
  new Map(rows.map((row) => [row.id, { cancelRequested: row.cancel_requested_at !== null }]));

/**
 * Gives a job back unfinished, to be claimed again after `delayMs` (ten minutes at most), or at once when it is to be cancelled. `undoAttempt`
 * when the stop was not its fault.
 */
export async function releaseJob(
  { database, clock }: QueueDeps,
  claim: Claim,
  options: { delayMs: number; undoAttempt: boolean },
): Promise<void> {
  const now = databaseNow(database, clock);
  const delay = sql.lit(Math.min(options.delayMs, MAX_WAIT_MS));
  await database.kysely
    .updateTable("job")
    .set({
      lease_owner: null,
      lease_until: null,
      deaths: 0,
      run_after: sql<number>`case when cancel_requested_at is null then ${now} + ${delay} else ${now} end`,
      // Progress has set it to 0: then there is nothing to undo.
      ...(options.undoAttempt && { attempt: sql<number>`case when attempt > 0 then attempt - 1 else 0 end` }),
    })
    .where("id", "=", claim.jobId)
    .where("fence", "=", claim.fence)
    .execute();
  if (options.delayMs === 0) database.wakeUp.notify("job", claim.jobId);
}

/** The held row inside a transaction, locked against everybody else; throws `LostClaim`. */
export async function holdJob(transaction: DatabaseTransaction, database: Database, claim: Claim): Promise<JobRow> {
  let query = transaction
    .selectFrom("job")
    .selectAll()
    .where("id", "=", claim.jobId)
    .where("fence", "=", claim.fence)
    .where("lease_owner", "=", claim.owner);
  if (database.engine === "postgres") query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw new LostClaim();
  return row;
}

/** Whether a worker's lease of a job runs, by the clock that it was written by. */
export async function isLeased(queryable: Queryable, { database, clock }: QueueDeps, jobId: JobId): Promise<boolean> {
  const now = databaseNow(database, clock);
  const query = queryable.selectFrom("job").select("id").where("id", "=", jobId);
  return (await query.where("lease_until", ">", now).executeTakeFirst()) !== undefined;
}

/** The clock of leases and of the order of jobs, the same for all nodes: that of PostgreSQL, or of the one machine. */
export function databaseNow(database: Database, clock: Clock): RawBuilder<number> {
  return database.engine === "postgres"
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${sql.lit(clock.now().getTime())}`;
}
