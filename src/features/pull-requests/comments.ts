import type { Database, DatabaseTransaction, Queryable } from "#db/database.ts";
import { isStorable, type TextRule } from "#kit/http/text-rules.ts";
import { AppError } from "#lib/app-error.ts";
import { type JobId, newId, type PersonId, type ProjectId } from "#lib/ids.ts";
import { sql } from "kysely";

/** What a review says of the whole change. `comment` says nothing. */
export const VERDICTS = ["comment", "approve", "changes"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface PullRequestName {
  projectId: ProjectId;
  number: number;
}

/** A line of a change. `old` is the side before it. */
export interface LinePlace {
  path: string;
  side: "old" | "new";
  line: number;
}

/** A comment or review by a person. */
export interface Comment {
  id: string;
  threadId: string | null;
  verdict: Verdict;
  /** Length of its Markdown, which `readBodies` reads. */
  characters: number;
  /** The head of the pull request that the author saw. */
  commit: string;
  /** Null when the account was deleted, as is `email`. */
  personId: PersonId | null;
  author: string;
  email: string | null;
  /** The message of a job that a mention of the agent became. */
  message: { jobId: JobId | null; seq: number } | null;
  /** Why a mention was not sent to the agent. */
  note: string | null;
  createdAt: Date;
  editedAt: Date | null;
}

/** Comments on a line, oldest first, never empty. */
export interface Thread {
  id: string;
  place: LinePlace;
  /** The commit in which the line has its number. */
  commit: string;
  lineText: string;
  resolvedBy: string | null;
  comments: Comment[];
}

export interface Conversation {
  /** Comments on the pull request as a whole, oldest first. */
  remarks: Comment[];
  threads: Thread[];
}

/** Of one person on one pull request, so that no one can use up the room of others. Reviews with a verdict are exempt. */
const MAX_COMMENTS = 200;
const MAX_CHARACTERS = 10_000;
const MAX_LINE_TEXT = 300;

export const COMMENT_RULES: readonly TextRule[] = [
  { holds: (text) => text.length <= MAX_CHARACTERS, message: `must have at most ${MAX_CHARACTERS} characters` },
  { holds: isStorable, message: "must not contain a NUL character or half of a character" },
];

/** Reads all comments of a pull request, without their texts. */
export async function readConversation(queryable: Queryable, name: PullRequestName): Promise<Conversation> {
  const rows = await queryable
    .selectFrom("pull_request_comment as comment")
    .leftJoin("person", "person.id", "comment.person_id")
    .select(["comment.id", "thread_id", "verdict", "commit_sha", "person_id", "author", "person.email"])
    .select(["job_id", "message_seq", "note", "comment.created_at", "edited_at"])
    .select(sql<number>`length(comment.body)`.as("characters"))
    .where("project_id", "=", name.projectId)
    .where("number", "=", name.number)
    .orderBy("comment.id")
    .execute();
  const threads = await queryable
    .selectFrom("pull_request_thread")
    .selectAll()
    .where("project_id", "=", name.projectId)
    .where("number", "=", name.number)
    .orderBy("id")
    .execute();
  const byThread = Map.groupBy(
    rows.map((row): Comment => ({
      id: row.id,
      threadId: row.thread_id,
      verdict: row.verdict,
      characters: row.characters,
      commit: row.commit_sha,
      personId: row.person_id,
      author: row.author,
      email: row.email,
      message: row.message_seq === null ? null : { jobId: row.job_id, seq: row.message_seq },
      note: row.note,
      createdAt: new Date(row.created_at),
      editedAt: row.edited_at === null ? null : new Date(row.edited_at),
    })),
    ({ threadId }) => threadId,
  );
  return {
    remarks: byThread.get(null) ?? [],
    threads: threads.map((row) => ({
      id: row.id,
      place: { path: row.path, side: row.side, line: row.line },
      commit: row.commit_sha,
      lineText: row.line_text,
      resolvedBy: row.resolved_by,
      comments: byThread.get(row.id) ?? [],
    })),
  };
}

/** The comments of a conversation, oldest first. IDs are in order of time. */
export const commentsOf = ({ remarks, threads }: Conversation): Comment[] =>
  [...remarks, ...threads.flatMap(({ comments }) => comments)].sort((one, other) => (one.id < other.id ? -1 : 1));

/** The Markdown of comments, by ID. */
export async function readBodies(queryable: Queryable, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryable
    .selectFrom("pull_request_comment")
    .select(["id", "body"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, body }) => [id, body]));
}

