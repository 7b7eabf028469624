import fc from "fast-check";
import { testVault } from "#testing/vault.ts";
import { describe, expect, test } from "vitest";
import type { Engine } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { contentOf, twin } from "#testing/analytics-content.ts";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { DAY_MS } from "#lib/clock.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { createFold } from "./fold.ts";
import { maintainAnalytics } from "./maintenance.ts";
import { countEpochs } from "#features/visitors/secrets.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

const TODAY = Date.UTC(2026, 10, 20, 12);
const everything = { from: null, to: null, limit: 250, offset: 0 };
const RETENTION = { analytics: { retentionDays: 30 } };

/** A store with a clock that a test sets and that is trusted there. */
async function openWorld(engine: Engine, settings: object = RETENTION) {
  const opened = await openTestDatabase(engine);
  const { database } = opened;
  let instant = TODAY;
  const clock = { now: () => new Date(instant) };
  const time = { now: async () => new Date(instant) };
  const projectId = await insertTestProject(database.kysely, settings);
  const fold = createFold({ database, classify: createClassifier(), clock, time, vault: testVault, minPackedRows: 20 });
  const total = async (project = projectId) => {
    const query = { projectId: project, ...everything };
    const views = (await queryViews({ database }, query)).totals.total;
    return [(await queryVisitors({ database }, query)).totals.total, views];
  };
  return {
    database,
    projectId,
    fold,
    total,
    setTime: (to: number) => void (instant = to),
    maintain: () => maintainAnalytics({ database, clock, time, vault: testVault, logger: silentLogger }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

const someView = fc.record({
  daysAgo: fc.integer({ min: 0, max: 29 }),
  visitor: fc.integer({ min: 1, max: 6 }),
  path: fc.constantFrom("/", "/a", "/b", "/gone"),
  referrer: fc.constantFrom(null, "news.example", "old.example"),
  kind: fc.constantFrom("chrome", "chatGpt", "googlebot"),
  isMissing: fc.boolean(),
});

function viewOf(projectId: ProjectId, now: number, given: typeof someView extends fc.Arbitrary<infer T> ? T : never) {
  const { daysAgo, visitor, path, referrer, kind, isMissing } = given;
  return aView(projectId, {
    time: now - daysAgo * DAY_MS,
    address: `192.0.2.${visitor}`,
    path: isMissing ? `/missing${path}` : path,
    found: !isMissing,
    referrer,
    userAgent: userAgents[kind as keyof typeof userAgents],
    source: kind === "chrome" ? "confirmed" : "served",
  }) satisfies ViewRecord;
}

describe.each(ENGINES)("on %s", (engine) => {
  test("after retention the store equals one without the old views", async () => {
    const batches = fc.tuple(
      fc.array(someView, { minLength: 1, maxLength: 40 }),
      fc.array(someView, { maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(batches, async ([early, late]) => {
        await using world = await openWorld(engine);
        await using model = await openWorld(engine);
        const { projectId } = world;
        const firstDay = TODAY - 20 * DAY_MS;
        world.setTime(firstDay);
        await world.fold.fold([{ project: projectId, time: firstDay, shed: 1 }]);
        await twin(world.database, model.database, projectId, model.projectId);
        const keptFrom = dayOf(TODAY + 7 * DAY_MS) - 30;
        for (const [instant, given] of [
          [firstDay, early],
          [TODAY, late],
        ] as const) {
          for (const one of [world, model]) one.setTime(instant);
          const views = given.map((view) => viewOf(projectId, instant, view));
          await world.fold.fold(views);
          await model.fold.fold(views.filter(({ time }) => dayOf(time) >= keptFrom));
        }
        await model.fold.fold([{ project: projectId, time: firstDay, shed: 1 }]);
        for (const instant of [TODAY, TODAY + 7 * DAY_MS]) {
          world.setTime(instant);
          await world.maintain();
        }
        expect(await contentOf(world.database, projectId)).toEqual(await contentOf(model.database, projectId));
      }),
      { numRuns: LONG_TESTS && engine === "sqlite" ? 25 : 4, endOnFailure: true },
    );
  }, 120_000);

  test("the first kept day stays complete, even if its month began before it", async () => {
    await using world = await openWorld(engine);
    const { database, projectId } = world;
    const firstKept = dayOf(TODAY + 7 * DAY_MS) - 30; // 28 October
    const at = (day: number) => day * DAY_MS + 1;
    await world.fold.fold([
      aView(projectId, { time: at(firstKept - 1) }),
      aView(projectId, { time: at(firstKept), address: "192.0.2.2" }),
      aView(projectId, { time: at(firstKept + 2), address: "192.0.2.3" }),
    ]);
    await world.maintain();
    expect(await world.total()).toEqual([3, 3]);
    world.setTime(TODAY + 7 * DAY_MS);
    await world.maintain();
    expect(await world.total()).toEqual([2, 2]);
    const october = { from: dayOf(Date.UTC(2026, 9, 1)) as number as Day, to: dayOf(Date.UTC(2026, 10, 1)) };
    const views = await queryViews({ database }, { projectId, ...october, limit: 1, offset: 0 });
    expect(views.totals.total).toBe(2);
  });

  test("deletes nothing before a week of trusted time has passed since its mark", async () => {
    await using world = await openWorld(engine, {});
    const { database, projectId } = world;
    await world.fold.fold([aView(projectId, { time: TODAY - 60 * DAY_MS }), aView(projectId)]);
    await world.maintain();
    const set = (analytics: object) =>
      database.kysely
        .updateTable("project")
        .set({ settings: JSON.stringify({ analytics }) })
        .where("id", "=", projectId)
        .execute();
    await set({ retentionDays: 30 });
    await world.maintain();
    world.setTime(TODAY + 6 * DAY_MS);
    await world.maintain();
    expect(await world.total()).toEqual([1, 2]);
    await set({ retentionDays: 396 }); // the retention was raised again: the mark is removed
    await world.maintain();
    world.setTime(TODAY + 8 * DAY_MS);
    await world.maintain();
    await set({ retentionDays: 30 });
    for (const days of [8, 14, 15, 21]) {
      world.setTime(TODAY + days * DAY_MS);
      await world.maintain();
      expect(await world.total()).toEqual([1, 2]);
    }
    world.setTime(TODAY + 22 * DAY_MS); // a week after the previous mark was over
    await world.maintain();
    expect(await world.total()).toEqual([1, 1]);
  });

  test("one project's retention affects no other project", async () => {
    await using world = await openWorld(engine);
    const { database, projectId } = world;
    const other = await insertTestProject(database.kysely, {});
    const times = [0, 20, 29].map((days) => TODAY - days * DAY_MS);
    await world.fold.fold([projectId, other].flatMap((project) => times.map((time) => aView(project, { time }))));
    const before = await contentOf(database, other);
    for (const days of [0, 7]) {
      world.setTime(TODAY + days * DAY_MS);
      await world.maintain();
    }
    expect(await world.total()).toEqual([1, 2]);
    const after = await contentOf(database, other);
    expect({ ...after, presence: [] }).toEqual({ ...before, presence: [] });
    expect(await world.total(other)).toEqual([1, 3]);
  });

  test("a raised retention keeps more from then on, and refuses older views", async () => {
    await using world = await openWorld(engine);
    const { database, projectId } = world;
    const old = aView(projectId, { time: TODAY - 29 * DAY_MS, event: "old" });
    await world.fold.fold([old, aView(projectId)]);
    for (const days of [0, 7]) {
      world.setTime(TODAY + days * DAY_MS);
      await world.maintain();
    }
    await world.fold.fold([old]);
    expect(await world.total()).toEqual([1, 1]);
    await database.kysely
      .updateTable("project")
      .set({ settings: JSON.stringify({ analytics: { retentionDays: 90 } }) })
      .where("id", "=", projectId)
      .execute();
    world.setTime(TODAY + 7 * DAY_MS + 60_000); // past the few seconds for which settings are cached
    await world.fold.fold([old]);
    await world.maintain();
    expect(await world.total()).toEqual([1, 2]);
  });

  test("a retention that was raised temporarily deletes no earlier than a week after it was lowered again", async () => {
    await using world = await openWorld(engine);
    const { database, projectId } = world;
    await world.fold.fold([aView(projectId, { time: TODAY - 29 * DAY_MS }), aView(projectId)]);
    const seen: number[] = [];
    for (const [day, retentionDays] of [
      [0, 30],
      [1, 90],
      [8, 30],
      [15, 30],
    ] as const) {
      const settings = JSON.stringify({ analytics: { retentionDays } });
      await database.kysely.updateTable("project").set({ settings }).where("id", "=", projectId).execute();
      world.setTime(TODAY + day * DAY_MS);
      await world.maintain();
      seen.push((await world.total())[1]!);
    }
    expect(seen).toEqual([2, 2, 2, 1]);
  });

  test("a rebuild that was killed after old views were deleted is repeated", async () => {
    await using world = await openWorld(engine);
    const { database, projectId } = world;
    await world.fold.fold([aView(projectId, { time: TODAY - 29 * DAY_MS, address: "192.0.2.2" }), aView(projectId)]);
    await world.maintain();
    world.setTime(TODAY + 7 * DAY_MS);
    await database.kysely
      .deleteFrom("view_segment")
      .where("day", "<", dayOf(TODAY) - 23)
      .execute();
    await database.kysely
      .updateTable("analytics_project")
      .set({ kept_from: dayOf(TODAY) - 23 })
      .execute();
    await world.maintain();
    expect((await queryVisitors({ database }, { projectId, ...everything })).totals.total).toBe(1);
  });

  test("a lower retention destroys the visitor secret a week after it was noticed, and not if it is raised meanwhile", async () => {
    await using world = await openWorld(engine, {});
    const { database, projectId } = world;
    const set = (analytics: object) =>
      database.kysely
        .updateTable("project")
        .set({ settings: JSON.stringify({ analytics }) })
        .where("id", "=", projectId)
        .execute();
    /** The reader visits on a day, next to maintenance, and the epochs are counted. */
    const comeOn = async (day: number) => {
      world.setTime(TODAY + day * DAY_MS);
      await world.fold.fold([aView(projectId, { time: TODAY + day * DAY_MS })]);
      await world.maintain();
      return countEpochs(database.kysely, { projectId, from: null, to: null });
    };
    expect(await comeOn(0)).toBe(1);
    await set({ retentionDays: 90 });
    expect([await comeOn(200), await comeOn(206)]).toEqual([1, 1]);
    await set({ excludedNetworks: ["198.51.100.0/24"] }); // another 396 days
    expect([await comeOn(206.5), await comeOn(220)]).toEqual([1, 1]);
    await set({ retentionDays: 90 });
    expect([await comeOn(221), await comeOn(227), await comeOn(228)]).toEqual([1, 1, 2]);
  });

  test("the visitor secret is destroyed when it expires, and the header says so for the range", async () => {
    await using world = await openWorld(engine);
    const { database, projectId } = world;
    await world.fold.fold([aView(projectId)]);
    world.setTime(TODAY + 31 * DAY_MS);
    await world.maintain();
    const secrets = await database.kysely.selectFrom("visitor_secret").selectAll().orderBy("epoch").execute();
    expect(secrets.map((row) => [row.epoch, row.sealed === ""])).toEqual([
      [1, true],
      [2, false],
    ]);
    expect(await countEpochs(database.kysely, { projectId, from: null, to: null })).toBe(2);
    expect(await countEpochs(database.kysely, { projectId, from: null, to: (dayOf(TODAY) + 31) as Day })).toBe(1);
  });
});
