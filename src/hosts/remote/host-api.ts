import type { PullRequest, RemoteKind } from "#hosts/code-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { CalledHost, HostCall } from "./host-call.ts";
import type { HostConversation } from "./host-conversation.ts";
import type { HostNotices } from "./host-notices.ts";

/** What a host can do that not all of them can. */
export interface HostCapabilities {
  /** How a draft is made: by a field, or by words before the title. */
  draft: "field" | "prefix";
  /** Characters of a description. */
  maxBodyLength: number;
}

/** A repository as its host describes it to the holder of a token. */
export interface RemoteRepository {
  /** Stays when the repository is renamed. */
  id: string;
  /** Address for people, without `.git`. */
  url: string;
  /** Null while it has no commit. */
  defaultBranch: string | null;
  /** What the token may not do and has to, in words that say where to change it; empty when all is well. */
  missing: string[];
}

export type CreateOutcome =
  | { outcome: "created"; pullRequest: PullRequest }
  /** One is open already for this branch. */
  | { outcome: "exists" }
  | { outcome: "empty" }
  /** A branch is not there, or the host does not know it yet: some index pushes later than they answer them. */
  | { outcome: "unknown_branch" }
  | { outcome: "denied"; reason: string };

export type HostMerge =
  | { outcome: "merged"; commit: ObjectId }
  | { outcome: "head_moved" }
  /** The host still finds out whether it can be merged; nothing was tried. */
  | { outcome: "unchecked" }
  /** In the way of it was what passes by itself: the base branch moved, or is being checked. */
  | { outcome: "try_again"; reason: string }
  /** The host merges it when its turn in the merge queue comes. */
  | { outcome: "queued" }
  /** In conflict, or a rule is in the way; the host does not always say which. */
  | { outcome: "refused"; reason: string };

export interface WantedPullRequest {
  head: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
}

/**
 * What the hosts differ in: requests and answers for one repository, one function each. `remote-code-host.ts` makes a
 * code host of it. Failures that all hosts share are thrown by `HostCall`.
 */
export interface HostApi extends CalledHost {
  readonly kind: RemoteKind;
  readonly capabilities: HostCapabilities;
  readonly conversation: HostConversation;
  readonly notices: HostNotices;
  /** Value of the Authorization header of git's requests. */
  gitAuthorization(token: Secret): Secret;
  /** Base address of the REST interface of a host at this origin (`https://github.com`). */
  apiUrl(origin: string): string;
  /** Whether a webhook's headers carry this HMAC (SHA-256 of the body), or the secret where the host signs nothing. */
  isSigned(headers: Headers, secret: Secret, hmac: Buffer): boolean;
  /**
   * Null when there is none, or the token may not see it. `isGranted`: the host said already that the token may do all
   * that is needed, as it does of an app's.
   */
  readRepository(call: HostCall, path: string, known: { isGranted: boolean }): Promise<RemoteRepository | null>;
  /** The current address of a repository, found by its path or id. Null if it does not exist or the token may not see it. */
  locateRepository(call: HostCall, by: { path: string } | { id: string }): Promise<{ id: string; url: string } | null>;
  createPullRequest(call: HostCall, path: string, wanted: WantedPullRequest): Promise<CreateOutcome>;
  /**
   * In any state, newest first, of branches of this repository: at least the hundred newest of this head branch, and
   * perhaps others. Null: the newest of all, for where the host's filter finds nothing of what it has.
   */
  listPullRequests(call: HostCall, path: string, head: string | null): Promise<PullRequest[]>;
  /** In any state, of branches of this repository, changed last first; pages begin at 1. A comment is a change. */
  listChangedPullRequests(
    call: HostCall,
    path: string,
    page: number,
  ): Promise<{ pullRequests: PullRequest[]; hasMore: boolean }>;
  getPullRequest(call: HostCall, path: string, number: number): Promise<PullRequest | null>;
  /** Of an open one. */
  updatePullRequest(
    call: HostCall,
    path: string,
    current: PullRequest,
    change: { title: string; body: string; draft: boolean },
  ): Promise<PullRequest>;
  closePullRequest(call: HostCall, path: string, number: number): Promise<void>;
  /**
   * If its head is still at `head`, by a method that the repository's settings allow: its default where it names one, else
   * as one commit, as a merge, as a rebase. The branch is deleted with it, where the host lets us.
   */
  mergePullRequest(
    call: HostCall,
    path: string,
    pullRequest: PullRequest,
    message: { subject: string; body: string },
  ): Promise<HostMerge>;
}

/** `owner/name`, on GitLab with groups before it, out of a repository's address. */
export const repositoryPath = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
