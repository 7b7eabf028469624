import { type Database, isOutOfReach } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepositoryOrigin } from "#git/mirror/mirrors.ts";
import { EMPTY_TREE, isObjectId, type ObjectId, type ReferenceUpdate } from "#git/objects/objects.ts";
import { makePack, writePack } from "#git/objects/pack-file.ts";
import { RepositoryMissing } from "#git/process/repository-missing.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT, type GitEnvironment } from "#git/process/runner.ts";
import { isBranchName, isReferenceName } from "#git/refs/references.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { createCompaction } from "./compaction.ts";
import { createLocalCopies, listReferences } from "./local-copy.ts";
import {
  dropStored,
  listPacks,
  markKept,
  type PackFile,
  packInMemory,
  packRevisions,
  removeAbandoned,
} from "./local-packs.ts";
import { createPackStorage, IN_DATABASE, type PackPlaces } from "./pack-places.ts";
import { openPushStage } from "./push-stage.ts";
import { listStored, readReference } from "./repository-reads.ts";
import { changeRepository, deleteRepository, insertRepository, type RepositoryChange } from "./repository-rows.ts";
import { createRepositoryStates } from "./repository-states.ts";
import { storeWhole } from "./store-whole.ts";
import { removeUnused } from "./unused-objects.ts";

/** Repositories that are kept in the store; see `createStoredRepoStore`. */
export interface StoredRepoStore extends RepoStore {
  /** Stores the directory's whole repository, replacing the stored one. */
  moveIn(project: ProjectId): Promise<void>;
}

const MAX_PROCESSES = 4;
const NAMES_COMMIT = /^refs\/(?:heads|pull)\//;

/**
 * Repositories whose references are in the database, and whose objects are there or in a bucket, for nodes that share no
 * disk (decisions 110 and 124). The repositories below `root` are this node's copies: they are compared with the store
 * before references are read, and when an object is missing.
 *
 * A call that writes objects stores them before it returns. References move in the store first, in one transaction with
 * the rows of the packs that they need, and then in the copy. While the database or the bucket of the packs is
 * unavailable, the copy serves reads unchanged.
 */
