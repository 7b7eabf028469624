import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { LocalCopies } from "./local-copy.ts";
import { packTogether } from "./local-packs.ts";
import { readRepository } from "./repository-reads.ts";
import { replacePacks } from "./repository-rows.ts";

/** Puts one pack in place of many, in the store. */
export interface Compaction extends AsyncDisposable {
  /** Does it when there are many; answers whether it did. Of several nodes that do it at once, one has done it. */
  run(project: ProjectId): Promise<boolean>;
  /** Called for each pack that this node has written: now and then it does it by the way. */
  written(project: ProjectId): void;
}

/** Each is a query and two files when a node makes its copy, and more work for whoever looks an object up. */
const MAX_PACKS = 40;
/** A job writes two with each step. */
const WRITTEN_BETWEEN = 100;

/** Nothing is dropped: a tree that an unfinished job stands on has no reference. */
export function createCompaction(deps: { database: Database; copies: LocalCopies; logger: Logger }): Compaction {
  const { database, copies, logger } = deps;
  const written = new Map<ProjectId, number>();
  const underWay = new Set<Promise<void>>();

  async function run(project: ProjectId): Promise<boolean> {
    const stored = await readRepository(database, project);
    if (stored === null || stored === "same" || stored.packs.length <= MAX_PACKS) return false;
    await copies.follow(project);
    const replaced = stored.packs.map(({ name }) => name);
    await using pack = await packTogether(copies.at(project), replaced);
    if (!pack || !(await replacePacks(database, project, { pack, replaced }))) return false;
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
