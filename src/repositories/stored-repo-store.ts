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
import { openPushStage } from "./push-stage.ts";
import { listStored, readReference } from "./repository-reads.ts";
import { changeRepository, deleteRepository, insertRepository, type RepositoryChange } from "./repository-rows.ts";
import { storeWhole } from "./store-whole.ts";
import { createRepositoryStates } from "./repository-states.ts";

/** Repositories that are kept in the store; see `createStoredRepoStore`. */
export interface StoredRepoStore extends RepoStore {
  /** Stores the repository of the directory, whole, in place of what the store has of it. */
  moveIn(project: ProjectId): Promise<void>;
}

const MAX_PROCESSES = 4;
const NAMES_COMMIT = /^refs\/(?:heads|pull)\//;

/**
 * Repositories whose references and objects are in the store, for nodes that share no disk (decision 110). What is below `root` is a copy of this
 * node: it is compared with the store before references are read, and when an object is missing.
 *
 * Objects go to the store before a call that writes them returns. References move there, in one transaction with the objects that
 * they need, and then in the copy. While the database is away, a copy answers readers as it is.
 */
export function createStoredRepoStore(options: {
  database: Database;
  root: string;
  logger: Logger;
  environment?: GitEnvironment;
  origin?: RepositoryOrigin;
  maxMirrorBytes?: number;
}): StoredRepoStore {
  const { database, logger } = options;
  const local = createRepoStore({ ...options, writes: { storeObjects, moveReferences: updateRefs } });
  const environment = options.environment ?? DEFAULT_GIT_ENVIRONMENT;
  const run = createGitRunner({ environment, maxProcesses: MAX_PROCESSES });
  const copies = createLocalCopies({ database, run, local });
  const states = createRepositoryStates(database);
  const compaction = createCompaction({ database, copies, logger });
  const outage = createLastingTrouble(logger, "repositories cannot be compared with the database");

  /** The state in the store, null where there is no repository; `here` while the database is away and there is a copy. */
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

  /** Before references are read: has them as they are in the store. `RepositoryMissing`. */
  async function refresh(project: ProjectId): Promise<void> {
    const stored = await storedState(project);
    if (stored === null) throw new RepositoryMissing(local.directory(project));
    if (stored !== "here" && (await copies.stateOf(project))?.version !== stored.version) await copies.follow(project);
  }

  const resolve: RepoStore["resolve"] = async (project, revision) => {
    if (isObjectId(revision)) await have(project, [revision]);
    // Nodes look at the branches of all projects: that alone needs no copy. A tag may name another object than a commit.
    else if (NAMES_COMMIT.test(revision) && isReferenceName(revision) && (await copies.stateOf(project)) === null) {
      return readReference(database, project, revision);
    } else await refresh(project);
    return local.resolve(project, revision);
  };

  /** Before objects are read: fetches what another node has written. */
  async function have(project: ProjectId, oids: readonly ObjectId[]): Promise<void> {
    const asked = oids.filter((oid) => isObjectId(oid) && oid !== EMPTY_TREE);
    const isHere = await local.holds(project, asked).catch((error: unknown) => {
      if (error instanceof RepositoryMissing) return false;
      throw error;
    });
    if (isHere) return;
    const stored = await storedState(project);
    if (stored === "here" || stored === null) return;
    if ((await copies.stateOf(project))?.packs !== stored.packs) await copies.follow(project);
  }

  /** What is stored stands, also where the copy cannot follow now: that is tried again by whoever reads. */
  const land: typeof copies.land = (project, change, stored) =>
    copies.land(project, change, stored).catch((error: unknown) => {
      logger.warn({ err: error, project }, "the copy of a repository could not follow the database");
    });

  async function storeObjects(project: ProjectId, objects: Parameters<typeof makePack>[0]): Promise<void> {
    const unique = [...new Map(objects.map((object) => [object.oid, object])).values()];
    if (unique.length === 0) return;
    const pack = makePack(unique);
    const change = await changeRepository(database, project, { pack: packInMemory(pack), updates: [] });
    await land(project, change!, {
      async keep() {
        await markKept(copies.at(project), pack.name);
        await writePack(local.directory(project), pack);
      },
    });
    compaction.written(project);
  }

  /** Stores a change with the objects that it needs; false when a reference is not where it is expected. */
  async function store(project: ProjectId, change: RepositoryChange & { pack: PackFile | null }): Promise<boolean> {
    const stored = await changeRepository(database, project, change);
    if (stored === null) {
      // A copy that was changed by hand has the right mark and other references.
      await copies.follow(project, { ignoresMark: true });
      return false;
    }
    await land(project, stored, {
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
    await have(project, tips);
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
    // Of a push that was cut off, some references have moved, and not all that they need may be there.
    if (result.exitCode === null) return { result, isStored: false };
    await stage.removeKeepFiles();
    const updates = await stage.moved(refs);
    if (updates.length === 0) return { result, isStored: true };
    const tips = updates.flatMap(({ to }) => to ?? []);
    // Read in the stage, made in the copy, which it goes to.
    await using pack = await packRevisions({ ...repository, run: stage.repository.run }, { tips, known: stage.known });
    const isStored = await store(project, { pack, updates }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "conflict") return false;
      throw error;
    });
    return { result, isStored };
  };

  const known =
    <A extends unknown[], T>(
      idsOf: (...args: A) => readonly ObjectId[],
      read: (project: ProjectId, ...args: A) => Promise<T>,
    ) =>
    async (project: ProjectId, ...args: A): Promise<T> => {
      await have(project, idsOf(...args));
      return read(project, ...args);
    };
  const current =
    <A extends unknown[], T>(read: (project: ProjectId, ...args: A) => Promise<T>) =>
    async (project: ProjectId, ...args: A): Promise<T> => {
      await refresh(project);
      return read(project, ...args);
    };

  return {
    directory: local.directory,
    prepare: refresh,
    remoteBranch: local.remoteBranch,
    holds: known((oids: readonly ObjectId[]) => oids, local.holds),
    async create(project, { branch, blobs = "here" }) {
      if (!isBranchName(branch)) throw new AppError("invalid", "This is not a valid branch name.");
      await insertRepository(database, project, { head: branch, blobs, references: new Map(), pack: null });
      await copies.follow(project);
    },
    async import(project, how) {
      if ((await states(project)) !== null) throw new AppError("conflict", "The project has a repository.");
      const imported = await local.import(project, how);
      await storeWhole({ database, copies, logger }, project, { replaces: false });
      return imported;
    },
    moveIn: (project) => storeWhole({ database, copies, logger }, project, { replaces: true }),
    async fetch(project, ...remote) {
      await refresh(project);
      const before = await listPacks(copies.at(project));
      const tips = await local.fetch(project, ...remote);
      // What was fetched and is stored by now is here twice.
      const { here, kept } = await listPacks(copies.at(project));
      await dropStored(
        copies.at(project),
        [...here].filter((name) => !kept.has(name) && !before.here.has(name)),
      );
      return tips;
    },
    fetchTags: current(local.fetchTags),
    async push(project, remote, update) {
      await refresh(project);
      await have(project, [update.commit]);
      return local.push(project, remote, update);
    },
    receive,
    async remove(project) {
      await deleteRepository(database, project);
      await local.remove(project);
    },
    exists: async (project) => (await storedState(project)) !== null,
    list: () => listStored(database),
    resolve,
    branches: current(local.branches),
    recentBranches: current(local.recentBranches),
    tags: current(local.tags),
    tree: known((id: ObjectId) => [id], local.tree),
    readBlob: known((oid: ObjectId) => [oid], local.readBlob),
    readBlobs: known((oids: readonly ObjectId[]) => oids, local.readBlobs),
    writeBlob: known((oid: ObjectId, _to: { descriptor: number; maxBytes: number }) => [oid], local.writeBlob),
    readBlobStart: known((oid: ObjectId, _bytes: number) => [oid], local.readBlobStart),
    snapshot: known(({ base }) => [base], local.snapshot),
    commit: known(({ tree, parents }) => [tree, ...parents], local.commit),
    updateRef: (project, update) => updateRefs(project, [update]),
    updateRefs,
    async setHead(project, branch) {
      await refresh(project);
      const change = await changeRepository(database, project, { pack: null, updates: [], head: branch });
      await land(project, change!, { apply: () => local.setHead(project, branch).then(() => true) });
    },
    mergeBase: known((a: ObjectId, b: ObjectId) => [a, b], local.mergeBase),
    contained: known((tip: ObjectId, commits: readonly ObjectId[]) => [tip, ...commits], local.contained),
    log: known(({ base, head }) => (base === null ? [head] : [base, head]), local.log),
    lastChanges: known(({ head, since }) => (since === null ? [head] : [head, since]), local.lastChanges),
    blame: known(({ commit }) => [commit], local.blame),
    changes: known((base: ObjectId, head: ObjectId) => [base, head], local.changes),
    patch: known(({ base, head }) => [base, head], local.patch),
    async mergeTrees(project, { ours, theirs }) {
      await have(project, [ours, theirs]);
      const merge = await local.mergeTrees(project, { ours, theirs });
      if (!merge.ok) return merge;
      // Git has written it here alone.
      await using pack = await packRevisions(copies.at(project), { tips: [merge.tree], known: [ours, theirs] });
      if (pack) await store(project, { pack, updates: [] });
      return merge;
    },
    async maintain(project) {
      if ((await copies.stateOf(project)) === null) return false; // a node that works on it does
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