export function createStoredRepoStore(options: {
  database: Database;
  root: string;
  logger: Logger;
  environment?: GitEnvironment;
  origin?: RepositoryOrigin;
  maxMirrorBytes?: number;
  /** Where packs are; in the database by default. */
  places?: PackPlaces;
}): StoredRepoStore {
  const { database, logger, places = IN_DATABASE } = options;
  const local = createRepoStore({ ...options, writes: { storeObjects, moveReferences: updateRefs } });
  const environment = options.environment ?? DEFAULT_GIT_ENVIRONMENT;
  const run = createGitRunner({ environment, maxProcesses: MAX_PROCESSES });
  const storage = { database, packs: createPackStorage(database, places), keepMs: places.keepMs };
  const copies = createLocalCopies({ ...storage, run, local });
  const states = createRepositoryStates(database);
  const compaction = createCompaction({ storage, copies, logger });
  const outage = createLastingTrouble(logger, "repositories cannot be compared with the database");
  const lag = createLastingTrouble(logger, "packs cannot be fetched, older copies of repositories are served");

  /** The state in the store; null for an unknown repository; `here` if the database is down but a copy exists. */
  async function storedState(project: ProjectId) {
    try {
      const state = await states(project);
      outage.worked();
      return state;
    } catch (error) {
      if (!isOutOfReach(error) || (await copies.stateOf(project)) === null) throw error;
      outage.failed(error);
      return "here" as const;
    }
  }

  /** Makes the copy's references current before they are read. Throws `RepositoryMissing`. */
  async function refresh(project: ProjectId): Promise<void> {
    const stored = await storedState(project);
    if (stored === null) throw new RepositoryMissing(local.directory(project));
    if (stored !== "here" && (await copies.stateOf(project))?.version !== stored.version) {
      await copies.follow(project).then(lag.worked, async (error: unknown) => {
        if (!(error instanceof StorageUnavailable) || (await copies.stateOf(project)) === null) throw error;
        lag.failed(error);
      });
    }
  }

  const resolve: RepoStore["resolve"] = async (project, revision) => {
    if (isObjectId(revision)) await ensureObjects(project, [revision]);
    // Every node looks up branches of all projects, which needs no copy. A tag may name an object other than a commit.
    else if (NAMES_COMMIT.test(revision) && isReferenceName(revision) && (await copies.stateOf(project)) === null) {
      return readReference(database, project, revision);
    } else await refresh(project);
    return local.resolve(project, revision);
  };

  /** Fetches objects that another node has written before they are read. */
  async function ensureObjects(project: ProjectId, oids: readonly ObjectId[]): Promise<void> {
    const needed = oids.filter((oid) => isObjectId(oid) && oid !== EMPTY_TREE);
    const isHere = await local.holds(project, needed).catch((error: unknown) => {
      if (error instanceof RepositoryMissing) return false;
      throw error;
    });
    if (isHere) return;
    const stored = await storedState(project);
    if (stored === "here" || stored === null) return;
    if ((await copies.stateOf(project))?.packs !== stored.packs) await copies.follow(project);
  }

  /** A stored change stays stored if the copy cannot follow: the next read synchronizes the copy. */
  const applyToCopy: typeof copies.applyStored = (project, change, stored) =>
    copies.applyStored(project, change, stored).catch((error: unknown) => {
      logger.warn({ err: error, project }, "the copy of a repository could not follow the database");
    });

  async function storeObjects(project: ProjectId, objects: Parameters<typeof makePack>[0]): Promise<void> {
    const unique = [...new Map(objects.map((object) => [object.oid, object])).values()];
    if (unique.length === 0) return;
    const pack = makePack(unique);
    const change = await changeRepository(storage, project, { pack: packInMemory(pack), updates: [] });
    await applyToCopy(project, change!, {
      async keep() {
        await markKept(copies.at(project), pack.name);
        await writePack(local.directory(project), pack);
      },
    });
    compaction.written(project);
  }

  /** Stores a change with the objects that it needs; false if a reference does not have its expected value. */
  async function store(project: ProjectId, change: RepositoryChange & { pack: PackFile | null }): Promise<boolean> {
    const stored = await changeRepository(storage, project, change);
    if (stored === null) {
      // The mark of a copy that was changed by hand is current although its references are not.
      await copies.follow(project, { ignoresMark: true });
      return false;
    }
    await applyToCopy(project, stored, {
      ...(change.pack && { keep: change.pack.keep }),
      apply: () => local.updateRefs(project, change.updates),
    });
    return true;
  }

  async function updateRefs(project: ProjectId, updates: readonly ReferenceUpdate[]): Promise<boolean> {
    const wanted = updates.filter(({ to, expected }) => to !== null || expected !== null);
    for (const { ref } of wanted) {
      if (!isReferenceName(ref)) throw new AppError("invalid", "This is not a valid reference name.");
    }
    if (wanted.length === 0) return true;
    await refresh(project);
    const tips = wanted.flatMap(({ to }) => to ?? []);
    await ensureObjects(project, tips);
    const repository = copies.at(project);
    const known = new Set((await listReferences(repository)).values());
    const pack = await packRevisions(repository, { tips: tips.filter((tip) => !known.has(tip)), known });
    try {
      return await store(project, { pack, updates: wanted });
    } finally {
      await pack?.[Symbol.asyncDispose]();
    }
  }

  const receive: RepoStore["receive"] = async (project, refs, work) => {
    await refresh(project);
    const repository = copies.at(project);
    await using stage = await openPushStage(repository, run);
    const result = await work(stage.repository.directory);
    // An interrupted push may have moved only some references, and their objects may be incomplete.
    if (result.exitCode === null) return { result, isStored: false };
    await stage.removeKeepFiles();
    const updates = await stage.moved(refs);
    if (updates.length === 0) return { result, isStored: true };
    const tips = updates.flatMap(({ to }) => to ?? []);
    // Reads objects from the stage and builds the pack in the copy, its destination.
    await using pack = await packRevisions({ ...repository, run: stage.repository.run }, { tips, known: stage.known });
    const isStored = await store(project, { pack, updates }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "conflict") return false;
      throw error;
    });
    return { result, isStored };
  };

  const withObjects =
    <A extends unknown[], T>(
      idsOf: (...args: A) => readonly ObjectId[],
      read: (project: ProjectId, ...args: A) => Promise<T>,
    ) =>
    async (project: ProjectId, ...args: A): Promise<T> => {
      await ensureObjects(project, idsOf(...args));
      return read(project, ...args);
    };
  const withReferences =
    <A extends unknown[], T>(read: (project: ProjectId, ...args: A) => Promise<T>) =>
    async (project: ProjectId, ...args: A): Promise<T> => {
      await refresh(project);
      return read(project, ...args);
    };

  return {
    directory: local.directory,
    prepare: refresh,
    remoteBranch: local.remoteBranch,
    holds: withObjects((oids: readonly ObjectId[]) => oids, local.holds),
    async create(project, { branch, blobs = "here" }) {
      if (!isBranchName(branch)) throw new AppError("invalid", "This is not a valid branch name.");
      await insertRepository(storage, project, { head: branch, blobs, references: new Map(), pack: null });
      await copies.follow(project);
    },
    async import(project, how) {
      if ((await states(project)) !== null) throw new AppError("conflict", "The project has a repository.");
      const imported = await local.import(project, how);
      await storeWhole({ storage, copies, logger }, project, { replaces: false });
      return imported;
    },
    moveIn: (project) => storeWhole({ storage, copies, logger }, project, { replaces: true }),
    async fetch(project, ...remote) {
      await refresh(project);
      const before = await listPacks(copies.at(project));
      const tips = await local.fetch(project, ...remote);
      // Objects that were fetched and then stored are in two packs.
      const { here, kept } = await listPacks(copies.at(project));
      await dropStored(
        copies.at(project),
        [...here].filter((name) => !kept.has(name) && !before.here.has(name)),
      );
      return tips;
    },
    fetchTags: withReferences(local.fetchTags),
    async push(project, remote, update) {
      await refresh(project);
      await ensureObjects(project, [update.commit]);
      return local.push(project, remote, update);
    },
    receive,
    async remove(project) {
      await deleteRepository({ database }, project);
      await local.remove(project);
      const { bucket } = places; // what an outage leaves there is removed later
      if (bucket) await removeUnused({ database, bucket }, { repository: project }).catch(() => undefined);
    },
    exists: async (project) => (await storedState(project)) !== null,
    list: () => listStored(database),
    resolve,
    branches: withReferences(local.branches),
    recentBranches: withReferences(local.recentBranches),
    tags: withReferences(local.tags),
    tree: withObjects((id: ObjectId) => [id], local.tree),
    readBlob: withObjects((oid: ObjectId) => [oid], local.readBlob),
    readBlobs: withObjects((oids: readonly ObjectId[]) => oids, local.readBlobs),
    writeBlob: withObjects((oid: ObjectId, _to: { descriptor: number; maxBytes: number }) => [oid], local.writeBlob),
    readBlobStart: withObjects((oid: ObjectId, _bytes: number) => [oid], local.readBlobStart),
    snapshot: withObjects(({ base }) => [base], local.snapshot),
    commit: withObjects(({ tree, parents }) => [tree, ...parents], local.commit),
    updateRef: (project, update) => updateRefs(project, [update]),
    updateRefs,
    async setHead(project, branch) {
      await refresh(project);
      const change = await changeRepository(storage, project, { pack: null, updates: [], head: branch });
      await applyToCopy(project, change!, { apply: () => local.setHead(project, branch).then(() => true) });
    },
    mergeBase: withObjects((a: ObjectId, b: ObjectId) => [a, b], local.mergeBase),
    contained: withObjects((tip: ObjectId, commits: readonly ObjectId[]) => [tip, ...commits], local.contained),
    log: withObjects(({ base, head }) => (base === null ? [head] : [base, head]), local.log),
    lastChanges: withObjects(({ head, since }) => (since === null ? [head] : [head, since]), local.lastChanges),
    blame: withObjects(({ commit }) => [commit], local.blame),
    changes: withObjects((base: ObjectId, head: ObjectId) => [base, head], local.changes),
    patch: withObjects(({ base, head }) => [base, head], local.patch),
    async mergeTrees(project, { ours, theirs }) {
      await ensureObjects(project, [ours, theirs]);
      const merge = await local.mergeTrees(project, { ours, theirs });
      if (!merge.ok) return merge;
      // Git has written the tree to this copy only.
      await using pack = await packRevisions(copies.at(project), { tips: [merge.tree], known: [ours, theirs] });
      if (pack) await store(project, { pack, updates: [] });
      return merge;
    },
    async maintain(project) {
      if ((await copies.stateOf(project)) === null) return false; // nodes with a copy maintain it
      await refresh(project);
      await removeAbandoned(copies.at(project));
      const isPacked = await compaction.run(project);
      return (await local.maintain(project)) || isPacked;
    },
    async [Symbol.asyncDispose]() {
      await compaction[Symbol.asyncDispose]();
      await local[Symbol.asyncDispose]();
    },
  };
}
