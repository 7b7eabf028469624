import type { ObjectId } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { HostedRepository, PullRequest } from "./code-host.ts";

export interface ListedPullRequest extends PullRequest {
  /** Name of the author of its newest commit when it was opened; null where that is not known. */
  proposedBy: string | null;
}

/** The pull requests of the embedded host, as Docent's own pages show them. */
export interface HostedPullRequests {
  /** Newest first. */
  listPullRequests(
    repository: HostedRepository,
    options: { state: PullRequest["state"] | "all"; limit: number; before: number | null },
  ): Promise<ListedPullRequest[]>;
  /** Marks a draft as ready to merge; no effect on any other. `AppError not_found`. */
  markReady(repository: HostedRepository, number: number): Promise<void>;
  /**
   * The two commits between which the changes are shown; they stay the same after a merge. Null when there are no
   * changes to show.
   */
  pullRequestRange(repository: HostedRepository, number: number): Promise<{ base: ObjectId; head: ObjectId } | null>;
}

/**
 * Called for each pull request that was merged, closed or reopened, through a page, the API or a push, after its row
 * was updated.
 */
export type StateListener = (
  projectId: ProjectId,
  pullRequest: Pick<PullRequest, "number" | "state" | "head">,
) => Promise<void>;

/** A branch that was moved, created (`before: null`) or deleted (`after: null`). */
export interface BranchPush {
  branch: string;
  before: ObjectId | null;
  after: ObjectId | null;
}
