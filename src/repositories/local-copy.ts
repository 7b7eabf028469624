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
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { createKeyedMutex } from "#lib/waiting/mutex.ts";
import { addPack, dropPack, listPacks, markKept } from "./local-packs.ts";
import { readPack, readRepository, type RepositoryState, type StoredPack } from "./repository-reads.ts";

/** The copies of repositories that a node works on, and how they are brought up to what the store has. */
export interface LocalCopies {
  at(project: ProjectId): Repository;
  /** The state of the store that a copy was last made as; null for one that never was. */
  stateOf(project: ProjectId): Promise<RepositoryState | null>;
  /** Makes a copy as the store is, from nothing where it is missing. `AppError unavailable` for a repository that is not there. */
  follow(project: ProjectId, how?: { ignoresMark: boolean }): Promise<void>;
  /** Repeats in the copy what was just stored; brings it up to date where it was behind before. */
  land(
    project: ProjectId,
    change: { before: RepositoryState; after: RepositoryState },
    stored: { keep?: () => Promise<void>; apply?: () => Promise<boolean> },
  ): Promise<void>;
  /** Notes of a copy that it is as the store. */
  settle(project: ProjectId, state: RepositoryState): Promise<void>;
}

/** In the repository's folder: what of the store is here. */
export const COPY_MARK = "copy-of-store";
const LOCK = "copy.lock";
const LOOK_AGAIN_MS = 10;
const MAX_TRIES = 5;
/** A part of the connections to the database, which others need too. */
const PACKS_AT_ONCE = 3;

export function createLocalCopies(deps: {
  database: Database;
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
  /** Not flushed: what it speaks of is, and one that a power cut empties has the copy compared as a whole. */
  const settle = async (project: ProjectId, { version, packs }: RepositoryState) => {
    await writeFile(`${markOf(project)}.new`, `${version} ${packs}\n`);
    await rename(`${markOf(project)}.new`, markOf(project));
  };

  /** One at a time, also of the commands that work in the same directory. */
  const alone = <T>(project: ProjectId, work: () => Promise<T>): Promise<T> =>
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
      if (!(error instanceof AppError && error.code === "conflict")) throw error; // a command was faster
    });
  }

  async function makeCurrent(project: ProjectId, { ignoresMark } = { ignoresMark: false }): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const stored = await readRepository(database, project, ignoresMark ? null : await stateOf(project));
      if (stored === "same") return;
      if (stored === null) throw new RepositoryMissing(local.directory(project));
      if (!(await bringPacks(project, stored.packs))) continue; // they were packed together meanwhile
      await setReferences(project, stored.references);
      await setHead(project, stored.head);
      await dropReplaced(project, stored.packs);
      return settle(project, stored.state);
    }
    throw new AppError("unavailable", "The repository changes again and again; try again.");
  }

  async function bringPacks(project: ProjectId, packs: readonly StoredPack[]): Promise<boolean> {
    const { here, kept } = await listPacks(at(project));
    for (const { name } of packs) if (here.has(name) && !kept.has(name)) await markKept(at(project), name);
    const missing = packs.filter(({ name }) => !here.has(name));
    const brought = await mapConcurrently(missing, PACKS_AT_ONCE, (pack) =>
      addPack(at(project), pack, readPack(database, project, pack.name)),
    );
    return brought.every(Boolean);
  }

  /** Objects of a pack that the store has no more are in the one that took its place, which is here by now. */
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
    // Together, so that nobody sees a branch gone whose merge is not there yet.
    if (await local.updateRefs(project, updates).catch(isNoFault)) return;
    // Whoever moves references here holds the lock of the copy: these are of a git that was killed.
    await removeLocks(project, updates);
    if (await local.updateRefs(project, updates).catch(isNoFault)) return;
    // To git a branch `a` stands in the way of `a/b`, also while it goes.
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
    settle,
    follow: (project, how) => alone(project, () => makeCurrent(project, how)),
    land: (project, { before, after }, { keep, apply }) =>
      alone(project, async () => {
        const wasCurrent = isSame(await stateOf(project), before);
        await keep?.();
        const isApplied = wasCurrent && (!apply || (await apply().catch(isNoFault)));
        await (isApplied ? settle(project, after) : makeCurrent(project));
      }),
  };
}

/** A reference that is locked, or is another than it was noted: then the copy is compared as a whole. */
function isNoFault(error: unknown): boolean {
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
