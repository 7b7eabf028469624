import { expect, test } from "vitest";
import { testVault } from "#testing/vault.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { aView, insertTestProject } from "#testing/views.ts";
import { createFoldHere } from "#features/visitors/index/fold-runner.ts";
import { readJournalPosition } from "#features/visitors/index/fold-journal.ts";
import { openJournal } from "#features/visitors/journal/journal.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { silentLogger } from "#lib/logger.ts";

const DAY_MS = 86_400_000;
const TODAY = Date.UTC(2026, 10, 20, 12);

test.each(ENGINES)("a server that ran with its clock three years ahead loses nothing, on %s", async (engine) => {
  await using opened = await openTestDatabase(engine);
  await using folder = await createTestDirectory();
  const { database } = opened;
  const projectId = await insertTestProject(database.kysely, { analytics: { retentionDays: 90 } });
  const range = { from: null, to: null, limit: 250, offset: 0 };
  const numbers = async () => [
    await queryVisitors({ database }, { projectId, ...range }),
    await queryViews({ database }, { projectId, ...range }),
    await database.kysely.selectFrom("visitor_secret").selectAll().execute(),
  ];
  /** One run of a server at that time: it takes views, folds them and does its maintenance. */
  const run = async (now: number, addresses: readonly string[]) => {
    const clock = { now: () => new Date(now) };
    await using runner = createFoldHere({
      database,
      clock,
      vault: testVault,
      logger: silentLogger,
      journal: { directory: folder.path, id: "test" },
    });
    {
      const firstSegment = (await readJournalPosition(database, "test")).segment + 1;
      await using journal = await openJournal({ directory: folder.path, logger: silentLogger, firstSegment });
      for (const address of addresses) await journal.append(aView(projectId, { time: now, address }));
    }
    await runner.foldUntil(null);
    await runner.maintain();
  };
  for (const daysAgo of [60, 30, 0]) {
    await run(TODAY - daysAgo * DAY_MS, [`192.0.2.${daysAgo}`, "192.0.2.200"]);
  }
  const before = await numbers();
  expect(before[0]).toMatchObject({ totals: { human: 4, ai: 0, total: 4 } });
  await run(TODAY + 1_100 * DAY_MS, []);
  await run(TODAY + 1_108 * DAY_MS, []); // off for a week meanwhile: the server did not run by this clock
  expect(await numbers()).toEqual(before);
  await run(TODAY + 60_000, ["192.0.2.77", "192.0.2.200"]);
  const visitors = await queryVisitors({ database }, { projectId, ...range });
  const views = await queryViews({ database }, { projectId, ...range });
  expect(visitors.totals).toEqual({ human: 5, ai: 0, total: 5 });
  expect(views.totals).toEqual({ human: 8, ai: 0, total: 8 });
});
