import type { Database, DatabaseTransaction, Queryable, Engine } from "#db/database.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { jobFromRow, type JobRow } from "#features/jobs/job-rows.ts";
import type { Job } from "#features/jobs/job.ts";
import { claim, type Hold, isHeldBy, prolong, release } from "#features/jobs/transitions/by-workers.ts";
import { type StoreDeps, databaseNow } from "#features/jobs/transitions/change.ts";
import { type RawBuilder, sql } from "kysely";

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

const WAITING = sql`job.status = 'active' and job.done_seq < job.msg_seq`;

/** The longest that a job waits for its next attempt. What lies further ahead was written by a clock that was wrong. */
const MAX_WAIT_MS = 10 * 60_000;

interface NextJobOptions {
  maxLeaseMs: number;
  /** Whether jobs that a worker died with are among them. */
  withDeaths: boolean;
  /** A project whose jobs are not among them. */
  except?: ProjectId | undefined;
}

/**
 * The job to run next, null when none can be: the oldest due one of the project with the fewest running jobs, and of those
 * the one that got a place longest ago. A project with hundreds of jobs in the queue costs each other one job's time.
 *
 * A time that lies further ahead than any that is written (`MAX_WAIT_MS`, `maxLeaseMs`) keeps no job waiting: the clock
 * has gone back since.
 *
 * Costs some index look-ups per project that has waiting jobs, however many those are (PostgreSQL, two cores: 14 ms for
 * 1,000 projects, 1.5 ms for three with 20,000 jobs): the projects are found by jumping from one to the next in the index.
 */
function nextJob(
  engine: Engine,
  now: RawBuilder<number>,
  { maxLeaseMs, withDeaths, except }: NextJobOptions,
): RawBuilder<JobId> {
  const isDue = sql`(job.run_after <= ${now} or job.run_after > ${now} + ${sql.lit(MAX_WAIT_MS)})`;
  const isHeld = sql`(job.lease_until > ${now} and job.lease_until <= ${now} + ${sql.lit(maxLeaseMs)})`;
  const isSound = withDeaths ? sql`` : sql`and job.deaths = 0 and job.lease_owner is null`;
  const oldestDue = (project: RawBuilder<unknown>, column: RawBuilder<unknown>) => sql`
    select ${column} from job
    where ${WAITING} and job.project_id = ${project}
      and ${isDue} and (job.lease_until is null or not ${isHeld}) ${isSound}
    order by job.run_after, job.id limit 1`;
  const projects = sql`
    with recursive waiting (project_id) as (
      select * from (select job.project_id from job where ${WAITING} order by job.project_id limit 1) as first
      union all
      select (
        select job.project_id from job where ${WAITING} and job.project_id > waiting.project_id
        order by job.project_id limit 1)
      from waiting where waiting.project_id is not null
    ), queue as (
      select waiting.project_id,
        (${oldestDue(sql`waiting.project_id`, sql`job.run_after`)}) as since,
        (select count(*) from job where job.project_id = waiting.project_id and ${isHeld}) as running,
        coalesce((
          select queue_turn.served_at from queue_turn
          where queue_turn.project_id = waiting.project_id and queue_turn.served_at <= ${now}), 0) as served
      from waiting where waiting.project_id is not null
    )`;
  const isAdmitted = except === undefined ? sql`` : sql`and project_id <> ${except}`;
  const inOrder = sql`from queue where since is not null ${isAdmitted} order by running, served, since, project_id`;
  if (engine === "sqlite") {
    return sql<JobId>`(${projects} select (${oldestDue(sql`queue.project_id`, sql`job.id`)}) ${inOrder} limit 1)`;
  }
  // Another worker may be taking the same job at this moment: then the next of that project, or of the next one. The
  // order is that of the inner query, so that no more than one job is locked.
  return sql<JobId>`(${projects}
    select job.id from (select project_id ${inOrder}) as fair
    cross join lateral (${oldestDue(sql`fair.project_id`, sql`job.id`)} for update skip locked) as job limit 1)`;
}
