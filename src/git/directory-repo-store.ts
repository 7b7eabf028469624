import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createBlobOutput } from "./objects/blob-output.ts";
import { serializeCommit } from "./objects/commit-objects.ts";
import { findContained, findMergeBase, mergeTrees, readChanges, readPatch } from "./history/comparison.ts";
import { readBlame, readFileLog } from "./history/file-history.ts";
import { importRepository, parseSource } from "./import-repository.ts";
import { readLastChanges } from "./history/last-changes.ts";
import { maintainRepository } from "./maintenance.ts";
import { createMirrors, type RepositoryOrigin } from "./mirror/mirrors.ts";
import { type BlobLimits, readBlobs } from "./mirror/read-blobs.ts";
import { differingBlobs, mergedBlobs } from "./mirror/needed-blobs.ts";
import { type NewObject, newObject } from "./objects/new-object.ts";
import type { ObjectReader } from "./objects/object-reader.ts";
import { createObjectReaderPool } from "./objects/object-reader-pool.ts";
import { writeObjects } from "./objects/object-writer.ts";
import { syncReferences } from "./objects/durable.ts";
import type { ObjectId, ReferenceUpdate } from "./objects/objects.ts";
import { listRecentBranches } from "./refs/recent-branches.ts";
import {
  listBranches,
  listTags,
  mirrorTags,
  removeStaleLocks,
  resolveCommit,
  updateReferences,
} from "./refs/references.ts";
import { listRemoteTags, remoteDefaultBranch } from "./refs/remote.ts";
import {
  buildAside,
  initialize,
  isFolder,
  listRepositories,
  removeDirectory,
  setHead,
} from "./repository-directory.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT, type GitEnvironment, repositoryAt } from "./process/runner.ts";
import { editTree } from "./objects/tree-edits.ts";
import { createTrees, treeOf } from "./objects/trees.ts";
import type { BlobsToPrefetch, RepoStore } from "./repo-store.ts";

const MAX_BLOB_BYTES = 16 * 1024 * 1024;
const MAX_BATCH_BYTES = 256 * 1024 * 1024;
const MAX_PATCH_BYTES = 8 * 1024 * 1024;
// Each uses a core for some milliseconds; running more at once only delays all of them.
const MAX_PROCESSES = 8;
/** For imports and maintenance, which would delay short commands. */
const MAX_LONG_PROCESSES = 2;
/** For commands that mostly wait for remote servers: more than connections poll at once, so that jobs get some. */
const MAX_REMOTE_PROCESSES = 64;
// Each uses 0.5 MB. With fewer readers than active projects, each request would start one (8 ms).
const MAX_OPEN_READERS = 256;
const READER_IDLE_MS = 30_000;
const MAX_PREFETCHED = 500;

/** Write operations of a store that keeps repositories elsewhere and uses the directory as a copy. */
export interface RepositoryWrites {
  storeObjects(project: ProjectId, objects: readonly NewObject[]): Promise<void>;
  /** Same contract as `updateRefs`. */
  moveReferences(project: ProjectId, updates: readonly ReferenceUpdate[]): Promise<boolean>;
}

/**
 * Opens the repositories below `root`. `environment` has the variables that git inherits: `PATH`, proxies. `origin`
 * locates the host of files that a mirror does not have; `maxMirrorBytes` limits a mirror or import (default 4 GiB).
 * `writes` receives new objects, and moves of references that follow a remote; `updateRefs` and `setHead` still change
 * the directory.
 */
