import type { Identity } from "#git/objects/objects.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";

export type CodeHostKind = "embedded" | RemoteKind;
/** Hosts that are not Docent's own. */
export const REMOTE_KINDS = ["github", "gitlab", "gitea", "forgejo"] as const;
export const CODE_HOST_KINDS = ["embedded", ...REMOTE_KINDS] as const;
export type RemoteKind = (typeof REMOTE_KINDS)[number];

/** What a code host needs to know of a project. */
export interface HostedRepository {
  projectId: ProjectId;
  /** Where it is hosted. */
  codeHost: CodeHostKind;
  slug: string;
  /** Its address there, for people; null on the embedded host. */
  url: string | null;
  /** Branch that the docs are published from. */
  branch: string;
}

export interface PullRequest {
  number: number;
  /** Page for people. */
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
  /** The branch is not where the pusher last saw it. */
  | { outcome: "moved" }
  /** No branch can get this name now: another one is above or below it (`a` and `a/b`). Another name may do. */
  | { outcome: "name_taken"; reason: string }
  | { outcome: "denied"; reason: string };

export type EnsureOutcome =
  | { outcome: "created" | "updated" | "unchanged"; pullRequest: PullRequest }
  /** No commits between base and head. */
  | { outcome: "empty" }
  | { outcome: "denied"; reason: string };

export type UpdateOutcome =
  | { outcome: "updated" | "unchanged"; pullRequest: PullRequest }
  /** It was merged or closed, and stays as it is. */
  | { outcome: "ended"; pullRequest: PullRequest }
  | { outcome: "denied"; reason: string };

export type MergeOutcome =
  | { ok: true; commit: ObjectId }
  | {
      ok: false;
      /** `queued`: it stays open, and the host merges it when its turn comes. */
      reason: "conflict" | "head_moved" | "not_open" | "draft" | "blocked" | "queued";
      detail: string;
      paths?: string[];
    };

/**
 * Where a project's repository and its pull requests live. Failures that a caller must decide about are values;
 * `AppError unavailable` when the host does not answer, `not_found` when a pull request or branch is gone.
 */
export interface CodeHost {
  /** Address to clone from, without credentials. */
  repositoryUrl(repository: HostedRepository): string;
  /** Makes the local repository current for a branch and answers with its tip; null when there is no such branch. */
  fetchBranch(repository: HostedRepository, branch: string): Promise<ObjectId | null>;
  /** Moves a branch from `expected` (null: must not exist) to `commit`, which is in the local repository. Never forces. */
  push(
    repository: HostedRepository,
    options: { branch: string; commit: ObjectId; expected: ObjectId | null },
  ): Promise<PushOutcome>;
  /** One open pull request per head branch: finds it or creates it, then brings title, body and draft state up to date. */
  ensurePullRequest(
    repository: HostedRepository,
    options: { head: string; base: string; title: string; body: string; draft: boolean },
  ): Promise<EnsureOutcome>;
  /**
   * Brings title, body and draft state of a known pull request up to date, while it is open. Unlike `ensurePullRequest`
   * it never creates one: on a branch that is still there after a squash, a new one would show merged commits again.
   * `AppError not_found`.
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
    /** `by`: the person who merges, for a host that does not know them by itself. */
    options: { expectedHead: ObjectId | null; by?: Identity | null },
  ): Promise<MergeOutcome>;
  closePullRequest(repository: HostedRepository, number: number): Promise<void>;
}