export interface NewComment extends PullRequestName {
  body: string;
  verdict: Verdict;
  commit: string;
  by: { id: PersonId; name: string };
  at: Date;
  /** The thread that it answers, or the line on which it starts one; null for the pull request as a whole. */
  on: { threadId: string } | (LinePlace & { commit: string; lineText: string }) | null;
  message: { jobId: JobId; seq: number } | null;
  note: string | null;
}

/** Adds a comment. An answer to a resolved thread leaves it resolved. `AppError conflict` when its author has too many. */
export async function insertComment(
  transaction: DatabaseTransaction,
  { on, ...comment }: NewComment,
): Promise<{ id: string; threadId: string | null }> {
  const { projectId, number, at, by, message } = comment;
  if (comment.verdict === "comment" && (await countOwn(transaction, comment)) >= MAX_COMMENTS)
    throw new AppError(
      "conflict",
      `You have ${MAX_COMMENTS} comments on this pull request, which is the limit. Edit one, or delete some.`,
    );
  const threadId = on === null ? null : "threadId" in on ? on.threadId : newId("thr", at);
  if (on !== null && !("threadId" in on)) {
    const { path, side, line, commit, lineText } = on;
    const place = { path, side, line, commit_sha: commit, line_text: lineText.slice(0, MAX_LINE_TEXT) };
    await transaction
      .insertInto("pull_request_thread")
      .values({ id: threadId!, project_id: projectId, number, ...place, resolved_by: null, resolved_at: null })
      .execute();
  }
  const id = newId("cmt", at);
  await transaction
    .insertInto("pull_request_comment")
    .values({
      id,
      project_id: projectId,
      number,
      thread_id: threadId,
      verdict: comment.verdict,
      body: comment.body,
      commit_sha: comment.commit,
      person_id: by.id,
      author: by.name,
      job_id: message?.jobId ?? null,
      message_seq: message?.seq ?? null,
      note: comment.note,
      created_at: at.getTime(),
      edited_at: null,
    })
    .execute();
  return { id, threadId };
}

async function countOwn(
  transaction: DatabaseTransaction,
  { projectId, number, by }: Pick<NewComment, "projectId" | "number" | "by">,
) {
  const { count } = await transaction
    .selectFrom("pull_request_comment")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("project_id", "=", projectId)
    .where("number", "=", number)
    .where("person_id", "=", by.id)
    .where("verdict", "=", "comment")
    .executeTakeFirstOrThrow();
  return Number(count);
}

type Editing = Pick<Database, "kysely">;

export async function editComment(
  { kysely }: Editing,
  { id, body, at }: { id: string; body: string; at: Date },
): Promise<void> {
  const change = { body, edited_at: at.getTime() };
  await kysely.updateTable("pull_request_comment").set(change).where("id", "=", id).execute();
}

/** Deletes a comment, and its thread with its last comment. */
export async function deleteComment(database: Database, { id, threadId }: Comment): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.deleteFrom("pull_request_comment").where("id", "=", id).execute();
    if (threadId === null) return;
    const rest = transaction.selectFrom("pull_request_comment").select("id").where("thread_id", "=", threadId);
    await transaction
      .deleteFrom("pull_request_thread")
      .where("id", "=", threadId)
      .where(({ not, exists }) => not(exists(rest)))
      .execute();
  });
}

/** `by` is the name of the person who resolves a thread; null opens it again. */
export async function resolveThread(
  { kysely }: Editing,
  { id, by, at }: { id: string; by: string | null; at: Date },
): Promise<void> {
  const change = { resolved_by: by, resolved_at: by === null ? null : at.getTime() };
  await kysely.updateTable("pull_request_thread").set(change).where("id", "=", id).execute();
}

/** The last approval or request for changes of each person, in order of time. */
export function verdictsOf({ remarks }: Conversation): Comment[] {
  const last = new Map<string, Comment>();
  for (const comment of remarks) {
    if (comment.verdict === "comment") continue;
    const key = comment.personId ?? comment.author;
    last.delete(key);
    last.set(key, comment);
  }
  return [...last.values()];
}
