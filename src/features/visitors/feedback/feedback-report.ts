import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import type { DayRange } from "#features/visitors/range.ts";
import type { Database } from "#db/database.ts";
import type { Tables } from "#db/schema.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";

/** The status of an entry for the team, in the commercial API's terms. */
export const FEEDBACK_STATUSES = ["pending", "in_progress", "resolved", "dismissed"] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

/**
 * The source of an entry, in the commercial API's terms: a vote alone, a vote with a comment, a program. Docent has
 * none on code snippets.
 */
export const FEEDBACK_SOURCES = ["code_snippet", "contextual", "agent", "thumbs_only"] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

export interface FeedbackEntry {
  id: string;
  path: string;
  comment: string | null;
  createdAt: string;
  source: FeedbackSource;
  status: FeedbackStatus;
  /** Null when an agent did not say. */
  helpful: boolean | null;
  /** Readers are not asked for an address. */
  contact: null;
}

/** The feedback on a page: votes by readers, and all entries. */
export interface PageFeedback {
  path: string;
  thumbsUp: number;
  thumbsDown: number;
  code: number;
  total: number;
}

export interface FeedbackQuery extends DayRange {
  projectId: ProjectId;
  source: FeedbackSource | null;
  /** Empty for all. */
  statuses: readonly FeedbackStatus[];
  limit: number;
}

type Builder = ExpressionBuilder<Tables, "feedback">;

function matching({ projectId, from, to, source, statuses }: Omit<FeedbackQuery, "limit">) {
  return (has: Builder): Expression<SqlBool> =>
    has.and([
      has("project_id", "=", projectId),
      ...(from === null ? [] : [has("day", ">=", from)]),
      ...(to === null ? [] : [has("day", "<", to)]),
      ...(statuses.length === 0 ? [] : [has("status", "in", [...statuses])]),
      ...(source === null ? [] : [isFrom(has, source)]),
    ]);
}

function isFrom(has: Builder, source: FeedbackSource): Expression<SqlBool> {
  if (source === "code_snippet") return sql<SqlBool>`1 = 0`;
  if (source === "agent") return has("author", "=", "agent");
  return has.and([has("author", "=", "reader"), has("comment", source === "contextual" ? "is not" : "is", null)]);
}

/** Entries, newest first, after a cursor; `AppError invalid` for an invalid cursor. */
export async function listFeedback(
  { database }: { database: Database },
  query: FeedbackQuery & { cursor: string | null; hasWords?: boolean },
): Promise<{ feedback: FeedbackEntry[]; nextCursor: string | null; hasMore: boolean }> {
  const after = query.cursor === null ? null : readCursor(query.cursor);
  let rows = database.kysely.selectFrom("feedback").selectAll().where(matching(query));
  if (query.hasWords) rows = rows.where("comment", "is not", null);
  if (after !== null) {
    const { at, id } = after;
    rows = rows.where((has) =>
      has.or([has("created_at", "<", at), has.and([has("created_at", "=", at), has("id", "<", id)])]),
    );
  }
  const found = await rows
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(query.limit + 1)
    .execute();
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = found.length > query.limit;
  return {
    feedback: shown.map(({ id, page, comment, created_at, author, status, helpful }) => ({
      id,
      path: page,
      comment,
      createdAt: new Date(Number(created_at)).toISOString(),
      source: author === "agent" ? "agent" : comment === null ? "thumbs_only" : "contextual",
      status,
      helpful: helpful === null ? null : Number(helpful) === 1,
      contact: null,
    })),
    nextCursor: hasMore && last ? Buffer.from(`${last.created_at} ${last.id}`).toString("base64url") : null,
    hasMore,
  };
}

function readCursor(cursor: string): { at: number; id: string } {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const match = /^(\d{1,15}) (fbk_[0-9a-z]{26})$/.exec(text);
  if (match) return { at: Number(match[1]), id: match[2]! };
  const details = [{ path: "cursor", message: "must be a cursor that a page gave" }];
  throw new AppError("invalid", "The query is not valid: cursor must be a cursor that a page gave.", { details });
}

/** Pages with their feedback, those with the most entries first. */
export async function reportFeedbackByPage(
  { database }: { database: Database },
  query: FeedbackQuery & { offset: number },
): Promise<{ feedback: PageFeedback[]; hasMore: boolean }> {
  const votes = (helpful: number) =>
    sql<number>`sum(case when author = 'reader' and helpful = ${helpful} then 1 else 0 end)`;
  const rows = await database.kysely
    .selectFrom("feedback")
    .select(["page", votes(1).as("up"), votes(0).as("down"), sql<number>`count(*)`.as("total")])
    .where(matching(query))
    .groupBy("page")
    .orderBy("total", "desc")
    .orderBy("page")
    .limit(query.limit + 1)
    .offset(query.offset)
    .execute();
  const feedback = rows.slice(0, query.limit).map(({ page, up, down, total }) => ({
    path: page,
    thumbsUp: Number(up),
    thumbsDown: Number(down),
    code: 0,
    total: Number(total),
  }));
  return { feedback, hasMore: rows.length > query.limit };
}

/** All votes by readers in a range. */
export async function countVotes(
  { database }: { database: Database },
  { projectId, from, to }: DayRange & { projectId: ProjectId },
): Promise<{ helpful: number; notHelpful: number; agents: number }> {
  const rows = await database.kysely
    .selectFrom("feedback")
    .select(["author", "helpful", sql<number>`count(*)`.as("entries")])
    .where(matching({ projectId, from, to, source: null, statuses: [] }))
    .groupBy(["author", "helpful"])
    .execute();
  const sum = (isWanted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(isWanted).reduce((total, { entries }) => total + Number(entries), 0);
  return {
    helpful: sum(({ author, helpful }) => author === "reader" && Number(helpful) === 1),
    notHelpful: sum(({ author, helpful }) => author === "reader" && Number(helpful) === 0),
    agents: sum(({ author }) => author === "agent"),
  };
}

/** Sets the status of an entry; false when the project has no such entry. */
export async function setFeedbackStatus(
  { database }: { database: Database },
  { projectId, id, status }: { projectId: ProjectId; id: string; status: FeedbackStatus },
): Promise<boolean> {
  const { numUpdatedRows } = await database.kysely
    .updateTable("feedback")
    .set({ status })
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const FEEDBACK_COLUMNS = ["id", "path", "comment", "createdAt", "source", "status", "helpful"] as const;
export const PAGE_FEEDBACK_COLUMNS = ["path", "thumbsUp", "thumbsDown", "code", "total"] as const;

/** An entry as a row of a table: booleans become words. */
export const feedbackRow = (entry: FeedbackEntry) => ({
  ...entry,
  helpful: entry.helpful === null ? "" : entry.helpful ? "yes" : "no",
});
