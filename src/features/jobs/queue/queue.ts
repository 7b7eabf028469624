import type { Database, DatabaseTransaction, Queryable, Engine } from "#db/database.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { jobFromRow, type JobRow } from "#features/jobs/job-rows.ts";
import type { Job } from "#features/jobs/job.ts";
import { claim, type Hold, isHeldBy, prolong, release } from "#features/jobs/transitions/by-workers.ts";
import { type StoreDeps, databaseNow } from "#features/jobs/transitions/change.ts";
import { type RawBuilder, sql } from "kysely";

/** The longest lease, unless this server is configured with longer ones. */
const MAX_LEASE_MS = 3_600_000;

/** A worker's hold on a job, with the state that the worker needs. */
export interface Claim extends Hold {
  /** Claims since the last recorded progress, this one included. */
  attempt: number;
  /** Earlier claims that were never released, most likely because the worker died. Counted since the last recorded progress. */
  deaths: number;
  /** Whether cancellation was requested before the claim: the last worker died before it noticed. */
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
 * Claims the next runnable job in the order of `nextJob`: active, with unhandled messages, due, and without a valid
 * lease. Without `withDeaths`, jobs with which a worker died are skipped; so are jobs of the project `except`. On
 * PostgreSQL, leases use the database's clock, so that nodes need not agree on the time.
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

/** The claims that are still valid, by job. */
export type HeldClaims = Map<JobId, { cancelRequested: boolean }>;

/** Extends the leases of these claims in one statement. Claims that are missing from the result are lost. */
export async function heartbeat(deps: StoreDeps, claims: readonly Claim[], leaseMs: number): Promise<HeldClaims> {
  return claims.length === 0 ? new Map() : heldOf(await prolong(deps, claims, leaseMs));
}

/** Returns the same as `heartbeat` without extending the leases. */
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
 * Releases an unfinished job, to be claimed again after `delayMs` (ten minutes at most), or immediately when its
 * cancellation was requested. `undoAttempt`: the stop was not the job's fault, so the attempt does not count.
 */
export async function releaseJob(
  deps: StoreDeps,
  claim: Claim,
  { delayMs, undoAttempt }: { delayMs: number; undoAttempt: boolean },
): Promise<void> {
  await release(deps, claim, { delayMs: Math.min(delayMs, MAX_WAIT_MS), undoAttempt });
  if (delayMs === 0) deps.database.wakeUp.notify("job", claim.jobId);
}

/** Locks and returns the held row in a transaction. Throws `LostClaim`. */
export async function holdJob(transaction: DatabaseTransaction, database: Database, claim: Claim): Promise<JobRow> {
  let query = transaction
    .selectFrom("job")
    .selectAll()
    .where("id", "=", claim.jobId)
    .where("fence", "=", claim.fence)
    .where("lease_owner", "=", claim.owner);
  if (database.engine === "postgres") query = query.forUpdate();
  const row = await query.executeTakeFirstOrThrow(() => new LostClaim());
  return row;
}

/** Whether a worker's lease on a job is valid, by the clock that it was written with. */
export async function isLeased(queryable: Queryable, { database, clock }: StoreDeps, jobId: JobId): Promise<boolean> {
  const now = databaseNow(database, clock);
  const query = queryable.selectFrom("job").select("id").where("id", "=", jobId);
  return (await query.where("lease_until", ">", now).executeTakeFirst()) !== undefined;
}

const WAITING = sql`job.status = 'active' and job.done_seq < job.msg_seq`;

/** The longest delay of a job's next attempt. A time further ahead was written by a wrong clock. */
const MAX_WAIT_MS = 10 * 60_000;

interface NextJobOptions {
  maxLeaseMs: number;
  /** Whether to include jobs with which a worker died. */
  withDeaths: boolean;
  /** A project whose jobs are skipped. */
  except?: ProjectId | undefined;
}

/**
 * The job to run next, null when no job can run: the oldest due job of the project with the fewest running jobs, and among
 * those projects of the one served longest ago. A project with hundreds of queued jobs delays each other project by one job.
 *
 * A time further ahead than any valid one (`MAX_WAIT_MS`, `maxLeaseMs`) does not keep a job waiting: the clock has been
 * set back since.
 *
 * Costs a few index lookups per project with waiting jobs, regardless of their number (PostgreSQL, two cores: 14 ms for
 * 1,000 projects, 1.5 ms for three with 20,000 jobs): the query jumps from one project to the next in the index.
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
  // If another worker is claiming the same job, the result is the next job of that project or of the next project. Only
  // the inner query sorts, so that no more than one job is locked.
  return sql<JobId>`(${projects}
    select job.id from (select project_id ${inOrder}) as fair
    cross join lateral (${oldestDue(sql`fair.project_id`, sql`job.id`)} for update skip locked) as job limit 1)`;
}
