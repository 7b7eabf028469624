import { type RawBuilder, sql } from "kysely";
import type { Engine } from "#db/database.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";

const WAITING = sql`job.status = 'active' and job.done_seq < job.msg_seq`;

/** The longest that a job waits for its next attempt. What lies further ahead was written by a clock that was wrong. */
export const MAX_WAIT_MS = 10 * 60_000;

export interface NextJobOptions {
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
export function nextJob(
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
