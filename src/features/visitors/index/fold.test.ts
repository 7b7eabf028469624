import { describe, expect, test } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject } from "#testing/views.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryViews } from "#features/visitors/reports/counts.ts";
import { createFold, JournalMoved } from "./fold.ts";
import { testVault } from "#testing/vault.ts";

describe.each(BOTH_ENGINES)("on %s", (engine) => {
  test("one of two processes that fold the same part of a journal succeeds, at its start and later", async () => {
    await using made = await openTestDatabase(engine);
    const { database } = made;
    const projectId = await insertTestProject(database.kysely);
    const views = Array.from({ length: 50 }, (_, index) => aView(projectId, { path: `/page-${index % 5}` }));
    const folds = [1, 2].map(() =>
      createFold({ database, classify: createClassifier(), clock: systemClock, vault: testVault }),
    );
    const places = [0, 100, 200].map((position) => ({ segment: position === 0 ? 0 : 1, position }));

    for (const [turn, position] of places.slice(1).entries()) {
      const progress = { journal: "a journal", from: places[turn]!, position };
      const results = await Promise.allSettled(folds.map((fold) => fold.fold(views, progress)));
      const failures = results.filter((result) => result.status === "rejected");
      expect(failures.map(({ reason }) => reason as unknown)).toEqual([expect.any(JournalMoved)]);
      const counted = await queryViews({ database }, { projectId, from: null, to: null, limit: 50, offset: 0 });
      expect(counted.totals.total).toBe(50 * (turn + 1));
    }
  });
});
