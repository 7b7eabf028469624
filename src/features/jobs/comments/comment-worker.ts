import { recordRemark } from "#hosts/remote/connection-remarks.ts";
import type { PullRequest } from "#hosts/code-host.ts";
import type { ReachedHost } from "#hosts/remote/reach-host.ts";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { startDueRows } from "#kit/tasks/due-rows.ts";
import type { Logger } from "#lib/logger.ts";
import { pullRequestOf } from "#features/jobs/job-rows.ts";
import { announceMessage, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import { answerComment } from "./comment-answers.ts";
import { type CommentRow, recordFailure, releaseComment, takeComment, recordDone } from "./comment-rows.ts";
import { followUpPullRequest } from "./pull-request-follow-up.ts";
import { PROMPT_RULES } from "#features/jobs/job-limits.ts";
import { findComplaint } from "#kit/http/text-rules.ts";

export interface CommentWorkerDeps {
  submit: SubmitDeps;
  logger: Logger;
  reach(projectId: ProjectId, signal: AbortSignal): Promise<ReachedHost>;
  jobUrl(projectId: ProjectId, jobId: JobId): Promise<string | null>;
  /** Seals the marks by which answers are found again. */
  markKey: Buffer;
  /** After this time another process retries the step: the process that claimed it has ended. Longer than requests take. */
  leaseMs: number;
}

const AWAY: ReadonlySet<string> = new Set(["unavailable", "rate_limited", "forbidden"]);
const AT_ONCE = 16;

/** Numbers of the pull requests that belong to a job. */
export async function findJobPullRequests(
  { database }: { database: Database },
  projectId: ProjectId,
  pullRequests: readonly Pick<PullRequest, "number" | "head">[],
): Promise<ReadonlySet<number>> {
  if (pullRequests.length === 0) return new Set();
  const rows = await database.kysely
    .selectFrom("job")
    .select("pull_request")
    .where("project_id", "=", projectId)
    .where("branch", "in", [...new Set(pullRequests.map(({ head }) => head.branch))])
    .where("pull_request", "is not", null)
    .execute();
  const known = new Set(rows.map((row) => pullRequestOf(row)?.number));
  return new Set(pullRequests.map(({ number }) => number).filter((number) => known.has(number)));
}

/**
 * Turns comments into messages of jobs and replies to them, until disposed. Any number of processes may do so on one store.
 * A step is recorded before it runs, or finds its own result when it runs again, so a kill neither loses nor repeats one.
 */
export function startCommentWorker(deps: CommentWorkerDeps): AsyncDisposable {
  const comments = startDueRows<CommentRow>(deps.logger, {
    claim: (busy) => takeComment(deps.submit, { leaseMs: deps.leaseMs, busy }),
    ownerOf: ({ project_id: projectId }) => projectId,
    run: (row, signal) => step(deps, row, signal),
    describe: ({ project_id: project }) => ({ project }),
    messages: { all: "comments could not be worked on", one: "comment not worked on" },
    atOnce: AT_ONCE,
    // A host that hangs delays only its own project.
    atOncePerOwner: 1,
  });
  const unsubscribe = deps.submit.database.wakeUp.subscribe("host_comment", comments.ring);
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await comments[Symbol.asyncDispose]();
    },
  };
}

async function step(deps: CommentWorkerDeps, row: CommentRow, signal: AbortSignal): Promise<void> {
  const { submit } = deps;
  const jobUrl = ({ project_id }: Pick<CommentRow, "project_id">, jobId: JobId) => deps.jobUrl(project_id, jobId);
  try {
    const reached = await deps.reach(row.project_id, signal);
    if (row.state === "found") await followUpComment(submit, reached, row);
    else await answerComment({ ...submit, jobUrl, markKey: deps.markKey }, reached, row);
    await recordRemark(submit, row.project_id, "answers", null);
  } catch (error) {
    if (signal.aborted) return releaseComment(submit, row);
    if (!(error instanceof AppError)) {
      deps.logger.error({ err: error, project: row.project_id }, "comment not worked on");
    }
    const note = error instanceof AppError ? error.message : "An unexpected error; the server's log has more.";
    const retryAfterSeconds = error instanceof AppError ? error.retryAfterSeconds : undefined;
    const isAway = error instanceof AppError && AWAY.has(error.code);
    await recordFailure(submit, row, { note, retryAfterSeconds, isAway });
    if (!(error instanceof AppError) || error.code !== "forbidden") return;
    await recordRemark(submit, row.project_id, "answers", `A comment is not answered: ${note}`);
  }
}

/**
 * Adds a comment to its job as a message, in one transaction with the state of the comment. A comment by a program, or by
 * someone who may not write to the repository, is ignored without a reply: replying to everyone would echo spam.
 * `AppError rate_limited`, `unavailable`, `forbidden` come from the host.
 */
async function followUpComment(deps: SubmitDeps, reached: ReachedHost, row: CommentRow): Promise<void> {
  const { api, call, path } = reached;
  const author = { id: row.author_id, login: row.author_login, isBot: false };
  const { isBot, mayWrite } = await api.conversation.readAuthor(call, path, author);
  if (isBot || !mayWrite) {
    const note = isBot ? "Its author is a program." : "Its author may not write to the repository.";
    return recordDone(deps, row, { state: "ignored", note });
  }
  const complaint = row.prompt.trim() === "" ? "says nothing after the name" : findComplaint(PROMPT_RULES, row.prompt);
  if (complaint !== null) return recordDone(deps, row, { state: "refused", note: `The comment ${complaint}.` });
  const message = await deps.database.transaction((transaction) => addAsMessage(transaction, deps, row));
  if (message) announceMessage(deps.database, { projectId: row.project_id, ...message });
}

/** Null when the job no longer exists, or when another process was faster. */
async function addAsMessage(
  transaction: DatabaseTransaction,
  deps: SubmitDeps,
  row: CommentRow,
): Promise<{ jobId: JobId; seq: number } | null> {
  const now = deps.clock.now();
  const taken = await transaction
    .updateTable("host_comment")
    .set({ state: "accepted", tries: 0, due_at: now.getTime(), note: null })
    .where("project_id", "=", row.project_id)
    .where("id", "=", row.id)
    .where("state", "=", "found")
    .returning("id")
    .executeTakeFirst();
  if (!taken) return null;
  const own = transaction.updateTable("host_comment").where("project_id", "=", row.project_id).where("id", "=", row.id);
  const { number, branch, prompt, about } = row;
  const message = await followUpPullRequest(transaction, deps, { projectId: row.project_id, number, branch, prompt, about }); // oxfmt-ignore
  await own
    .set(
      message === null
        ? { state: "ignored", note: "The job of the pull request is gone." }
        : { job_id: message.jobId, message_seq: message.seq },
    )
    .execute();
  return message;
}
