import type { Identity } from "#git/objects/objects.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";

export type CodeHostKind = "embedded" | RemoteKind;
/** The hosts other than Docent's own. */
export const REMOTE_KINDS = ["github", "gitlab", "gitea", "forgejo"] as const;
export const CODE_HOST_KINDS = ["embedded", ...REMOTE_KINDS] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];

/** What a code host needs to know of a project. */
export interface HostedRepository {
  projectId: ProjectId;
  /** The kind of host it is on. */
  codeHost: CodeHostKind;
  slug: string;
  /** Its web address there; null on the embedded host. */
  url: string | null;
  /** The branch that the docs are published from. */
  branch: string;
}

export interface PullRequest {
  number: number;
  /** Its web page. */
  url: string;
  state: "open" | "merged" | "closed";
  draft: boolean;
  title: string;
  body: string;
  head: { branch: string; commit: ObjectId };
  base: { branch: string };
  mergedCommit: ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
}

export type PushOutcome =
  | { outcome: "pushed" }
  /** The branch is not at the commit where the pusher last saw it. */
  | { outcome: "moved" }
  /** The name conflicts with an existing branch above or below it (`a` and `a/b`). Another name may work. */
  | { outcome: "name_taken"; reason: string }
  | { outcome: "denied"; reason: string };

export type EnsureOutcome =
  | { outcome: "created" | "updated" | "unchanged"; pullRequest: PullRequest }
  /** No commits between base and head. */
  | { outcome: "empty" }
  | { outcome: "denied"; reason: string };

export type UpdateOutcome =
  | { outcome: "updated" | "unchanged"; pullRequest: PullRequest }
  /** It was merged or closed, and was not changed. */
  | { outcome: "ended"; pullRequest: PullRequest }
  | { outcome: "denied"; reason: string };

export type MergeOutcome =
  | { ok: true; commit: ObjectId }
  | {
      ok: false;
      /** `queued`: it stays open until the host's merge queue merges it. */
      reason: "conflict" | "head_moved" | "not_open" | "draft" | "blocked" | "queued";
      detail: string;
      paths?: string[];
    };

/**
 * The repository and pull requests of a project. Failures that callers have to act on are values; `AppError
 * unavailable` when the host does not respond, `not_found` when a pull request or branch does not exist.
 */
export interface CodeHost {
  /** The clone address, without credentials. */
  repositoryUrl(repository: HostedRepository): string;
  /** Fetches a branch into the local repository and returns its tip; null when the branch does not exist. */
  fetchBranch(repository: HostedRepository, branch: string): Promise<ObjectId | null>;
  /** Moves a branch from `expected` (null: must not exist) to `commit`, which is in the local repository. Never forces. */
  push(
    repository: HostedRepository,
    options: { branch: string; commit: ObjectId; expected: ObjectId | null },
  ): Promise<PushOutcome>;
  /** Ensures one open pull request per head branch: finds or creates it, then updates title, body and draft state. */
  ensurePullRequest(
    repository: HostedRepository,
    options: { head: string; base: string; title: string; body: string; draft: boolean },
  ): Promise<EnsureOutcome>;
  /**
   * Updates title, body and draft state of a known pull request while it is open. Unlike `ensurePullRequest` it never
   * creates one: on a branch that outlives its squash merge, a new one would show merged commits again. `AppError
   * not_found`.
   */
  updatePullRequest(
    repository: HostedRepository,
    number: number,
    change: { title: string; body: string; draft: boolean },
  ): Promise<UpdateOutcome>;
  getPullRequest(repository: HostedRepository, number: number): Promise<PullRequest | null>;
  /** The open pull request of a head branch, else the newest in any state, else null. */
  findPullRequest(repository: HostedRepository, head: string): Promise<PullRequest | null>;
  mergePullRequest(
    repository: HostedRepository,
    number: number,
    /** `by`: the person who merges, for a host that does not know the person itself. */
    options: { expectedHead: ObjectId | null; by?: Identity | null },
  ): Promise<MergeOutcome>;
  closePullRequest(repository: HostedRepository, number: number): Promise<void>;
}
