import { describe, expect, test } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createClassifier } from "./classify.ts";
import { queryViews, queryVisitors } from "./counts.ts";
import { type Day, DAY_MS, dayOf } from "./day.ts";
import { createFold } from "./fold.ts";
import { maintainAnalytics } from "./maintenance.ts";
import { rebuildVisitorIndex } from "./rebuild.ts";
import { countEpochs } from "./secrets.ts";
import type { ViewRecord } from "./view-record.ts";

const TODAY = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(TODAY) };

function someViews(projectId: ProjectId, count: number): ViewRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aView(projectId, {
      time: TODAY - ((index * 37) % 90) * DAY_MS,
      address: `192.0.2.${(index * 7) % 50}`,
      path: `/page-${(index * 11) % 13}`,
      ...(index % 3 === 0 ? { source: "served", userAgent: userAgents.chatGpt } : {}),
      ...(index % 17 === 0 ? { source: "served", userAgent: userAgents.googlebot } : {}),
    }),
  );
}

async function numbers(database: Database, projectId: ProjectId) {
  const ranges = [0, 1, 7, 30, 89].map((days) => ({
    from: dayOf(TODAY - days * DAY_MS),
    to: (dayOf(TODAY) + 1) as Day,
  }));
  const all = [...ranges, { from: null, to: null }].map((range) => ({ projectId, ...range, limit: 250, offset: 0 }));
  return Promise.all(
    all.map(async (query) => [await queryVisitors({ database }, query), await queryViews({ database }, query)]),
  );
}

describe.each(ENGINES)("on %s", (engine) => {
  test("a rebuild from the facts gives the same index, also while views are being folded", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, minPackedRows: 50 });
    const views = someViews(projectId, 900);
    await fold.fold(views.slice(0, 700));
    let done = 700;
    const folding = (async () => {
      for (; done < 900; done += 20) await fold.fold(views.slice(done, done + 20));
    })();
    const { comparison, views: read } = await rebuildVisitorIndex({ database, clock }, { projectId, verify: true });
    await folding;
    expect(comparison?.differences).toBe(0);
    expect(read).toBeGreaterThanOrEqual(700);

    const expected = await insertTestProject(database.kysely);
    await fold.fold(someViews(expected, 900));
    expect(await numbers(database, projectId)).toEqual(await numbers(database, expected));
    const again = await rebuildVisitorIndex({ database, clock }, { projectId, verify: true });
    expect(again.comparison?.differences).toBe(0);
  });

  test("what is older than the retention goes, with its visitors, and its secret is destroyed", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely, { analytics: { retentionDays: 30 } });
    const fold = createFold({ database, classify: createClassifier(), clock });
    const old = aView(projectId, { time: TODAY - 40 * DAY_MS });
    await fold.fold([old, aView(projectId), aView(projectId, { address: "192.0.2.2" })]);
    await maintainAnalytics({ database, clock, logger: silentLogger });
    const query = { projectId, from: null, to: null, limit: 50, offset: 0 };
    expect((await queryVisitors({ database }, query)).totals).toEqual({ human: 2, ai: 0, total: 2 });
    expect((await queryViews({ database }, query)).totals).toEqual({ human: 2, ai: 0, total: 2 });
    await fold.fold([old]);
    expect((await queryViews({ database }, query)).totals.total).toBe(2);

    const later = { now: () => new Date(TODAY + 31 * DAY_MS) };
    await maintainAnalytics({ database, clock: later, logger: silentLogger });
    const secrets = await database.kysely.selectFrom("visitor_secret").selectAll().orderBy("epoch").execute();
    expect(await countEpochs(database.kysely, { projectId, from: null, to: null })).toBe(2);
    expect(await countEpochs(database.kysely, { projectId, from: null, to: (dayOf(TODAY) + 31) as Day })).toBe(1);
    expect(secrets.map((row) => [row.epoch, row.secret === ""])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  test("nothing of a deleted project stays", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const kept = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, minPackedRows: 10 });
    await fold.fold([...someViews(projectId, 200), ...someViews(kept, 200)]);
    const before = await numbers(database, kept);
    await database.kysely.deleteFrom("project").where("id", "=", projectId).execute();
    await maintainAnalytics({ database, clock, logger: silentLogger });
    for (const table of ["visitor_presence", "visitor_count", "visitor_pack", "view_tally", "view_segment"] as const) {
      const rows = await database.kysely.selectFrom(table).select("project").distinct().execute();
      expect(rows.length).toBeLessThanOrEqual(1);
    }
    expect(await database.kysely.selectFrom("visitor_secret").selectAll().execute()).toHaveLength(1);
    expect(await numbers(database, kept)).toEqual(before);
  });
});
