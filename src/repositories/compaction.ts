import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { LocalCopies } from "./local-copy.ts";
import { packTogether } from "./local-packs.ts";
import { readRepository } from "./repository-reads.ts";
import { replacePacks, type RepositoryStorage } from "./repository-rows.ts";

/** Replaces many packs in the store with one. */
export interface Compaction extends AsyncDisposable {
  /** Compacts a repository with more than `MAX_PACKS` packs; returns whether it did. If nodes race, one wins. */
  run(project: ProjectId): Promise<boolean>;
  /** To be called for each pack that this node writes; every `WRITTEN_BETWEEN` packs it compacts in the background. */
  written(project: ProjectId): void;
}

/** Each pack costs a query and two files when a node makes its copy, and slows down object lookups. */
const MAX_PACKS = 40;
/** A job writes two packs per step. */
const WRITTEN_BETWEEN = 100;

/** Keeps unreachable objects: the tree that an unfinished job works on has no reference. */
export function createCompaction(deps: {
  storage: RepositoryStorage;
  copies: LocalCopies;
  logger: Logger;
}): Compaction {
  const { storage, copies, logger } = deps;
  const written = new Map<ProjectId, number>();
  const underWay = new Set<Promise<void>>();

  async function run(project: ProjectId): Promise<boolean> {
    const stored = await readRepository(storage.database, project);
    if (stored === null || stored === "same" || stored.packs.length <= MAX_PACKS) return false;
    await copies.follow(project);
    const replaced = stored.packs.map(({ name }) => name);
    await using pack = await packTogether(copies.at(project), replaced);
    if (!pack || !(await replacePacks(storage, project, { pack, replaced }))) return false;
    await pack.keep();
    await copies.follow(project);
    return true;
  }

  return {
    run,
    written(project) {
      const count = (written.get(project) ?? 0) + 1;
      if (count < WRITTEN_BETWEEN) return void written.set(project, count);
      written.delete(project);
      const work = run(project)
        .then(() => undefined)
        .catch((error: unknown) => logger.warn({ err: error, project }, "packs could not be put together"))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(underWay);
    },
  };
}
