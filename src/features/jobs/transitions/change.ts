import { type UpdateObject, type RawBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { Clock } from "#lib/clock.ts";
import { appendEvents, type JobEventData } from "#features/jobs/events.ts";
import type { JobRow } from "#features/jobs/job-rows.ts";
import { recordJobMail } from "#features/jobs/job-mail.ts";
import { recordForWebhooks } from "#features/jobs/outbox.ts";
import { mayStart, stateOf, type Transition } from "./job-states.ts";

export interface StoreDeps {
  database: Database;
  clock: Clock;
}

export interface TransitionDeps extends StoreDeps {
  redact(text: string): string;
}

/** The events by which the transcript records a change, with their turn and time. */
export interface ChangeRecord {
  at: number;
  turn: number;
  events: readonly JobEventData[];
}

export type Columns = UpdateObject<Tables, "job">;

/** No worker holds the job, and nothing remains of an earlier hold. */
export const UNHELD = {
  lease_owner: null,
  lease_until: null,
  attempt: 0,
  deaths: 0,
  cancel_requested_at: null,
  cancel_keeps_work: 0,
  waiting: null,
} as const;

/**
 * Makes a change that callers can see to a row that this transaction has locked: with its events, a new revision and time,
 * its webhook deliveries and the requester's mail. Call `announceEvents` after the commit.
 */
export async function change(
  transaction: DatabaseTransaction,
  { database, redact }: TransitionDeps,
  row: JobRow,
  { transition, at, turn, events, set }: ChangeRecord & { transition: Transition; set: Columns },
): Promise<JobRow> {
  const lastSeq = row.event_seq;
  const eventSeq = await appendEvents(transaction, { jobId: row.id, lastSeq, turn, at, events, redact });
  const job = await transaction
    .updateTable("job")
    .set({ ...set, event_seq: eventSeq, revision: row.revision + 1, updated_at: at })
    .where("id", "=", row.id)
    .where(mayStart(transition))
    .returningAll()
    .executeTakeFirst();
  if (!job) throw new Error(`No ${transition} leads from the state ${stateOf(row)} of a job.`);
  await recordForWebhooks(transaction, { database, job, events, at });
  await recordJobMail(transaction, { job, events, at });
  return job;
}

/** The clock for leases and for the order of jobs, which all nodes share: PostgreSQL's, or that of the only machine. */
export function databaseNow(database: Database, clock: Clock): RawBuilder<number> {
  return database.engine === "postgres"
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${sql.lit(clock.now().getTime())}`;
}
