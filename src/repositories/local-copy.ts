import { readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#db/database.ts";
import type { ObjectId, ReferenceUpdate } from "#git/objects/objects.ts";
import { GitError, type GitRunner, type Repository, repositoryAt } from "#git/process/runner.ts";
import { RepositoryMissing } from "#git/process/repository-missing.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import { lockFile } from "#lib/file-lock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { createKeyedMutex } from "#lib/waiting/mutex.ts";
import { addPack, dropPack, listPacks, markKept } from "./local-packs.ts";
import type { PackStorage } from "./pack-storage.ts";
import { readRepository, type RepositoryState, type StoredPack } from "./repository-reads.ts";

/** A node's working copies of repositories, and how they are synchronized with the store. */
export interface LocalCopies {
  at(project: ProjectId): Repository;
  /** The store's state at the last synchronization; null if there was none. */
  stateOf(project: ProjectId): Promise<RepositoryState | null>;
  /** Synchronizes a copy with the store, creating it if needed. `AppError unavailable` for an unknown repository. */
  follow(project: ProjectId, how?: { ignoresMark: boolean }): Promise<void>;
  /** Applies a change that was just stored to the copy; synchronizes a copy that was behind before the change. */
  applyStored(
    project: ProjectId,
    change: { before: RepositoryState; after: RepositoryState },
    stored: { keep?: () => Promise<void>; apply?: () => Promise<boolean> },
  ): Promise<void>;
  /** Records that a copy has this state of the store. */
  markCurrent(project: ProjectId, state: RepositoryState): Promise<void>;
}

/** File in the repository's folder that records the store's state at the last synchronization. */
export const COPY_MARK = "copy-of-store";
const LOCK = "copy.lock";
const LOOK_AGAIN_MS = 10;
const MAX_TRIES = 5;
/** Leaves database connections for other work. */
const PACKS_AT_ONCE = 3;

export function createLocalCopies(deps: {
  database: Database;
  packs: Pick<PackStorage, "read">;
  run: GitRunner;
  /** The repositories in the directory, without the store. */
  local: Pick<RepoStore, "create" | "directory" | "exists" | "setHead" | "updateRefs">;
}): LocalCopies {
  const { database, local } = deps;
  const mutex = createKeyedMutex();
  const at = (project: ProjectId) => repositoryAt(deps.run, local.directory(project));
  const markOf = (project: ProjectId) => path.join(local.directory(project), COPY_MARK);

  const stateOf = async (project: ProjectId): Promise<RepositoryState | null> => {
    const text = await readFile(markOf(project), "utf8").catch(() => "");
    const [version, packs] = text.trim().split(" ");
    return version && packs ? { version, packs } : null;
  };
  /** Not flushed: the objects and references are, and a mark that a power failure empties causes a full comparison. */
  const markCurrent = async (project: ProjectId, { version, packs }: RepositoryState) => {
    await writeFile(`${markOf(project)}.new`, `${version} ${packs}\n`);
    await rename(`${markOf(project)}.new`, markOf(project));
  };

  /** Runs one piece of work at a time, also across commands that use the same directory. */
  const withLock = <T>(project: ProjectId, work: () => Promise<T>): Promise<T> =>
    mutex.run(project, async () => {
      await makeFolderOf(project);
      const file = path.join(local.directory(project), LOCK);
      let lock = lockFile(file);
      for (; lock === null; lock = lockFile(file)) await sleep(LOOK_AGAIN_MS);
      using _ = lock;
      return await work();
    });

  async function makeFolderOf(project: ProjectId): Promise<void> {
    if (await local.exists(project)) return;
    const stored = await readRepository(database, project);
    if (stored === null || stored === "same") throw new RepositoryMissing(local.directory(project));
    await local.create(project, { branch: stored.head, blobs: stored.blobs }).catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === "conflict")) throw error; // a command created it first
    });
  }

  async function makeCurrent(project: ProjectId, { ignoresMark } = { ignoresMark: false }): Promise<void> {
    let lacking: StoredPack | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const stored = await readRepository(database, project, ignoresMark ? null : await stateOf(project));
      if (stored === "same") return;
      if (stored === null) throw new RepositoryMissing(local.directory(project));
      lacking = await addMissingPacks(project, stored.packs);
      if (lacking) continue; // they were compacted meanwhile
      await setReferences(project, stored.references);
      await setHead(project, stored.head);
      await dropReplaced(project, stored.packs);
      return markCurrent(project, stored.state);
    }
    if (lacking?.object) throw new StorageUnavailable(`The object ${lacking.object} is missing: see docent doctor.`);
    throw new AppError("unavailable", "The repository changes again and again; try again.");
  }

  /** Returns a pack that is gone. */
  async function addMissingPacks(project: ProjectId, packs: readonly StoredPack[]): Promise<StoredPack | undefined> {
    const { here, kept } = await listPacks(at(project));
    for (const { name } of packs) if (here.has(name) && !kept.has(name)) await markKept(at(project), name);
    const missing = packs.filter(({ name }) => !here.has(name));
    const added = await mapConcurrently(missing, PACKS_AT_ONCE, (pack) =>
      addPack(at(project), pack, deps.packs.read(project, pack)),
    );
    return missing.find((_, index) => !added[index]);
  }

  /** Drops packs that the store has replaced: their objects are in the replacement, which is already here. */
  async function dropReplaced(project: ProjectId, packs: readonly StoredPack[]): Promise<void> {
    const stored = new Set(packs.map(({ name }) => name));
    const { kept } = await listPacks(at(project));
    for (const name of kept) if (!stored.has(name)) await dropPack(at(project), name);
  }

  async function setReferences(project: ProjectId, references: ReadonlyMap<string, ObjectId>): Promise<void> {
    const here = await listReferences(at(project));
    const updates: ReferenceUpdate[] = [...new Set([...here.keys(), ...references.keys()])]
      .map((ref) => ({ ref, to: references.get(ref) ?? null, expected: here.get(ref) ?? null }))
      .filter(({ to, expected }) => to !== expected);
    // In one transaction, so that no reader sees a branch deleted before its merge appears.
    if (await local.updateRefs(project, updates).catch(falseIfRefused)) return;
    // Every process that moves references here holds the copy's lock, so these lock files are left from a killed git.
    await removeLocks(project, updates);
    if (await local.updateRefs(project, updates).catch(falseIfRefused)) return;
    // Git cannot create `a/b` in the transaction that deletes `a`.
    await local.updateRefs(
      project,
      updates.filter(({ to }) => to === null),
    );
    await local.updateRefs(
      project,
      updates.filter(({ to }) => to !== null),
    );
  }

  async function removeLocks(project: ProjectId, updates: readonly ReferenceUpdate[]): Promise<void> {
    for (const name of [...updates.map(({ ref }) => ref), "HEAD", "packed-refs"]) {
      await rm(path.join(local.directory(project), `${name}.lock`), { force: true }).catch(() => undefined); // below a branch
    }
  }

  async function setHead(project: ProjectId, branch: string): Promise<void> {
    if ((await readHead(at(project))) !== branch) await local.setHead(project, branch);
  }

  return {
    at,
    stateOf,
    markCurrent,
    follow: (project, how) => withLock(project, () => makeCurrent(project, how)),
    applyStored: (project, { before, after }, { keep, apply }) =>
      withLock(project, async () => {
        const wasCurrent = isSame(await stateOf(project), before);
        await keep?.();
        const isApplied = wasCurrent && (!apply || (await apply().catch(falseIfRefused)));
        await (isApplied ? markCurrent(project, after) : makeCurrent(project));
      }),
  };
}

/** False if a reference is locked or has an unexpected value, which a full comparison resolves; rethrows the rest. */
function falseIfRefused(error: unknown): boolean {
  if (error instanceof AppError || error instanceof GitError) return false;
  throw error;
}

const isSame = (one: RepositoryState | null, other: RepositoryState) =>
  one?.version === other.version && one.packs === other.packs;

/** All references of a repository, by their full names. */
export async function listReferences(repository: Repository): Promise<Map<string, ObjectId>> {
  const { stdout } = await repository.run({ args: ["for-each-ref", "--format=%(objectname) %(refname)"] });
  const lines = stdout.toString("utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(41), line.slice(0, 40)]));
}

/** The branch that HEAD names. */
export async function readHead({ directory }: Pick<Repository, "directory">): Promise<string | null> {
  const text = await readFile(path.join(directory, "HEAD"), "utf8");
  return /^ref: refs\/heads\/(.+)$/m.exec(text)?.[1]?.trim() ?? null;
}
