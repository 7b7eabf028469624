import type { Database } from "#db/database.ts";
import type { ObjectId, RepoStore } from "#git/repo-store.ts";
import type { HostedRepository, PullRequest } from "#hosts/code-host.ts";
import type { HostedPullRequests } from "#hosts/hosted-pull-requests.ts";
import type { Job } from "./job.ts";

export interface JobRangeDeps {
  database: Database;
  repoStore: Pick<RepoStore, "resolve" | "mergeBase">;
  /** Its last known state: the diff is computed from local commits and waits for no host. Null when it is unknown. */
  currentPullRequest(repository: HostedRepository, number: number): Promise<PullRequest | null>;
  /** Provided by a code host that stores the range of a pull request, even of a merged one. */
  pullRequestRange?: HostedPullRequests["pullRequestRange"];
}

export interface CommitRange {
  base: ObjectId;
  head: ObjectId;
}

/**
 * The commits of a job's pull request, or else of its branch: from the point where it left the base branch to its tip,
 * including commits that people pushed. The range stays the same after a merge or a close. Null while there are no commits.
 */
export async function findJobRange(
  { database, repoStore, currentPullRequest, pullRequestRange }: JobRangeDeps,
  { job, repository }: { job: Job; repository: HostedRepository },
): Promise<CommitRange | null> {
  if (job.pullRequest && pullRequestRange && repository.codeHost === "embedded")
    return pullRequestRange(repository, job.pullRequest.number);
  if (job.branch === null) return null;
  const turns = await database.kysely
    .selectFrom("job_turn")
    .select(["base_commit", "commit_id"])
    .where("job_id", "=", job.id)
    .where("branch", "=", job.branch)
    .orderBy("turn")
    .execute();
  const started = turns[0]?.base_commit ?? null;
  const pushed = turns.findLast((turn) => turn.commit_id !== null)?.commit_id ?? null;
  if (started === null || pushed === null) return null;
  const pullRequest = job.pullRequest && (await currentPullRequest(repository, job.pullRequest.number));
  if (pullRequest && pullRequest.state !== "open") return { base: started, head: pullRequest.head.commit };
  const localTip = (branch: string) => repoStore.resolve(repository.projectId, `refs/heads/${branch}`);
  const head = (await localTip(job.branch)) ?? pushed;
  const tip = await localTip(job.baseRef);
  const base = tip === null ? null : await repoStore.mergeBase(repository.projectId, tip, head);
  // A branch that was merged without its pull request is its own merge base.
  return { base: base === null || base === head ? started : base, head };
}