export function createRepoStore(options: {
  root: string;
  logger: Logger;
  environment?: GitEnvironment;
  origin?: RepositoryOrigin;
  maxMirrorBytes?: number;
  writes?: RepositoryWrites;
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

  const move = (project: ProjectId, reader: ObjectReader, updates: readonly ReferenceUpdate[]) =>
    options.writes
      ? options.writes.moveReferences(project, updates)
      : updateReferences(repository(project), reader, updates);
  const storeObjects = (project: ProjectId, reader: ObjectReader, objects: readonly NewObject[]) =>
    options.writes ? options.writes.storeObjects(project, objects) : writeObjects(directory(project), reader, objects);

  const mirrors = createMirrors({
    remoteRepository: (project) => repositoryAt(runRemote, directory(project)),
    repository,
    reading,
    move,
    origin: options.origin ?? (() => Promise.resolve(null)),
    maxBytes,
    logger: options.logger,
  });
  const blobsOf = (project: ProjectId, oids: readonly ObjectId[], limits: BlobLimits, prefetch: BlobsToPrefetch) =>
    reading(project, (reader) =>
      readBlobs(reader, oids, {
        ...limits,
        fetchMissing: (missing) =>
          mirrors.fetchMissing(project, () => [...missing, ...prefetch()].slice(0, MAX_PREFETCHED)),
      }),
    );

  const fetchMissing = (project: ProjectId, oid: ObjectId) => mirrors.fetchMissing(project, () => [oid]);

  return {
    ...createBlobOutput({ environment, directory, reading, fetchMissing }),
    directory,
    prepare: () => Promise.resolve(),
    async create(project, { branch, blobs = "here" }) {
      await requireVacant(project);
      await buildAside(directory(project), (aside) => initialize(aside, { branch, run }));
      if (blobs === "at-host") await mirrors.leaveBlobsAtHost(project);
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
      await reading(project, (reader) =>
        mirrorTags(
          { repository: repository(project), reader, move: (updates) => move(project, reader, updates) },
          there,
        ),
      );
    },
    async receive(project, refs, work) {
      await removeStaleLocks(directory(project), refs);
      const result = await work(directory(project));
      await syncReferences(directory(project), refs);
      return { result, isStored: true };
    },
    remove: (project) => readers.forget(directory(project)).then(() => removeDirectory(directory(project))),
    exists: (project) => isFolder(directory(project)),
    list: () => listRepositories(root),
    holds: (project, oids) => reading(project, async (reader) => (await reader.headers(oids)).every(Boolean)),
    resolve: (project, revision) => reading(project, (reader) => resolveCommit(reader, revision)),
    branches: (project) => listBranches(repository(project)),
    recentBranches: (project, limit) => listRecentBranches(repository(project), limit),
    tags: (project) => listTags(repository(project)),
    tree: (project, id) => reading(project, async (reader) => trees.list(reader, await treeOf(reader, id))),
    async readBlob(project, oid, { maxBytes = MAX_BLOB_BYTES, prefetch = () => [] } = {}) {
      const [content] = await blobsOf(project, [oid], { maxBytes, maxTotalBytes: maxBytes }, prefetch);
      return content ?? Buffer.alloc(0);
    },
    readBlobs: (project, oids) =>
      blobsOf(project, oids, { maxBytes: MAX_BLOB_BYTES, maxTotalBytes: MAX_BATCH_BYTES }, () => []),
    snapshot: (project, { base, edits }) =>
      reading(project, async (reader) => {
        const start = await treeOf(reader, base);
        const edited = await editTree((oids) => trees.read(reader, oids), start, edits);
        await storeObjects(project, reader, edited.objects);
        for (const { oid, nodes } of edited.trees) trees.learn(oid, nodes);
        return edited.tree;
      }),
    commit: (project, commit) =>
      reading(project, async (reader) => {
        const object = newObject("commit", serializeCommit(commit));
        await storeObjects(project, reader, [object]);
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
      await mirrors.fetchMissing(project, (here) => differingBlobs(here, [base, head]));
      return readChanges(repository(project), base, head);
    },
    async patch(project, { maxBytes = MAX_PATCH_BYTES, ...range }) {
      await mirrors.fetchMissing(project, (here) => differingBlobs(here, [range.base, range.head], range.paths));
      return readPatch(repository(project), { ...range, maxBytes });
    },
    async mergeTrees(project, sides) {
      await mirrors.fetchMissing(project, (here) => mergedBlobs(here, [sides.ours, sides.theirs]));
      return mergeTrees(repository(project), sides);
    },
    maintain: (project) => maintainRepository(repositoryAt(runLong, directory(project))),
    async [Symbol.asyncDispose]() {
      mirrors[Symbol.dispose]();
      await readers[Symbol.asyncDispose]();
    },
  };
}
