import type { PullRequest, RemoteKind } from "#hosts/code-host.ts";
import type { ObjectId } from "#git/repo-store.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import type { CalledHost, HostCall } from "./host-call.ts";
import type { HostConversation } from "./host-conversation.ts";
import type { HostNotices } from "./host-notices.ts";

/** Capabilities that differ between hosts. */
export interface HostCapabilities {
  /** How a draft is marked: by a field, or by a prefix of the title. */
  draft: "field" | "prefix";
  /** Maximum characters of a description. */
  maxBodyLength: number;
}

/** A repository as its host describes it to the holder of a token. */
export interface RemoteRepository {
  /** Stays when the repository is renamed. */
  id: string;
  /** Web address, without `.git`. */
  url: string;
  /** Null while the repository is empty. */
  defaultBranch: string | null;
  /** Permissions that the token lacks, each with where to change it; empty when nothing is missing. */
  missing: string[];
}

export type CreateOutcome =
  | { outcome: "created"; pullRequest: PullRequest }
  /** The branch has an open one already. */
  | { outcome: "exists" }
  | { outcome: "empty" }
  /** A branch does not exist, or the host does not know it yet: some index a push after they have accepted it. */
  | { outcome: "unknown_branch" }
  | { outcome: "denied"; reason: string };

export type HostMerge =
  | { outcome: "merged"; commit: ObjectId }
  | { outcome: "head_moved" }
  /** The host is still computing whether it can be merged; nothing was tried. */
  | { outcome: "unchecked" }
  /** Blocked by a temporary cause: the base branch moved, or is being checked. */
  | { outcome: "try_again"; reason: string }
  /** The host's merge queue will merge it. */
  | { outcome: "queued" }
  /** A conflict, or a rule forbids it; the host does not always say which. */
  | { outcome: "refused"; reason: string };

export interface WantedPullRequest {
  head: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
}

/**
 * The requests in which hosts differ, for one repository, one function each. `remote-code-host.ts` builds a code host
 * from it. `HostCall` throws the failures that all hosts share.
 */
export interface HostApi extends CalledHost {
  readonly kind: RemoteKind;
  readonly capabilities: HostCapabilities;
  readonly conversation: HostConversation;
  readonly notices: HostNotices;
  /** Value of the Authorization header for git over HTTP. */
  gitAuthorization(token: Secret): Secret;
  /** Base address of the REST API of a host at this origin (`https://github.com`). */
  apiUrl(origin: string): string;
  /**
   * Whether a webhook's headers contain this HMAC (SHA-256 of the body), or the secret itself where the host does not
   * sign.
   */
  isSigned(headers: Headers, secret: Secret, hmac: Buffer): boolean;
  /**
   * Null when it does not exist, or the token may not see it. `isGranted`: the host has already confirmed the
   * permissions, as it does for an app's token.
   */
  readRepository(call: HostCall, path: string, known: { isGranted: boolean }): Promise<RemoteRepository | null>;
  /** The current address of a repository, found by its path or id. Null if it does not exist or the token may not see it. */
  locateRepository(call: HostCall, by: { path: string } | { id: string }): Promise<{ id: string; url: string } | null>;
  createPullRequest(call: HostCall, path: string, wanted: WantedPullRequest): Promise<CreateOutcome>;
  /**
   * Pull requests from branches of this repository, in any state, newest first: at least the hundred newest of this
   * head branch, and perhaps others. Null: the newest of all branches, for when the host's filter misses existing ones.
   */
  listPullRequests(call: HostCall, path: string, head: string | null): Promise<PullRequest[]>;
  /**
   * Pull requests from branches of this repository, in any state, last changed first; pages begin at 1. A comment is a
   * change.
   */
  listChangedPullRequests(
    call: HostCall,
    path: string,
    page: number,
  ): Promise<{ pullRequests: PullRequest[]; hasMore: boolean }>;
  getPullRequest(call: HostCall, path: string, number: number): Promise<PullRequest | null>;
  /** Only while it is open. */
  updatePullRequest(
    call: HostCall,
    path: string,
    current: PullRequest,
    change: { title: string; body: string; draft: boolean },
  ): Promise<PullRequest>;
  closePullRequest(call: HostCall, path: string, number: number): Promise<void>;
  /**
   * Merges if the branch is still at `head`, by a method that the repository's settings allow: its default if it has
   * one, else squash, merge or rebase. The branch is deleted with it where the host allows that.
   */
  mergePullRequest(
    call: HostCall,
    path: string,
    pullRequest: PullRequest,
    message: { subject: string; body: string },
  ): Promise<HostMerge>;
}

/** `owner/name` from a repository's address, on GitLab with groups before it. */
export const repositoryPath = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));
