import { cleanText, inertText } from "#agent/finish-text.ts";
import { sealedAnswerMark } from "#hosts/remote/addressed.ts";
import type { ReachedHost } from "#hosts/remote/reach-host.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import { counted } from "#lib/counted.ts";
import { cutText } from "#lib/cut-text.ts";
import type { JobId } from "#lib/ids.ts";
import type { ChoreSuggestion } from "#features/jobs/job.ts";
import { StoredError } from "#features/jobs/job-rows.ts";
import { z } from "zod";
import { type CommentRow, recordDone } from "./comment-rows.ts";

interface Deps {
  database: Database;
  clock: Clock;
  /** Page of a job for the project's people. */
  jobUrl(row: Pick<CommentRow, "project_id">, jobId: JobId): Promise<string | null>;
  /** Seals the marks of answers. */
  markKey: Buffer;
}

const markOf = ({ markKey: key }: Pick<Deps, "markKey">, { id, project_id: projectId }: CommentRow) =>
  sealedAnswerMark(id, { key, projectId });

const MAX_SUMMARY_LENGTH = 8_000;

/**
 * Replies to a comment in its thread: that it was accepted, or why it was refused. When its message is handled, the same
 * reply is changed to say what was done. A mark in the reply lets a retry after an interruption find it.
 */
export async function answerComment(deps: Deps, reached: ReachedHost, row: CommentRow): Promise<void> {
  const handled = row.state === "refused" ? null : await messageResult(deps, messageOf(row));
  const isOver = row.state === "refused" || handled !== null;
  const words = row.state === "refused" ? refusal(row) : (handled ?? (await acceptance(deps, row)));
  const top = row.thread === null ? `In answer to [this comment](${row.url}):\n\n` : "";
  const body = `${top}${words}\n\n${markOf(deps, row)}`;
  const id = await write(deps, reached, { row, body });
  await recordDone(deps, row, { answer_id: id, ...(isOver && { state: "answered" }) });
}

async function write(
  deps: Pick<Deps, "markKey">,
  { api, call, path }: ReachedHost,
  { row, body }: { row: CommentRow; body: string },
): Promise<string> {
  const { conversation } = api;
  const { number } = row;
  const known = row.answer_id ?? (await findAnswer(deps, { api, call, path }, row));
  if (known !== null) {
    try {
      await conversation.changeComment(call, path, { number, id: known, body });
      return known;
    } catch (error) {
      // The reply was deleted: write it again. A comment that only looks like our reply belongs to someone else.
      const isOurs = row.answer_id !== null;
      const isGone =
        error instanceof AppError && (error.code === "not_found" || (error.code === "forbidden" && !isOurs));
      if (!isGone) throw error;
    }
  }
  return conversation.addComment(call, path, { number, thread: row.thread, body });
}

/** The reply that an interrupted attempt wrote, or that was written before the database was restored. */
async function findAnswer(
  deps: Pick<Deps, "markKey">,
  { api, call, path }: Pick<ReachedHost, "api" | "call" | "path">,
  row: CommentRow,
): Promise<string | null> {
  const pullRequest = { number: row.number, url: row.url };
  const comments = await api.conversation.listComments(call, path, pullRequest, new Date(row.changed_at));
  const mark = markOf(deps, row);
  return comments.find(({ body }) => body.split("\n").some((line) => line.trimEnd() === mark))?.id ?? null;
}

const messageOf = (row: CommentRow): CommentMessage => ({
  jobId: row.job_id,
  seq: row.message_seq,
  number: row.number,
});

async function isHandled({ database }: Pick<Deps, "database">, { jobId, seq }: CommentMessage): Promise<boolean> {
  if (jobId === null || seq === null) return true;
  const job = await database.kysely.selectFrom("job").select("done_seq").where("id", "=", jobId).executeTakeFirst();
  return job === undefined || job.done_seq >= seq;
}

const refusal = ({ note }: CommentRow) => `Docent cannot act on this comment: ${note ?? "it cannot be done."}`;

async function acceptance(deps: Deps, row: CommentRow): Promise<string> {
  const url = row.job_id === null ? null : await deps.jobUrl(row, row.job_id);
  return url === null ? "Docent works on it." : `Docent works on it: [job](${url}).`;
}

const Finished = z.object({ ok: z.boolean(), summary: z.string() });
const Pushed = z.object({ commit: z.string() });
const Failed = z.object({ error: StoredError });
const Opened = z.object({ number: z.number(), url: z.string() });

/** The message of a job that a comment on a pull request became. */
interface CommentMessage {
  /** Null when the job was deleted. */
  jobId: JobId | null;
  seq: number | null;
  /** Of the pull request. */
  number: number;
}

/** The outcome of the turn that handled the message, read from the transcript, as Markdown; null while it is not handled. */
export async function messageResult(deps: Pick<Deps, "database">, message: CommentMessage): Promise<string | null> {
  if (!(await isHandled(deps, message))) return null;
  const { jobId, seq, number } = message;
  if (jobId === null || seq === null) return "The job was deleted before it was done.";
  const turn = await deps.database.kysely
    .selectFrom("job_event")
    .select(({ fn }) => fn.max("turn").as("turn"))
    .where("job_id", "=", jobId)
    .where("turn", "<=", seq)
    .where("type", "in", ["turn.started", "turn.finished", "job.failed"])
    .executeTakeFirst();
  const events = await deps.database.kysely
    .selectFrom("job_event")
    .select(["type", "data"])
    .where("job_id", "=", jobId)
    .where("turn", "=", turn?.turn ?? seq)
    .where("type", "in", ["turn.finished", "commit.pushed", "job.failed", "message.refused", "pull_request.opened"])
    .orderBy("seq", "desc")
    .limit(50)
    .execute();
  const last = <T>(type: string, shape: z.ZodType<T>): T | null => {
    const event = events.find((one) => one.type === type);
    return event ? (shape.safeParse(JSON.parse(event.data)).data ?? null) : null;
  };
  const failed = last("job.failed", Failed) ?? last("message.refused", Failed);
  const finished = last("turn.finished", Finished);
  if (failed && finished?.ok !== true) {
    const { message, hint, suggestions = [] } = failed.error;
    return withSummary("Not done.", `${message} ${hint}`) + suggestionList(suggestions);
  }
  if (!finished) return "Not done: the job ended before it reached this comment.";
  if (!finished.ok) return withSummary("Not done.", finished.summary);
  const commit = last("commit.pushed", Pushed)?.commit.slice(0, 12);
  const opened = last("pull_request.opened", Opened);
  const where = opened && opened.number !== number ? `, in a new pull request: ${opened.url}` : "";
  return withSummary(`${commit === undefined ? "Nothing to commit" : `Done in ${commit}`}${where}.`, finished.summary);
}

/** The suggested chores. To use one, people send the text between the backticks as a comment of its own. */
function suggestionList(suggestions: readonly ChoreSuggestion[]): string {
  if (suggestions.length === 0) return "";
  const lines = suggestions.map(
    ({ title, files, places }) =>
      `- \`${cleanText(title).replaceAll("`", "")}\` (${counted(files, "file")}, ${counted(places, "line")})`,
  );
  return `\n\nWithout a language model, one of these works here:\n\n${lines.join("\n")}`;
}

/** A sentence follows on the same line; a list or another block would lose its shape there. */
function withSummary(outcome: string, summary: string): string {
  const text = shown(summary);
  return outcome + (/\n|^(?:[-*+#>|]|\d+[.)])/.test(text) ? "\n\n" : " ") + text;
}

const shown = (text: string) => cutText(inertText(cleanText(text)), MAX_SUMMARY_LENGTH);
