import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { type BlobOutput, createBlobOutput } from "./objects/blob-output.ts";
import { serializeCommit } from "./objects/commit-objects.ts";
import { findContained, findMergeBase, mergeTrees, readChanges, readPatch } from "./history/comparison.ts";
import { type BlamedLine, type FileLines, type LogRange, readBlame, readFileLog } from "./history/file-history.ts";
import { importRepository, parseSource } from "./import-repository.ts";
import { readLastChanges } from "./history/last-changes.ts";
import { maintainRepository } from "./maintenance.ts";
import { createMirrors, type RepositoryOrigin } from "./mirror/mirrors.ts";
import { type BlobLimits, readBlobs } from "./mirror/read-blobs.ts";
import { differingBlobs, mergedBlobs } from "./mirror/needed-blobs.ts";
import { newObject } from "./objects/new-object.ts";
import type { ObjectReader } from "./objects/object-reader.ts";
import { createObjectReaderPool } from "./objects/object-reader-pool.ts";
import { writeObjects } from "./objects/object-writer.ts";
import {
  type CommitInfo,
  type Edit,
  type FileChange,
  type Identity,
  type TreeMerge,
  type ObjectId,
  type ReferenceUpdate,
  type TreeEntry,
} from "./objects/objects.ts";
import { listRecentBranches, type RecentBranch } from "./refs/recent-branches.ts";
import { listBranches, listTags, mirrorTags, resolveCommit, updateReferences } from "./refs/references.ts";
import {
  listRemoteTags,
  type Remote,
  remoteDefaultBranch,
  type RemoteProgress,
  type RemotePush,
} from "./refs/remote.ts";
import { buildAside, initialize, isFolder, removeDirectory, setHead } from "./repository-directory.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT, type GitEnvironment, repositoryAt } from "./process/runner.ts";
import { editTree } from "./objects/tree-edits.ts";
import { createTrees, treeOf } from "./objects/trees.ts";

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
  /** Folder of the bare repository, for the smart protocol. */
  directory(project: ProjectId): string;
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
  remove(project: ProjectId): Promise<void>;
  exists(project: ProjectId): Promise<boolean>;
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

const MAX_BLOB_BYTES = 16 * 1024 * 1024;
const MAX_BATCH_BYTES = 256 * 1024 * 1024;
const MAX_PATCH_BYTES = 8 * 1024 * 1024;
// Each takes a core for some milliseconds; more at once only makes all of them late.
const MAX_PROCESSES = 8;
/** Imports and maintenance, which would keep short commands waiting. */
const MAX_LONG_PROCESSES = 2;
/** Those that wait for servers elsewhere, most of the time: more than are followed at once, so that jobs have some. */
const MAX_REMOTE_PROCESSES = 64;
// Each holds 0.5 MB of its own. With fewer than there are active projects, each request would start one (8 ms).
const MAX_OPEN_READERS = 256;
const READER_IDLE_MS = 30_000;
const MAX_BROUGHT = 500;

/**
 * Opens the repositories below `root`. `environment` is what git may see from outside: `PATH`, proxies. `origin` says where
 * files come from that a mirror has left at its host; a mirror or a copy is at most `maxMirrorBytes` large (default 4 GiB).
 */
