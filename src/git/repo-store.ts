import type { ProjectId } from "#lib/ids.ts";

/** Full 40-digit object id. */
export type ObjectId = string;

export interface TreeEntry {
  /** Slash-separated, relative to the repository's root, in git's byte order. */
  path: string;
  /** Regular file, executable, symbolic link, submodule. */
  mode: "100644" | "100755" | "120000" | "160000";
  oid: ObjectId;
  /** Null for a submodule. */
  sizeBytes: number | null;
}

/** One file of a new tree; `content: null` removes it. */
export interface Edit {
  path: string;
  content: Uint8Array | null;
}

export interface Identity {
  name: string;
  email: string;
}

export interface CommitInfo {
  id: ObjectId;
  tree: ObjectId;
  parents: ObjectId[];
  subject: string;
  /** Message without its first line and without trailers. */
  body: string;
  trailers: Record<string, string>;
  author: Identity;
  authoredAt: Date;
}

export interface FileChange {
  status: "added" | "modified" | "removed" | "renamed";
  path: string;
  /** Former path of a renamed file. */
  oldPath: string | null;
  /** Null for a binary file. */
  additions: number | null;
  deletions: number | null;
}

export type MergeOutcome = { ok: true; tree: ObjectId } | { ok: false; conflicts: string[] };

/**
 * The bare repositories of a data directory, one per project, read and written through the `git` binary.
 *
 * What is returned as written is durable (objects, ref and the ref's folder are flushed). Paths of edits are checked
 * against the path policy (`AppError invalid`). A reference is a full name (`refs/heads/main`).
 */
export interface RepoStore extends AsyncDisposable {
  /** Folder of the bare repository, for `git http-backend`. */
  directory(project: ProjectId): string;
  create(project: ProjectId, options: { branch: string }): Promise<void>;
  /**
   * Copies a repository in, whole or not at all. `source` is a local path or an https URL.
   * Answers with the branch to host: the one asked for, else the source's HEAD; `AppError invalid` when there is none.
   */
  import(
    project: ProjectId,
    options: { source: string; branch: string | null; signal?: AbortSignal; onProgress?: (line: string) => void },
  ): Promise<{ branch: string }>;
  remove(project: ProjectId): Promise<void>;
  exists(project: ProjectId): Promise<boolean>;
  /** Commit of a full reference name or of a commit id; null when there is none. */
  resolve(project: ProjectId, revision: string): Promise<ObjectId | null>;
  branches(project: ProjectId): Promise<{ name: string; commit: ObjectId }[]>;
  /** Every file below a commit or tree, recursively. Cached by object id. */
  tree(project: ProjectId, id: ObjectId): Promise<readonly TreeEntry[]>;
  /** Content of a blob; `AppError too_large` over `maxBytes` (default 16 MiB), `not_found` if absent. */
  readBlob(project: ProjectId, oid: ObjectId, options?: { maxBytes?: number }): Promise<Buffer>;
  /** Many blobs in one round trip, in the order asked. */
  readBlobs(project: ProjectId, oids: readonly ObjectId[]): Promise<Buffer[]>;
  /** Writes the tree that results from applying `edits` to the tree of `base` (a commit or tree id). */
  snapshot(project: ProjectId, options: { base: ObjectId; edits: readonly Edit[] }): Promise<ObjectId>;
  /** Writes a commit object. Same input, same id: author and committer dates are both `at`. */
  commit(
    project: ProjectId,
    options: { tree: ObjectId; parents: readonly ObjectId[]; message: string; author: Identity; at: Date },
  ): Promise<ObjectId>;
  /**
   * Compare and swap of one reference: `expected: null` = must not exist, `to: null` = delete.
   * False when the reference is not at `expected`.
   */
  updateRef(
    project: ProjectId,
    options: { ref: string; to: ObjectId | null; expected: ObjectId | null },
  ): Promise<boolean>;
  mergeBase(project: ProjectId, a: ObjectId, b: ObjectId): Promise<ObjectId | null>;
  /** Commits reachable from `head` and not from `base`, newest first. */
  log(project: ProjectId, options: { base: ObjectId | null; head: ObjectId; limit: number }): Promise<CommitInfo[]>;
  changes(project: ProjectId, base: ObjectId, head: ObjectId): Promise<FileChange[]>;
  /** Unified diff as text; `AppError too_large` over `maxBytes` (default 8 MiB). */
  patch(
    project: ProjectId,
    options: { base: ObjectId; head: ObjectId; paths?: readonly string[]; maxBytes?: number },
  ): Promise<string>;
  /** Three-way merge of two commits without touching any reference. */
  mergeTrees(project: ProjectId, options: { ours: ObjectId; theirs: ObjectId }): Promise<MergeOutcome>;
}
