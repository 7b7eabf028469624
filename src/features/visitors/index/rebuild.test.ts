import { describe, expect, test } from "vitest";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { DAY_MS } from "#lib/clock.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { createFold } from "./fold.ts";
import { maintainAnalytics } from "./maintenance.ts";
import { rebuildVisitorIndex } from "./rebuild.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";
import { testVault } from "#testing/vault.ts";

const TODAY = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(TODAY) };
/** Maintenance at a trusted time. */
const maintainAt = (database: Database, instant: number) => {
  const time = { now: async () => new Date(instant) };
  return maintainAnalytics({ database, clock, time, vault: testVault, logger: silentLogger });
};

function someViews(projectId: ProjectId, count: number): ViewRecord[] {
  return Array.from({ length: count }, (_, index) =>
    aView(projectId, {
      time: TODAY - ((index * 37) % 45) * DAY_MS,
      address: `192.0.2.${(index * 7) % 50}`,
      path: `/page-${(index * 11) % 13}`,
      ...(index % 3 === 0 ? { source: "served", userAgent: userAgents.claudeCode } : {}),
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

describe.each(BOTH_ENGINES)("on %s", (engine) => {
  test("a rebuild from the facts gives the same index, also during folds", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault, minPackedRows: 50 });
    const views = someViews(projectId, 300);
    await fold.fold(views.slice(0, 200));
    let done = 200;
    const folding = (async () => {
      for (; done < 300; done += 20) await fold.fold(views.slice(done, done + 20));
    })();
    const { comparison, views: read } = await rebuildVisitorIndex({ database, clock }, { projectId, verify: true });
    await folding;
    expect(comparison?.differences).toBe(0);
    expect(read).toBeGreaterThanOrEqual(200);

    const expected = await insertTestProject(database.kysely);
    await fold.fold(someViews(expected, 300));
    expect(await numbers(database, projectId)).toEqual(await numbers(database, expected));
    const again = await rebuildVisitorIndex({ database, clock }, { projectId, verify: true });
    expect(again.comparison?.differences).toBe(0);
  });

  test("nothing of a deleted project remains", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const kept = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault, minPackedRows: 10 });
    await fold.fold([...someViews(projectId, 100), ...someViews(kept, 100)]);
    const before = await numbers(database, kept);
    await database.kysely.deleteFrom("project").where("id", "=", projectId).execute();
    await maintainAt(database, TODAY);
    for (const table of ["visitor_presence", "visitor_count", "visitor_pack", "view_tally", "view_segment"] as const) {
      const rows = await database.kysely.selectFrom(table).select("project").distinct().execute();
      expect(rows.length).toBeLessThanOrEqual(1);
    }
    expect(await database.kysely.selectFrom("visitor_secret").selectAll().execute()).toHaveLength(1);
    expect(await numbers(database, kept)).toEqual(before);
  });
});
