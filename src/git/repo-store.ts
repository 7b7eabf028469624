import type { ProjectId } from "#lib/ids.ts";
import type { BlobOutput } from "./objects/blob-output.ts";
import type { BlamedLine, FileLines, LogRange } from "./history/file-history.ts";
import type {
  CommitInfo,
  Edit,
  FileChange,
  Identity,
  TreeMerge,
  ObjectId,
  ReferenceUpdate,
  TreeEntry,
} from "./objects/objects.ts";
import type { RecentBranch } from "./refs/recent-branches.ts";
import type { Remote, RemoteProgress, RemotePush } from "./refs/remote.ts";

/** Blobs that will be asked for next, if one has to be fetched: they come along. */
export type BlobsBeside = () => readonly ObjectId[];

export type { CommitInfo, Edit, FileChange, Identity, TreeMerge, ObjectId, TreeEntry };

/**
 * The bare repositories of a data directory, one per project, read and written through the `git` binary.
 *
 * What is returned as written is durable (objects, ref and the ref's folder are flushed). Paths of edits are checked
 * against the path policy (`AppError invalid`). A reference is a full name (`refs/heads/main`).
 */
export interface RepoStore extends AsyncDisposable, BlobOutput {
  /** Folder of the bare repository, for the smart protocol; see `prepare`. */
  directory(project: ProjectId): string;
  /** Has the folder as the repository is now, for programs of git that read it. */
  prepare(project: ProjectId): Promise<void>;
  /**
   * An empty repository whose HEAD is `branch`. `AppError conflict` when the project has one. `at-host`: of what is fetched
   * into it, pictures and the like stay at their host until they are asked for (decision 32).
   */
  create(project: ProjectId, options: { branch: string; blobs?: "here" | "at-host" }): Promise<void>;
  /**
   * Copies a repository in, whole or not at all. `source` is a local path or an https URL.
   * Answers with the branch to host: the one asked for, else the source's HEAD; `AppError invalid` when there is none.
   * An empty source is copied too: the branch it answers with has no commit yet.
   */
  import(
    project: ProjectId,
    options: {
      source: string;
      branch: string | null;
      /** Of an https source: git connects to these alone, and follows no redirect. */
      addresses?: readonly string[];
      signal?: AbortSignal;
      onProgress?: (line: string) => void;
    },
  ): Promise<{ branch: string }>;
  /**
   * Makes branches as they are at a remote, and answers with their commits; null for those that it does not have: they
   * stay here as they are. One at a time for a project. `RemoteError`.
   */
  fetch(
    project: ProjectId,
    remote: Remote,
    branches: readonly string[],
    progress?: RemoteProgress,
  ): Promise<Map<string, ObjectId | null>>;
  /** The branch that a remote's HEAD names; null while it has none. `RemoteError`. */
  remoteBranch(remote: Remote): Promise<string | null>;
  /** Makes tags as they are at a remote, at most 5,000 of those whose commits are here. `RemoteError`. */
  fetchTags(project: ProjectId, remote: Remote): Promise<void>;
  /** Moves a branch at a remote and here; see `pushBranch` in `remote.ts`. `RemoteError`. */
  push(
    project: ProjectId,
    remote: Remote,
    update: { branch: string; commit: ObjectId; expected: ObjectId | null },
  ): Promise<RemotePush>;
  /**
   * Has `work`, which is git's side of a push, move references of a directory, and makes durable what it moved of `refs`. Not
   * stored, when the references have moved elsewhere meanwhile or git was killed (`exitCode` null): then nothing of it holds. A
   * directory keeps what a killed git moved.
   */
  receive<T extends { exitCode: number | null }>(
    project: ProjectId,
    refs: readonly string[],
    work: (directory: string) => Promise<T>,
  ): Promise<{ result: T; isStored: boolean }>;
  remove(project: ProjectId): Promise<void>;
  exists(project: ProjectId): Promise<boolean>;
  /** All that there are, by their ids. */
  list(): Promise<Set<ProjectId>>;
  /** Whether all of these objects can be read without asking a host for them. */
  holds(project: ProjectId, oids: readonly ObjectId[]): Promise<boolean>;
  /** Commit of a full reference name, of `HEAD` or of a commit id; null when it names no commit. */
  resolve(project: ProjectId, revision: string): Promise<ObjectId | null>;
  branches(project: ProjectId): Promise<{ name: string; commit: ObjectId }[]>;
  /** Those with the newest commits, newest first. */
  recentBranches(project: ProjectId, limit: number): Promise<RecentBranch[]>;
  /** Tags of commits; an annotated tag counts as one of its commit. */
  tags(project: ProjectId): Promise<{ name: string; commit: ObjectId }[]>;
  /** Every file below a commit or tree, recursively. Cached by object id. */
  tree(project: ProjectId, id: ObjectId): Promise<readonly TreeEntry[]>;
  /**
   * Content of a blob; `AppError too_large` over `maxBytes` (default 16 MiB), `not_found` if absent, `unavailable` where it is
   * at the host, which does not answer.
   */
  readBlob(project: ProjectId, oid: ObjectId, options?: { maxBytes?: number; beside?: BlobsBeside }): Promise<Buffer>;
  /** Many blobs in one round trip, in the order asked; together at most 256 MiB (`AppError too_large`). */
  readBlobs(project: ProjectId, oids: readonly ObjectId[]): Promise<Buffer[]>;
  /** Writes the tree that results from applying `edits` to the tree of `base` (a commit or tree id, or `EMPTY_TREE`). */
  snapshot(project: ProjectId, options: { base: ObjectId; edits: readonly Edit[] }): Promise<ObjectId>;
  /** Writes a commit object. Same input, same id: author and committer dates are both `at`. */
  commit(
    project: ProjectId,
    options: { tree: ObjectId; parents: readonly ObjectId[]; message: string; author: Identity; at: Date },
  ): Promise<ObjectId>;
  /**
   * Compare and swap of one reference: `expected: null` = must not exist, `to: null` = delete.
   * False when the reference is not at `expected`; `AppError conflict` when its name cannot be had.
   */
  updateRef(project: ProjectId, update: ReferenceUpdate): Promise<boolean>;
  /** Moves several references together: all of them or none. */
  updateRefs(project: ProjectId, updates: readonly ReferenceUpdate[]): Promise<boolean>;
  /** Makes a branch the one that clones check out. */
  setHead(project: ProjectId, branch: string): Promise<void>;
  mergeBase(project: ProjectId, a: ObjectId, b: ObjectId): Promise<ObjectId | null>;
  /** Which of these commits are in the history of `tip`. */
  contained(project: ProjectId, tip: ObjectId, commits: readonly ObjectId[]): Promise<Set<ObjectId>>;
  /** Commits reachable from `head` and not from `base`, newest first; with a `path` those that changed that file or folder. */
  log(project: ProjectId, range: LogRange & { path?: string }): Promise<CommitInfo[]>;
  /** See `readLastChanges`; for whoever can wait. */
  lastChanges(project: ProjectId, range: { head: ObjectId; since: ObjectId | null }): Promise<Map<string, number>>;
  /** The commits that lines of a file, which has them, come from. `AppError unavailable` when that takes too long. */
  blame(project: ProjectId, lines: FileLines): Promise<BlamedLine[]>;
  changes(project: ProjectId, base: ObjectId, head: ObjectId): Promise<FileChange[]>;
  /** Unified diff as text; `AppError too_large` over `maxBytes` (default 8 MiB). */
  patch(
    project: ProjectId,
    options: { base: ObjectId; head: ObjectId; paths?: readonly string[]; maxBytes?: number },
  ): Promise<string>;
  /** Three-way merge of two commits without touching any reference. */
  mergeTrees(project: ProjectId, options: { ours: ObjectId; theirs: ObjectId }): Promise<TreeMerge>;
  /** Packs what has piled up, when it is much; answers whether it did. For a quiet hour: it may take minutes. */
  maintain(project: ProjectId): Promise<boolean>;
}
