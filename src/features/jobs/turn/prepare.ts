import type { CodeHost, HostedRepository, PullRequest } from "#hosts/code-host.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { Clock } from "#lib/clock.ts";
import { type JobError, jobError, type JobPullRequest } from "#features/jobs/job.ts";
import { freeBranchName } from "#features/jobs/branch-name.ts";
import type { Claim } from "#features/jobs/queue/queue.ts";
import type { Turn } from "./turns.ts";

export type Prepared = { ok: true; turn: Turn; pullRequest: JobPullRequest | null } | { ok: false; error: JobError };

/**
 * Decides where a turn starts. With an open pull request, or work kept on the job's branch: at its tip, including commits
 * that people pushed. Otherwise, also after a merge or a close: on a new branch from the tip of the base branch.
 */
export async function prepareTurn(
  { codeHost, clock, repoStore }: { codeHost: CodeHost; clock: Clock; repoStore: Pick<RepoStore, "branches"> },
  { claim, turn, repository, prompt }: { claim: Claim; turn: number; repository: HostedRepository; prompt: string },
): Promise<Prepared> {
  const { job } = claim;
  const startedAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000); // git keeps whole seconds
  const begun = (baseCommit: string, branch: string): Turn => {
    return { turn, baseCommit, branch, startedAt, commitId: null, waitedMs: 0, endedEarly: null };
  };
  const current = await findLast(codeHost, repository, job);
  const isOpen = current?.state === "open";
  // The pull request may have ended before the branch was created. The branch then has work of failed turns.
  const isUnreviewed = current === null ? !job.pullRequest : current.head.branch !== job.branch;
  if (job.branch !== null && (isOpen || isUnreviewed)) {
    const tip = await codeHost.fetchBranch(repository, job.branch);
    if (tip !== null) {
      return { ok: true, turn: begun(tip, job.branch), pullRequest: isOpen ? job.pullRequest : null };
    }
  }
  const base = await codeHost.fetchBranch(repository, job.baseRef);
  if (base === null) {
    const isEmpty = (await repoStore.branches(repository.projectId)).length === 0;
    const error = isEmpty
      ? jobError("ref_not_found", "The repository has no branch with a commit.", "Push the docs first.")
      : jobError("ref_not_found", `The repository has no branch "${job.baseRef}".`);
    return { ok: false, error };
  }
  const branch = await freeBranchName(codeHost, repository, { jobId: job.id, prompt, taken: job.branch });
  return { ok: true, turn: begun(base, branch), pullRequest: null };
}

/** The job's pull request, even when a worker died before it recorded it. */
async function findLast(
  codeHost: CodeHost,
  repository: HostedRepository,
  { pullRequest, branch }: Claim["job"],
): Promise<PullRequest | null> {
  if (pullRequest) return codeHost.getPullRequest(repository, pullRequest.number);
  return branch === null ? null : codeHost.findPullRequest(repository, branch);
}
