import { type Selectable, sql } from "kysely";
import type { AgentEvent } from "#agent/agent-event.ts";
import type { GateReport } from "#agent/gate/gate.ts";
import type { ChoreEntry } from "#agent/toolbox/chore-calls.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { FileReason } from "#tools/tool.ts";
import type { Tables } from "#db/schema.ts";
import type { JobId } from "#lib/ids.ts";
import type { KeptAttachment } from "./attachments.ts";
import type { JobError } from "./job.ts";

interface FilesChanged {
  type: "files.changed";
  added: string[];
  modified: string[];
  removed: string[];
  /** Of those added and removed, the ones that are the same file. */
  moved?: { from: string; to: string }[];
}

interface ValidationEvent {
  type: "validation";
  errors: unknown[];
  warnings: unknown[];
  newHosts: string[];
  /** How many there were: long lists are cut when the event is stored. Rows of earlier versions have none. */
  totals?: { errors: number; warnings: number; newHosts: number };
}

/** What the gate found, as an event. */
export const validationEvent = ({ errors, warnings, newHosts }: GateReport): ValidationEvent => ({
  type: "validation",
  errors,
  warnings,
  newHosts,
  totals: { errors: errors.length, warnings: warnings.length, newHosts: newHosts.length },
});

/** What a transcript is made of. Names are stable: clients read them. */
export type JobEventData =
  | { type: "job.created"; title: string | null; model: string; ref: string }
  | { type: "job.phase"; phase: string }
  | {
      type: "message.received";
      seq: number;
      prompt: string;
      by?: string;
      chores?: ChoreEntry[];
      attachments?: KeptAttachment[];
    }
  | { type: "turn.started"; messages: number[]; baseCommit: string; branch: string }
  | AgentEvent
  | FilesChanged
  | ValidationEvent
  | { type: "commit.pushed"; commit: string; branch: string }
  | { type: "pull_request.opened" | "pull_request.updated"; number: number; url: string; commit: string }
  | { type: "pull_request.merged" | "pull_request.closed" | "pull_request.reopened"; number: number; url: string }
  | {
      type: "turn.finished";
      ok: boolean;
      summary: string;
      files?: readonly FileReason[];
      forLaterJobs?: readonly string[];
    }
  | { type: "message.refused"; seq: number; error: JobError }
  | { type: "job.completed"; summary: string | null }
  | { type: "job.failed"; error: JobError }
  | { type: "job.archived" | "job.unarchived" };

export interface JobEvent {
  /** 1, 2, 3 … without gaps, per job. */
  seq: number;
  turn: number;
  type: string;
  data: Record<string, unknown>;
  createdAt: Date;
}

interface EventSize {
  textLength: number;
  items: number;
  depth: number;
}

const USUAL_SIZE: EventSize = { textLength: 4_096, items: 200, depth: 6 };
const SMALL_SIZE: EventSize = { textLength: 500, items: 20, depth: 4 };
const MAX_KEY_LENGTH = 200;
const MAX_EVENT_LENGTH = 32_768;

/**
 * What is stored of an event's data: without credentials, and so cut that it stays a few kilobytes whatever a model
 * wrote. Credentials go first: half of one would not be found any more.
 */
export function eventText(data: Record<string, unknown>, redact: (text: string) => string): string {
  const usual = redact(JSON.stringify(bounded(data, USUAL_SIZE, redact)));
  if (usual.length <= MAX_EVENT_LENGTH) return usual;
  const small = redact(JSON.stringify(bounded(data, SMALL_SIZE, redact)));
  return small.length <= MAX_EVENT_LENGTH ? small : JSON.stringify({ leftOut: `${usual.length} characters` });
}

function bounded(value: unknown, size: EventSize, redact: (text: string) => string): unknown {
  if (typeof value === "string") {
    if (value.length <= size.textLength) return value;
    return `${redact(value).slice(0, size.textLength).toWellFormed()}… (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (size.depth === 0) return "…";
  const inner = { ...size, depth: size.depth - 1 };
  if (Array.isArray(value)) return value.slice(0, size.items).map((item) => bounded(item, inner, redact));
  const entries = Object.entries(value).slice(0, size.items);
  return Object.fromEntries(
    entries.map(([key, item]) => [redact(key).slice(0, MAX_KEY_LENGTH), bounded(item, inner, redact)]),
  );
}

/** Appends events to a job whose row this transaction holds; `lastSeq` is its `event_seq` before. Answers with the new one. */
export async function appendEvents(
  transaction: DatabaseTransaction,
  options: {
    jobId: JobId;
    lastSeq: number;
    turn: number;
    at: number;
    events: readonly JobEventData[];
    redact(text: string): string;
  },
): Promise<number> {
  if (options.events.length === 0) return options.lastSeq;
  const rows = options.events.map((event, index) => {
    const { type, ...data } = event;
    return {
      job_id: options.jobId,
      seq: options.lastSeq + index + 1,
      turn: options.turn,
      type,
      data: eventText(data, options.redact),
      created_at: options.at,
    };
  });
  await transaction.insertInto("job_event").values(rows).execute();
  return options.lastSeq + rows.length;
}

/** The last events of some types, oldest first; of `tool.finished` those of calls that failed. */
export async function listEventsOf(
  { database }: { database: Database },
  options: { jobId: JobId; types: readonly JobEventData["type"][]; limit: number },
): Promise<JobEvent[]> {
  const rows = await database.kysely
    .selectFrom("job_event")
    .selectAll()
    .where("job_id", "=", options.jobId)
    .where("type", "in", options.types)
    .where(({ eb, or }) => or([eb("type", "<>", "tool.finished"), eb("data", "like", '%"ok":false%')]))
    .orderBy("seq", "desc")
    .limit(sql.lit(options.limit))
    .execute();
  return rows.toReversed().map(eventFromRow);
}

/** Events after `after`, oldest first. */
export async function listEvents(
  { database }: { database: Database },
  options: { jobId: JobId; after: number; limit: number },
): Promise<{ events: JobEvent[]; hasMore: boolean }> {
  const rows = await database.kysely
    .selectFrom("job_event")
    .selectAll()
    .where("job_id", "=", options.jobId)
    .where("seq", ">", options.after)
    .orderBy("seq")
    .limit(sql.lit(options.limit + 1))
    .execute();
  return { events: rows.slice(0, options.limit).map(eventFromRow), hasMore: rows.length > options.limit };
}

/** The last events before `before` (null: of all), oldest first; `hasMore` says that there are earlier ones. */
export async function listLatestEvents(
  { database }: { database: Database },
  options: { jobId: JobId; before: number | null; limit: number },
): Promise<{ events: JobEvent[]; hasMore: boolean }> {
  let query = database.kysely
    .selectFrom("job_event")
    .selectAll()
    .where("job_id", "=", options.jobId)
    .orderBy("seq", "desc")
    .limit(sql.lit(options.limit + 1));
  if (options.before !== null) query = query.where("seq", "<", options.before);
  const rows = await query.execute();
  const events = rows.slice(0, options.limit).toReversed().map(eventFromRow);
  return { events, hasMore: rows.length > options.limit };
}

function eventFromRow(row: Selectable<Tables["job_event"]>): JobEvent {
  return {
    seq: row.seq,
    turn: row.turn,
    type: row.type,
    data: JSON.parse(row.data) as Record<string, unknown>,
    createdAt: new Date(row.created_at),
  };
}
