import type { ObjectId } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { HostedRepository, PullRequest } from "./code-host.ts";

/** What Docent's own pages show of the pull requests that it hosts itself. */
export interface HostedPullRequests {
  /** Newest first. */
  listPullRequests(
    repository: HostedRepository,
    options: { state: PullRequest["state"] | "all"; limit: number; before: number | null },
  ): Promise<PullRequest[]>;
  /** Makes a draft one that can be merged; without effect on any other. `AppError not_found`. */
  markReady(repository: HostedRepository, number: number): Promise<void>;
  /** The two commits that the changes are shown between; stays the same after a merge. Null when there is nothing to show. */
  pullRequestRange(repository: HostedRepository, number: number): Promise<{ base: ObjectId; head: ObjectId } | null>;
}

/** Told of each pull request that was merged, closed or opened again, through a page, the API or a push, once its row says so. */
export type StateListener = (
  projectId: ProjectId,
  pullRequest: Pick<PullRequest, "number" | "state" | "head">,
) => Promise<void>;

/** A branch that was moved, made (`before: null`) or deleted (`after: null`). */
export interface BranchPush {
  branch: string;
  before: ObjectId | null;
  after: ObjectId | null;
}
