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

/** Blobs that will be read next; they are fetched along with a missing one. */
export type BlobsToPrefetch = () => readonly ObjectId[];

export type { CommitInfo, Edit, FileChange, Identity, TreeMerge, ObjectId, TreeEntry };

/**
 * The bare repositories of a data directory, one per project, read and written through the `git` binary.
 *
 * Writes are durable once a call returns (objects, ref and the ref's folder are flushed). Paths of edits are checked
 * against the path policy (`AppError invalid`). References are full names (`refs/heads/main`).
 */
export interface RepoStore extends AsyncDisposable, BlobOutput {
  /** Folder of the bare repository, for the smart protocol; see `prepare`. */
  directory(project: ProjectId): string;
  /** Makes the folder current, for git programs that read it directly. */
  prepare(project: ProjectId): Promise<void>;
  /**
   * Creates an empty repository whose HEAD is `branch`. `AppError conflict` if the project has one. `at-host`: fetches
   * leave images and similar files at their host until they are read (decision 32).
   */
  create(project: ProjectId, options: { branch: string; blobs?: "here" | "at-host" }): Promise<void>;
  /**
   * Copies a whole repository, or nothing. `source` is a local path or an https URL.
   * Returns the branch to host: the requested one, else the source's HEAD; `AppError invalid` if it does not exist.
   * The branch of an empty source has no commit yet.
   */
  import(
    project: ProjectId,
    options: {
      source: string;
      branch: string | null;
      /** For an https source: git connects only to these, and follows no redirect. */
      addresses?: readonly string[];
      signal?: AbortSignal;
      onProgress?: (line: string) => void;
    },
  ): Promise<{ branch: string }>;
  /**
   * Makes branches equal to a remote's, and returns their commits; null for branches that the remote does not have,
   * which stay unchanged here. Runs one at a time per project. `RemoteError`.
   */
  fetch(
    project: ProjectId,
    remote: Remote,
    branches: readonly string[],
    progress?: RemoteProgress,
  ): Promise<Map<string, ObjectId | null>>;
  /** The branch that a remote's HEAD names; null while it has none. `RemoteError`. */
  remoteBranch(remote: Remote): Promise<string | null>;
  /** Makes tags equal to a remote's, at most 5,000 whose commits are here. `RemoteError`. */
  fetchTags(project: ProjectId, remote: Remote): Promise<void>;
  /** Moves a branch at a remote and here; see `pushBranch` in `remote.ts`. `RemoteError`. */
  push(
    project: ProjectId,
    remote: Remote,
    update: { branch: string; commit: ObjectId; expected: ObjectId | null },
  ): Promise<RemotePush>;
  /**
   * Lets `work`, git's side of a push, move references of a directory, and makes its moves of `refs` durable. Nothing
   * is stored (`isStored` is false) if another push moved a reference meanwhile or git was killed (`exitCode` null).
   * A store that is the directory itself keeps the moves of a killed git.
   */
  receive<T extends { exitCode: number | null }>(
    project: ProjectId,
    refs: readonly string[],
    work: (directory: string) => Promise<T>,
  ): Promise<{ result: T; isStored: boolean }>;
  remove(project: ProjectId): Promise<void>;
  exists(project: ProjectId): Promise<boolean>;
  /** Ids of all projects with a repository. */
  list(): Promise<Set<ProjectId>>;
  /** Whether all of these objects can be read without a request to a host. */
  holds(project: ProjectId, oids: readonly ObjectId[]): Promise<boolean>;
  /** Commit of a full reference name, `HEAD` or a commit id; null if it does not name a commit. */
  resolve(project: ProjectId, revision: string): Promise<ObjectId | null>;
  branches(project: ProjectId): Promise<{ name: string; commit: ObjectId }[]>;
  /** The branches with the newest commits, newest first. */
  recentBranches(project: ProjectId, limit: number): Promise<RecentBranch[]>;
  /** Tags of commits; annotated tags are dereferenced. */
  tags(project: ProjectId): Promise<{ name: string; commit: ObjectId }[]>;
  /** Every file below a commit or tree, recursively. Cached by object id. */
  tree(project: ProjectId, id: ObjectId): Promise<readonly TreeEntry[]>;
  /**
   * Content of a blob; `AppError too_large` over `maxBytes` (default 16 MiB), `not_found` if absent, `unavailable` if
   * it is at the host, which does not respond.
   */
  readBlob(
    project: ProjectId,
    oid: ObjectId,
    options?: { maxBytes?: number; prefetch?: BlobsToPrefetch },
  ): Promise<Buffer>;
  /** Many blobs in one round trip, in the given order; at most 256 MiB in total (`AppError too_large`). */
  readBlobs(project: ProjectId, oids: readonly ObjectId[]): Promise<Buffer[]>;
  /** Writes the tree that results from applying `edits` to the tree of `base` (a commit or tree id, or `EMPTY_TREE`). */
  snapshot(project: ProjectId, options: { base: ObjectId; edits: readonly Edit[] }): Promise<ObjectId>;
  /** Writes a commit object. Same input, same id: author and committer dates are both `at`. */
  commit(
    project: ProjectId,
    options: { tree: ObjectId; parents: readonly ObjectId[]; message: string; author: Identity; at: Date },
  ): Promise<ObjectId>;
  /**
   * Compare-and-swap of one reference: `expected: null` means that it must not exist, `to: null` deletes it.
   * False if the reference is not at `expected`; `AppError conflict` if its name is unavailable.
   */
  updateRef(project: ProjectId, update: ReferenceUpdate): Promise<boolean>;
  /** Moves several references together: all of them or none. */
  updateRefs(project: ProjectId, updates: readonly ReferenceUpdate[]): Promise<boolean>;
  /** Sets the branch that clones check out. */
  setHead(project: ProjectId, branch: string): Promise<void>;
  mergeBase(project: ProjectId, a: ObjectId, b: ObjectId): Promise<ObjectId | null>;
  /** Which of these commits are in the history of `tip`. */
  contained(project: ProjectId, tip: ObjectId, commits: readonly ObjectId[]): Promise<Set<ObjectId>>;
  /** Commits reachable from `head` and not from `base`, newest first; with a `path` only those that changed it. */
  log(project: ProjectId, range: LogRange & { path?: string }): Promise<CommitInfo[]>;
  /** See `readLastChanges`; may take long. */
  lastChanges(project: ProjectId, range: { head: ObjectId; since: ObjectId | null }): Promise<Map<string, number>>;
  /** The commits that existing lines of a file come from. `AppError unavailable` on a timeout. */
  blame(project: ProjectId, lines: FileLines): Promise<BlamedLine[]>;
  changes(project: ProjectId, base: ObjectId, head: ObjectId): Promise<FileChange[]>;
  /** Unified diff as text; `AppError too_large` over `maxBytes` (default 8 MiB). */
  patch(
    project: ProjectId,
    options: { base: ObjectId; head: ObjectId; paths?: readonly string[]; maxBytes?: number },
  ): Promise<string>;
  /** Three-way merge of two commits without touching any reference. */
  mergeTrees(project: ProjectId, options: { ours: ObjectId; theirs: ObjectId }): Promise<TreeMerge>;
  /** Packs accumulated objects if there are many; returns whether it did. May take minutes, so run it off-peak. */
  maintain(project: ProjectId): Promise<boolean>;
}
