import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { jobFromRow, type JobRow } from "#features/jobs/job-rows.ts";
import type { Job } from "#features/jobs/job.ts";
import { claim, type Hold, isHeldBy, prolong, release } from "#features/jobs/transitions/by-workers.ts";
import type { StoreDeps } from "#features/jobs/transitions/change.ts";
import { databaseNow } from "#features/jobs/transitions/lease-clock.ts";
import { MAX_WAIT_MS, nextJob } from "./queue-order.ts";

/** No lease is longer, unless this server is set to longer ones. */
const MAX_LEASE_MS = 3_600_000;

/** A hold on a job, with what the worker must know of it. */
export interface Claim extends Hold {
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
 * Claims the next runnable job in the order of `nextJob`: active, with unhandled messages, due, and with no lease that
 * runs. Without `withDeaths`, jobs that a worker died with are passed over; so are those of the project `except`. On
 * PostgreSQL leases run by the database's clock, so that nodes need not agree on the time.
 */
export async function claimJob(
  { database, clock }: StoreDeps,
  {
    owner,
    leaseMs,
    withDeaths = true,
    except,
  }: { owner: string; leaseMs: number; withDeaths?: boolean; except?: ProjectId | undefined },
): Promise<Claim | null> {
  const maxLeaseMs = Math.max(MAX_LEASE_MS, 2 * leaseMs);
  const next = nextJob(database.engine, databaseNow(database, clock), { maxLeaseMs, withDeaths, except });
  const row = await claim({ database, clock }, { owner, leaseMs, next });
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

/** The claims that still hold, by job. */
export type HeldClaims = Map<JobId, { cancelRequested: boolean }>;

/** Prolongs the leases of all these claims in one statement. Those that are missing in the answer are lost. */
export async function heartbeat(deps: StoreDeps, claims: readonly Claim[], leaseMs: number): Promise<HeldClaims> {
  return claims.length === 0 ? new Map() : heldOf(await prolong(deps, claims, leaseMs));
}

/** The same look without prolonging anything. */
export async function readClaims({ database }: StoreDeps, claims: readonly Claim[]): Promise<HeldClaims> {
  if (claims.length === 0) return new Map();
  const rows = await database.kysely
    .selectFrom("job")
    .select(["id", "cancel_requested_at"])
    .where(isHeldBy(claims))
    .execute();
  return heldOf(rows);
}

const heldOf = (rows: readonly { id: JobId; cancel_requested_at: number | null }[]): HeldClaims =>
  new Map(rows.map((row) => [row.id, { cancelRequested: row.cancel_requested_at !== null }]));

/**
 * Releases an unfinished job, to be claimed again after `delayMs` (ten minutes at most), or at once when it is to be
 * cancelled. `undoAttempt`: the stop was not the job's fault, so the attempt does not count.
 */
export async function releaseJob(
  deps: StoreDeps,
  claim: Claim,
  { delayMs, undoAttempt }: { delayMs: number; undoAttempt: boolean },
): Promise<void> {
  await release(deps, claim, { delayMs: Math.min(delayMs, MAX_WAIT_MS), undoAttempt });
  if (delayMs === 0) deps.database.wakeUp.notify("job", claim.jobId);
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
export async function isLeased(queryable: Queryable, { database, clock }: StoreDeps, jobId: JobId): Promise<boolean> {
  const now = databaseNow(database, clock);
  const query = queryable.selectFrom("job").select("id").where("id", "=", jobId);
  return (await query.where("lease_until", ">", now).executeTakeFirst()) !== undefined;
}
