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

/** What the transcript tells of a change, and when it was. */
export interface Told {
  at: number;
  turn: number;
  events: readonly JobEventData[];
}

export type Columns = UpdateObject<Tables, "job">;

/** Nobody works on the job, and nothing is left of whoever did. */
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
 * A change that callers can see, of a row that this transaction holds: with its events, a revision and a time of its
 * own, what the webhooks are owed of it, and the mail of who asked. Call `announceEvents` after the commit.
 */
export async function change(
  transaction: DatabaseTransaction,
  { database, redact }: TransitionDeps,
  row: JobRow,
  { transition, at, turn, events, set }: Told & { transition: Transition; set: Columns },
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

/** The clock of leases and of the order of jobs, the same for all nodes: that of PostgreSQL, or of the one machine. */
export function databaseNow(database: Database, clock: Clock): RawBuilder<number> {
  return database.engine === "postgres"
    ? sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`
    : sql<number>`${sql.lit(clock.now().getTime())}`;
}
