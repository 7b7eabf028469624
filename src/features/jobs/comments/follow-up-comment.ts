import { AppError } from "#lib/app-error.ts";
import type { ReachedHost } from "#hosts/remote/reach-host.ts";
import type { DatabaseTransaction } from "#db/database.ts";
import type { JobId } from "#lib/ids.ts";
import { pullRequestOf } from "#features/jobs/job-rows.ts";
import { unarchiveIn } from "#features/jobs/requests/lifecycle.ts";
import { insertMessage, type SubmitDeps } from "#features/jobs/requests/submit.ts";
import { PROMPT_RULES } from "#features/jobs/text-rules.ts";
import { findComplaint } from "#kit/http/text-rules.ts";
import { type CommentRow, recordDone } from "./comment-rows.ts";

/** The built-in rules understand every sentence or none. */
const PLAIN_MODELS = /^docent\//;

/**
 * Makes a message of the job of a comment, in one transaction with the row that says so. A comment of a program, or of
 * somebody who may not write to the repository, is ignored without a word: an answer to everybody would be an echo for
 * spam. `AppError rate_limited`, `unavailable`, `forbidden` as of the host.
 */
export async function followUpComment(deps: SubmitDeps, reached: ReachedHost, row: CommentRow): Promise<void> {
  const { api, call, path } = reached;
  const author = { id: row.author_id, login: row.author_login, isBot: false };
  const { isBot, mayWrite } = await api.conversation.readAuthor(call, path, author);
  if (isBot || !mayWrite) {
    const note = isBot ? "Its author is a program." : "Its author may not write to the repository.";
    return recordDone(deps, row, { state: "ignored", note });
  }
  const complaint = row.prompt.trim() === "" ? "says nothing after the name" : findComplaint(PROMPT_RULES, row.prompt);
  if (complaint !== null) return recordDone(deps, row, { state: "refused", note: `The comment ${complaint}.` });
  const jobId = await deps.database.transaction((transaction) => addAsMessage(transaction, deps, row));
  if (jobId === null) return;
  deps.database.wakeUp.notify("job", jobId);
  deps.database.wakeUp.notify("job_event", jobId);
}

/** Null when there is no such job any more, or another process was faster. */
async function addAsMessage(
  transaction: DatabaseTransaction,
  deps: SubmitDeps,
  row: CommentRow,
): Promise<JobId | null> {
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
  const job = await transaction
    .selectFrom("job")
    .select(["id", "model", "pull_request"])
    .where("project_id", "=", row.project_id)
    .where("branch", "=", row.branch)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!job || pullRequestOf(job)?.number !== row.number) {
    await own.set({ state: "ignored", note: "The job of the pull request is gone." }).execute();
    return null;
  }
  const name = { projectId: row.project_id, jobId: job.id };
  const isPlain = row.about === null || PLAIN_MODELS.test(job.model);
  const prompt = isPlain ? row.prompt : `${row.prompt}\n\n(This is about ${row.about}.)`;
  try {
    await unarchiveIn(transaction, deps, name);
    const { job: changed } = await insertMessage(transaction, deps, { ...name, prompt, now });
    await own.set({ job_id: job.id, message_seq: changed.messageCount }).execute();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    await own.set({ state: "ignored", note: "The job of the pull request is gone." }).execute();
    return null;
  }
  return job.id;
}
