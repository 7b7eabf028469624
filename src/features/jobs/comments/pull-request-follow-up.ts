import type { DatabaseTransaction } from "#db/database.ts";
import { pullRequestOf } from "#features/jobs/job-rows.ts";
import { unarchiveIn } from "#features/jobs/requests/lifecycle.ts";
import { insertMessage, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import type { Identity } from "#git/objects/objects.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";

/** The built-in rules refuse a message with a sentence that they do not understand, so nothing is added to its text. */
const PLAIN_MODELS = /^docent\//;

/**
 * Adds a comment to the job of its pull request as a message, in the caller's transaction; notify `job` and `job_event`
 * after its commit. An archived job continues. Null when no job has this pull request. Throws what `addMessage` throws.
 */
export async function followUpPullRequest(
  transaction: DatabaseTransaction,
  deps: SubmitDeps,
  comment: {
    projectId: ProjectId;
    number: number;
    /** Head of the pull request. */
    branch: string;
    prompt: string;
    /** The file and line of the comment: `index.md, line 3`. */
    about: string | null;
    /** Absent for a person at another host. */
    askedBy?: Identity;
  },
): Promise<{ jobId: JobId; seq: number } | null> {
  const { projectId, about } = comment;
  const job = await transaction
    .selectFrom("job")
    .select(["id", "model", "pull_request"])
    .where("project_id", "=", projectId)
    .where("branch", "=", comment.branch)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!job || pullRequestOf(job)?.number !== comment.number) return null;
  const name = { projectId, jobId: job.id };
  const isPlain = about === null || PLAIN_MODELS.test(job.model);
  const prompt = isPlain ? comment.prompt : `${comment.prompt}\n\n(This is about ${about}.)`;
  try {
    await unarchiveIn(transaction, deps, name);
    const message = { ...name, prompt, askedBy: comment.askedBy ?? null, now: deps.clock.now() };
    const { job: changed } = await insertMessage(transaction, deps, message);
    return { jobId: job.id, seq: changed.messageCount };
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
}
