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
  /** The commit that the caller has looked at; any other is refused. Null: whatever is there. */
  head: string | null;
  /** The person who merges; absent for a program. */
  by?: Identity | null;
}

/**
 * Merges the pull request of a job that is at rest, and tells it in the transcript. Of one that is merged already it changes
 * nothing. `AppError not_found` without the job; `conflict` while it is active, without a pull request that can be merged, when
 * `head` is not its commit, and for what the code host has against it.
 */
export async function mergeJob(deps: PullRequestEndDeps, { name, repository, head, by = null }: Ending): Promise<Job> {
  const { job, number, current } = await findOpen(deps, { name, repository, head });
  if (current.state === "merged") return told(deps, name, current);
  if (current.state === "closed") throw new AppError("conflict", "The pull request is closed. Open it again first.");
  if (job.status === "active") throw new AppError("conflict", STILL_ACTIVE);
  const outcome = await deps.codeHost.mergePullRequest(repository, number, { expectedHead: current.head.commit, by });
  const after = await deps.codeHost.getPullRequest(repository, number);
  // Another call may have been faster.
  if (!outcome.ok && after?.state !== "merged") throw new AppError("conflict", `It was not merged. ${outcome.detail}`);
  return told(deps, name, { ...(after ?? current), state: "merged" });
}

/** Closes the pull request of a job that is at rest without merging it. Of one that is closed already it changes nothing. Errors as of `mergeJob`. */
export async function closeJob(deps: PullRequestEndDeps, { name, repository, head }: Ending): Promise<Job> {
  const { job, number, current } = await findOpen(deps, { name, repository, head });
  if (current.state === "closed") return told(deps, name, current);
  if (current.state === "merged") throw new AppError("conflict", "The pull request is merged already.");
  if (job.status === "active") throw new AppError("conflict", STILL_ACTIVE);
  await deps.codeHost.closePullRequest(repository, number);
  return told(deps, name, { ...current, state: "closed" });
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

/** The job as it is then. The state is written down once, whoever was faster. */
async function told({ submit }: PullRequestEndDeps, name: JobName, seen: PullRequest): Promise<Job> {
  await recordPullRequestStates(submit, name.projectId, [seen]);
  const job = await findJob(submit, name);
  if (!job) throw new AppError("not_found", "There is no such job.");
  const shown = job.pullRequest && ({ ...job.pullRequest, state: seen.state } satisfies JobPullRequest);
  return { ...job, pullRequest: shown };
}
