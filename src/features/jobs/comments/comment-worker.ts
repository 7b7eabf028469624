import { recordRemark } from "#hosts/remote/connection-remarks.ts";
import type { PullRequest } from "#hosts/code-host.ts";
import type { ReachedHost } from "#hosts/remote/reach-host.ts";
import type { Database } from "#db/database.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import { startDueRows } from "#kit/tasks/due-rows.ts";
import type { Logger } from "#lib/logger.ts";
import { pullRequestOf } from "#features/jobs/job-rows.ts";
import type { SubmitDeps } from "#features/jobs/requests/submit.ts";
import { answerComment } from "./comment-answers.ts";
import { type CommentRow, recordFailure, releaseComment, takeComment } from "./comment-rows.ts";
import { followUpComment } from "./follow-up-comment.ts";

export interface CommentWorkerDeps {
  submit: SubmitDeps;
  logger: Logger;
  reach(projectId: ProjectId, signal: AbortSignal): Promise<ReachedHost>;
  jobUrl(projectId: ProjectId, jobId: JobId): Promise<string | null>;
  /** Seals the marks by which answers are found again. */
  markKey: Buffer;
  /** A try that is not over by then is another process's to repeat: its own has ended. Longer than requests take. */
  leaseMs: number;
}

const AWAY: ReadonlySet<string> = new Set(["unavailable", "rate_limited", "forbidden"]);
const AT_ONCE = 16;

/** Which of these pull requests are what a job works on, by number. */
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
 * Carries out what comments ask for and answers them, until disposed. Any number of processes may do it on one store. Each
 * step is written down before it is taken or finds its own work when it is taken again, so a kill loses and doubles none.
 */
export function startCommentWorker(deps: CommentWorkerDeps): AsyncDisposable {
  const comments = startDueRows<CommentRow>(deps.logger, {
    claim: (busy) => takeComment(deps.submit, { leaseMs: deps.leaseMs, busy }),
    ownerOf: ({ project_id: projectId }) => projectId,
    run: (row, signal) => step(deps, row, signal),
    describe: ({ project_id: project }) => ({ project }),
    messages: { all: "comments could not be worked on", one: "comment not worked on" },
    atOnce: AT_ONCE,
    // A host that hangs holds up its own project alone.
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
