import { type Selectable, sql } from "kysely";
import type { AgentEvent } from "#agent/agent-event.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import type { JobId } from "#lib/ids.ts";
import type { JobError } from "./job.ts";

/** What a transcript is made of. Names are stable: clients read them. */
export type JobEventData =
  | { type: "job.created"; title: string | null; model: string; ref: string }
  | { type: "job.phase"; phase: string }
  | { type: "message.received"; seq: number; prompt: string }
  | { type: "turn.started"; messages: number[]; baseCommit: string; branch: string }
  | AgentEvent
  | { type: "files.changed"; added: string[]; modified: string[]; removed: string[] }
  | { type: "validation"; errors: unknown[]; warnings: unknown[]; newHosts: string[] }
  | { type: "commit.pushed"; commit: string; branch: string }
  | { type: "pull_request.opened" | "pull_request.updated"; number: number; url: string; commit: string }
  | { type: "turn.finished"; ok: boolean; summary: string }
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

const MAX_TEXT_LENGTH = 4_096;
const MAX_ITEMS = 200;
const MAX_DEPTH = 6;

/** Cuts long texts and lists, so that one event stays a few kilobytes whatever a model wrote. */
export function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    return value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}… (${value.length} characters)` : value;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => bounded(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_ITEMS)
      .map(([key, item]) => [key, bounded(item, depth + 1)]),
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
      data: options.redact(JSON.stringify(bounded(data))),
      created_at: options.at,
    };
  });
  await transaction.insertInto("job_event").values(rows).execute();
  return options.lastSeq + rows.length;
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