export function createRepoStore(options: {
  root: string;
  logger: Logger;
  environment?: GitEnvironment;
  origin?: RepositoryOrigin;
  maxMirrorBytes?: number;
}): RepoStore {
  const root = path.resolve(options.root);
  const environment = options.environment ?? DEFAULT_GIT_ENVIRONMENT;
  const run = createGitRunner({ environment, maxProcesses: MAX_PROCESSES });
  const runLong = createGitRunner({ environment, maxProcesses: MAX_LONG_PROCESSES });
  const runRemote = createGitRunner({ environment, maxProcesses: MAX_REMOTE_PROCESSES });
  const readers = createObjectReaderPool({ environment, maxOpen: MAX_OPEN_READERS, idleMs: READER_IDLE_MS });
  const trees = createTrees();
  const { maxMirrorBytes: maxBytes = 4 * 1024 ** 3 } = options;

  const directory = (project: ProjectId): string => {
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(project)) throw new AppError("invalid", "This is not a project id.");
    return path.join(root, `${project}.git`);
  };
  const repository = (project: ProjectId) => repositoryAt(run, directory(project));
  const reading = <T>(project: ProjectId, work: (reader: ObjectReader) => Promise<T>): Promise<T> =>
    readers.use(directory(project), work);
  const requireVacant = async (project: ProjectId) => {
    if (await isFolder(directory(project))) throw new AppError("conflict", "The project has a repository.");
  };

  const mirrors = createMirrors({
    remoteRepository: (project) => repositoryAt(runRemote, directory(project)),
    repository,
    reading,
    origin: options.origin ?? (() => Promise.resolve(null)),
    maxBytes,
    logger: options.logger,
  });
  const blobsOf = (project: ProjectId, oids: readonly ObjectId[], limits: BlobLimits, beside: BlobsBeside) =>
    reading(project, (reader) =>
      readBlobs(reader, oids, {
        ...limits,
        bring: (missing) => mirrors.bring(project, () => [...missing, ...beside()].slice(0, MAX_BROUGHT)),
      }),
    );

  const bring = (project: ProjectId, oid: ObjectId) => mirrors.bring(project, () => [oid]);

  return {
    ...createBlobOutput({ environment, directory, reading, bring }),
    directory,
    async create(project, { branch, blobs = "here" }) {
      await requireVacant(project);
      await buildAside(directory(project), (aside) => initialize(aside, { branch, run }));
      if (blobs === "at-host") await mirrors.leaveBlobsThere(project);
    },
    async import(project, { source, branch, addresses, signal, onProgress }) {
      const parsed = parseSource(source);
      await requireVacant(project);
      return buildAside(directory(project), (aside) =>
        importRepository(aside, { source: parsed, branch, addresses, run: runLong, maxBytes, signal, onProgress }),
      ).catch((error: unknown) => {
        options.logger.info({ err: error, project }, "repository could not be imported");
        throw error;
      });
    },
    fetch: mirrors.fetch,
    push: mirrors.push,
    remoteBranch: (remote) => remoteDefaultBranch({ run: runRemote }, remote),
    async fetchTags(project, remote) {
      const there = await listRemoteTags(repositoryAt(runRemote, directory(project)), remote);
      await reading(project, (reader) => mirrorTags(repository(project), reader, there));
    },
    remove: (project) => readers.forget(directory(project)).then(() => removeDirectory(directory(project))),
    exists: (project) => isFolder(directory(project)),
    resolve: (project, revision) => reading(project, (reader) => resolveCommit(reader, revision)),
    branches: (project) => listBranches(repository(project)),
    recentBranches: (project, limit) => listRecentBranches(repository(project), limit),
    tags: (project) => listTags(repository(project)),
    tree: (project, id) => reading(project, async (reader) => trees.list(reader, await treeOf(reader, id))),
    async readBlob(project, oid, { maxBytes = MAX_BLOB_BYTES, beside = () => [] } = {}) {
      const [content] = await blobsOf(project, [oid], { maxBytes, maxTotalBytes: maxBytes }, beside);
      return content ?? Buffer.alloc(0);
    },
    readBlobs: (project, oids) =>
      blobsOf(project, oids, { maxBytes: MAX_BLOB_BYTES, maxTotalBytes: MAX_BATCH_BYTES }, () => []),
    snapshot: (project, { base, edits }) =>
      reading(project, async (reader) => {
        const start = await treeOf(reader, base);
        const edited = await editTree((oids) => trees.read(reader, oids), start, edits);
        await writeObjects(directory(project), reader, edited.objects);
        for (const { oid, nodes } of edited.trees) trees.learn(oid, nodes);
        return edited.tree;
      }),
    commit: (project, commit) =>
      reading(project, async (reader) => {
        const object = newObject("commit", serializeCommit(commit));
        await writeObjects(directory(project), reader, [object]);
        return object.oid;
      }),
    updateRef: (project, update) =>
      reading(project, (reader) => updateReferences(repository(project), reader, [update])),
    updateRefs: (project, updates) =>
      reading(project, (reader) => updateReferences(repository(project), reader, updates)),
    setHead: (project, branch) => setHead(repository(project), branch),
    mergeBase: (project, a, b) => reading(project, (reader) => findMergeBase(repository(project), reader, [a, b])),
    contained: (project, tip, commits) => findContained(repository(project), tip, commits),
    log: (project, { path: file, ...range }) =>
      reading(project, (reader) => readFileLog(repository(project), reader, range, file)),
    lastChanges: (project, range) => readLastChanges(repositoryAt(runLong, directory(project)), range),
    blame: (project, lines) => readBlame(repository(project), lines),
    async changes(project, base, head) {
      await mirrors.bring(project, (here) => differingBlobs(here, [base, head]));
      return readChanges(repository(project), base, head);
    },
    async patch(project, { maxBytes = MAX_PATCH_BYTES, ...range }) {
      await mirrors.bring(project, (here) => differingBlobs(here, [range.base, range.head], range.paths));
      return readPatch(repository(project), { ...range, maxBytes });
    },
    async mergeTrees(project, sides) {
      await mirrors.bring(project, (here) => mergedBlobs(here, [sides.ours, sides.theirs]));
      return mergeTrees(repository(project), sides);
    },
    maintain: (project) => maintainRepository(repositoryAt(runLong, directory(project))),
    async [Symbol.asyncDispose]() {
      mirrors[Symbol.dispose]();
      await readers[Symbol.asyncDispose]();
    },
  };
}
