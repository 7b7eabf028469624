import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Database } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { deleteProject, finishDeletions } from "#app/delete-project.ts";
import { createProject, findProject } from "./projects.ts";

/** Wraps a dependency so that it fails from the use after the `last`th on, as after a kill. */
function dyingAfter(last: number) {
  let uses = 0;
  const use = () => {
    if (++uses > last) throw new Error("killed");
  };
  const dying = <T extends object>(target: T, methods: readonly (keyof T)[]): T =>
    new Proxy(target, {
      get(object, property) {
        const value: unknown = Reflect.get(object, property);
        if (property === "kysely") use(); // each query starts with it
        if (!methods.includes(property as keyof T) || typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          use();
          const result: unknown = await value.apply(object, args);
          use();
          return result;
        };
      },
    });
  return {
    database: (database: Database) => dying(database, ["transaction"]),
    repoStore: (store: RepoStore) => dying(store, ["remove"]),
    isDead: () => uses > last,
  };
}

test.each(ENGINES)(
  "a deletion that is killed leaves a whole project or none, and the next run finishes it, on %s",
  async (engine) => {
    await using opened = await openTestDatabase(engine);
    await using data = await createTestDirectory();
    await using source = await createTestRepository({ "index.md": "# Start\n" });
    const { database } = opened;
    const root = path.join(data.path, "repositories");
    await using repoStore = createRepoStore({ root, logger: silentLogger });
    const deps = { database, repoStore, clock: systemClock, dataDirectory: data.path };
    const outcomes: string[] = [];
    for (let last = 0; ; last++) {
      const project = await createProject(deps, { name: `Docs ${last}`, source: source.path, branch: null });
      const dying = dyingAfter(last);
      const deleting = deleteProject(
        { ...deps, database: dying.database(database), repoStore: dying.repoStore(repoStore) },
        project,
      );
      await deleting.catch(() => undefined);
      const isThere = (await findProject({ database }, project.id)) !== null;
      const hasRepository = await repoStore.exists(project.id);
      // A project with a row still has its repository; one without may have it or not.
      outcomes.push(isThere ? `whole: ${hasRepository}` : dying.isDead() ? "begun" : "done");
      await (isThere ? deleteProject(deps, project) : finishDeletions(deps));
      expect(await repoStore.exists(project.id)).toBe(false);
      expect(await readdir(root)).toEqual([]);
      expect(await database.kysely.selectFrom("instance_value").selectAll().execute()).toEqual([]);
      if (!dying.isDead()) break;
    }
    expect([...new Set(outcomes)]).toEqual(["whole: true", "begun", "done"]);
  },
  180_000,
);
