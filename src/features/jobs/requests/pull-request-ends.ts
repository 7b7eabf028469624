import type { Identity } from "#git/objects/objects.ts";
import type { CodeHost, HostedRepository, PullRequest } from "#hosts/code-host.ts";
import { AppError } from "#lib/app-error.ts";
import { findJob, type JobName } from "#features/jobs/jobs.ts";
import type { Job, JobPullRequest } from "#features/jobs/job.ts";
import type { TransitionDeps } from "#features/jobs/transitions/change.ts";
import { recordPullRequestStates } from "./pull-request-states.ts";

export interface PullRequestEndDeps {
  submit: TransitionDeps;
  codeHost: Pick<CodeHost, "getPullRequest" | "mergePullRequest" | "closePullRequest">;
}

interface Ending {
  name: JobName;
  repository: HostedRepository;
  /** The commit that the caller has reviewed; any other head is refused. Null accepts any head. */
  head: string | null;
  /** The person who merges; absent for a program. */
  by?: Identity | null;
}

/**
 * Merges the pull request of a job that is not active, and records the merge in the transcript. Repeating it changes nothing.
 * `AppError not_found` without the job; `conflict` while it is active, without a pull request that can be merged, when `head`
 * is not its commit, and when the code host refuses.
 */
export async function mergeJob(deps: PullRequestEndDeps, { name, repository, head, by = null }: Ending): Promise<Job> {
  const { job, number, current } = await findOpen(deps, { name, repository, head });
  if (current.state === "merged") return recordEnd(deps, name, current);
  if (current.state === "closed") throw new AppError("conflict", "The pull request is closed. Open it again first.");
  if (job.status === "active") throw new AppError("conflict", STILL_ACTIVE);
  const outcome = await deps.codeHost.mergePullRequest(repository, number, { expectedHead: current.head.commit, by });
  const after = await deps.codeHost.getPullRequest(repository, number);
  // Another call may have been faster.
  if (!outcome.ok && after?.state !== "merged") throw new AppError("conflict", `It was not merged. ${outcome.detail}`);
  return recordEnd(deps, name, { ...(after ?? current), state: "merged" });
}

/** Closes the pull request of a job that is not active. Repeating it changes nothing. Errors as in `mergeJob`. */
export async function closeJob(deps: PullRequestEndDeps, { name, repository, head }: Ending): Promise<Job> {
  const { job, number, current } = await findOpen(deps, { name, repository, head });
  if (current.state === "closed") return recordEnd(deps, name, current);
  if (current.state === "merged") throw new AppError("conflict", "The pull request is merged already.");
  if (job.status === "active") throw new AppError("conflict", STILL_ACTIVE);
  await deps.codeHost.closePullRequest(repository, number);
  return recordEnd(deps, name, { ...current, state: "closed" });
}

const STILL_ACTIVE =
  "The job is active: its pull request may change. Wait until it has ended, or cancel it, and look at the diff again.";

async function findOpen(
  { submit, codeHost }: PullRequestEndDeps,
  { name, repository, head }: Ending,
): Promise<{ job: Job; number: number; current: PullRequest }> {
  const job = await findJob(submit, name);
  if (!job) throw new AppError("not_found", "There is no such job.");
  if (!job.pullRequest) throw new AppError("conflict", "The job has no pull request.");
  const { number } = job.pullRequest;
  const current = await codeHost.getPullRequest(repository, number);
  if (!current) throw new AppError("conflict", `The code host has no pull request ${number} any more.`);
  if (head !== null && current.head.commit !== head) {
    const there = current.head.commit ?? "gone";
    throw new AppError("conflict", `The head of the pull request is ${there}, not ${head}. Look at its diff again.`);
  }
  return { job, number, current };
}

/** Records the state once, even with concurrent calls, and returns the job with it. */
async function recordEnd({ submit }: PullRequestEndDeps, name: JobName, seen: PullRequest): Promise<Job> {
  await recordPullRequestStates(submit, name.projectId, [seen]);
  const job = await findJob(submit, name);
  if (!job) throw new AppError("not_found", "There is no such job.");
  const shown = job.pullRequest && ({ ...job.pullRequest, state: seen.state } satisfies JobPullRequest);
  return { ...job, pullRequest: shown };
}
