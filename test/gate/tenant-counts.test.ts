import { expect, test } from "vitest";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { createCountsCache } from "#features/visitors/reports/counts-cache.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { eraseAddress } from "#features/visitors/index/erase-address.ts";
import { expire } from "#features/visitors/index/expiry.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import { forgetUnusedLabels } from "#features/visitors/index/label-expiry.ts";
import { maintainAnalytics } from "#features/visitors/index/maintenance.ts";
import { rebuildVisitorIndex } from "#features/visitors/index/rebuild.ts";
import { reportAgents } from "#features/visitors/reports/reports.ts";
import { countEpochs, readKeptSecrets } from "#features/visitors/secrets.ts";
import { reportSeries } from "#features/visitors/reports/series.ts";
import { DAY_MS } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { testVault } from "#testing/vault.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { belongings } from "#test/support/belongings.ts";

const START = Date.UTC(2026, 9, 20, 12);
const ERASED = "198.51.100.9";

/** Two projects whose readers, pages and days are alike, so that a row of the other one is never missed for its number. */
async function openTwo() {
  const opened = await openTestDatabase("sqlite");
  const { database } = opened;
  let instant = START;
  const clock = { now: () => new Date(instant) };
  const time = { now: async () => new Date(instant) };
  const settings = { analytics: { retentionDays: 30 } };
  const mine = await insertTestProject(database.kysely, { analytics: { retentionDays: 400 } });
  const theirs = await insertTestProject(database.kysely, settings);
  const foldOf = () =>
    createFold({ database, classify: createClassifier(), clock, time, vault: testVault, minPackedRows: 4 });
  const fold = foldOf();
  const view = (project: ProjectId, given: { address: string; path: string; userAgent?: string }) =>
    aView(project, { time: instant, source: given.userAgent === undefined ? "confirmed" : "served", ...given });
  return {
    database,
    clock,
    time,
    mine,
    theirs,
    fold,
    view,
    /** As in another process, which remembers nothing. */
    foldAnew: (views: Parameters<typeof fold.fold>[0]) => foldOf().fold(views),
    pass: (days: number) => void (instant += days * DAY_MS),
    /** Every number that is told of a project. */
    async told(projectId: ProjectId) {
      const query = { projectId, from: null, to: null, limit: 250, offset: 0 };
      const { kept } = await readKeptSecrets({ queryable: database.kysely, vault: testVault }, projectId);
      return {
        visitors: await queryVisitors({ database }, query),
        views: await queryViews({ database }, query),
        agents: await reportAgents({ database }, query),
        series: await reportSeries({ database, cache: createCountsCache() }, query),
        epochs: await countEpochs(database.kysely, query),
        secrets: kept.map(({ secret }) => secret.export().toString("hex")),
      };
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

type Two = Awaited<ReturnType<typeof openTwo>>;

/** Views of three days in two months; the reader who is erased later came to each project. */
async function fill({ fold, view, pass }: Two, project: ProjectId, word: string) {
  for (let day = 0; day < 3; day++) {
    await fold.fold([
      view(project, { address: "192.0.2.1", path: "/" }),
      view(project, { address: "192.0.2.2", path: `/${word}-${day}` }),
      view(project, { address: ERASED, path: "/" }),
      view(project, { address: ERASED, path: `/${word}-erased` }),
      view(project, {
        address: "192.0.2.4",
        path: "/",
        userAgent: word === "mine" ? userAgents.claudeCode : userAgents.curl,
      }),
    ]);
    pass(6);
  }
  pass(-18);
}

test("reports of a project contain only its own readers", async () => {
  await using two = await openTwo();
  const { mine, theirs, told } = two;
  await fill(two, mine, "mine");
  await two.fold.fold([two.view(mine, { address: "192.0.2.5", path: "/" })]); // not packed yet
  const alone = await told(mine);
  expect(alone.visitors.totals).toEqual({ human: 4, ai: 1, total: 5 });
  expect(alone.views.totals).toMatchObject({ human: 13, ai: 3 });
  expect(alone.series.filter(({ views }) => views.total > 0).map(({ views }) => views)).toEqual([
    { human: 5, ai: 1, total: 6 },
    { human: 4, ai: 1, total: 5 },
    { human: 4, ai: 1, total: 5 },
  ]);
  await fill(two, theirs, "theirs");
  expect(await told(mine)).toEqual(alone);
  const other = await told(theirs);
  expect(JSON.stringify(other)).not.toContain("mine");
  expect(other.visitors.totals).toEqual({ human: 3, ai: 0, total: 3 });
  expect(other.agents.map(({ name }) => name)).toEqual(["curl"]);
  // Else whoever knows the readers of one project would know those of another.
  expect(other.secrets).toHaveLength(1);
  expect(other.secrets).not.toEqual(alone.secrets);
});

test.each([
  [
    "new views",
    async ({ foldAnew, view, theirs }: Two) =>
      foldAnew([
        view(theirs, { address: "192.0.2.7", path: "/theirs-new" }),
        view(theirs, { address: "192.0.2.1", path: "/" }),
      ]),
  ],
  [
    "a rebuild",
    async ({ database, clock, theirs, told }: Two) => {
      const before = await told(theirs);
      await rebuildVisitorIndex({ database, clock }, { projectId: theirs });
      expect(await told(theirs)).toEqual(before);
    },
  ],
  [
    "an erased address",
    async ({ database, clock, theirs }: Two) => {
      const deps = { database, clock, vault: testVault, agents: builtInAgents };
      expect(await eraseAddress(deps, { projectId: theirs, address: ERASED })).toMatchObject({
        visitors: 1,
        views: 6,
        days: 3,
      });
    },
  ],
  [
    "a retention",
    async ({ database, time, theirs, pass }: Two) => {
      for (const days of [35, 8]) {
        pass(days);
        await expire(
          { database, vault: testVault, logger: silentLogger },
          { projectId: theirs, trusted: await time.now() },
        );
      }
      await forgetUnusedLabels(database, theirs);
      const rows = await database.kysely.selectFrom("view_segment").select("project").execute();
      expect(rows).toHaveLength(3); // those of the other project
    },
  ],
  [
    "a new secret",
    async ({ foldAnew, view, theirs, pass }: Two) => {
      pass(60);
      await foldAnew([view(theirs, { address: "192.0.2.1", path: "/" })]);
    },
  ],
])("%s of one project changes nothing of another", async (_what, act) => {
  await using two = await openTwo();
  const { database, clock, time, mine, theirs, told } = two;
  await fill(two, mine, "mine");
  await fill(two, theirs, "theirs");
  two.pass(20);
  await maintainAnalytics({ database, clock, time, vault: testVault, logger: silentLogger });
  const [rows, numbers, before] = [
    await belongings(database, mine),
    await told(mine),
    await belongings(database, theirs),
  ];
  await act(two);
  expect(await belongings(database, theirs)).not.toEqual(before);
  expect(await belongings(database, mine)).toEqual(rows);
  expect(await told(mine)).toEqual(numbers);
});
