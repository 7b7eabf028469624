import { describe, expect, test } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { createFold, type Fold } from "./fold.ts";
import { deleteLabels } from "./label-rows.ts";
import { maintainAnalytics } from "./maintenance.ts";
import { rebuildVisitorIndex } from "./rebuild.ts";
import { reportAgents, reportExcluded, reportReferrers } from "#features/visitors/reports/reports.ts";
import { RULES_VERSION } from "#features/visitors/clients/rules.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";
import { testVault } from "#testing/vault.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(NOON) };
const BATCH = 700;

async function foldAll(fold: Fold, views: readonly ViewRecord[]) {
  for (let start = 0; start < views.length; start += BATCH) await fold.fold(views.slice(start, start + BATCH));
}

async function numbers(database: Database, projectId: ProjectId) {
  const query = { projectId, from: null, to: null, limit: 250, offset: 0 };
  return {
    visitors: await queryVisitors({ database }, query),
    views: await queryViews({ database }, query),
    excluded: await reportExcluded({ database }, query),
    agents: (await reportAgents({ database }, query)).map(({ name, ai, other }) => ({ name, ai, other })),
    referrers: await reportReferrers({ database }, query),
  };
}

const people = (projectId: ProjectId, count: number, given: Partial<ViewRecord> = {}) =>
  Array.from({ length: count }, (_, index) => aView(projectId, { address: `198.51.100.${index}`, ...given }));

const views = ({ human, ai }: { human: number; ai: number }) => human + ai;

describe.each(ENGINES)("on %s", (engine) => {
  test.runIf(LONG_TESTS)(
    "thousands of strange user agents from one address change no other number, before and after a rebuild",
    async () => {
      await using opened = await openTestDatabase(engine);
      const { database } = opened;
      const flooded = await insertTestProject(database.kysely);
      const quiet = await insertTestProject(database.kysely);
      const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
      await foldAll(
        fold,
        Array.from({ length: 7_300 }, (_, index) => {
          const given = { source: "served", userAgent: `Reader${index}x/1.0`, surface: "markdown" } as const;
          return aView(flooded, given);
        }),
      );
      for (const projectId of [flooded, quiet]) {
        await fold.fold(people(projectId, 40));
        await fold.fold(people(projectId, 3, { source: "served", userAgent: userAgents.claudeCode }));
      }
      const before = [await numbers(database, flooded), await numbers(database, quiet)];
      expect(before[0]?.visitors.totals).toEqual({ human: 40, ai: 4, total: 44 });
      expect(before[0]?.views.totals).toEqual({ human: 40, ai: 7_303, total: 7_343 });
      expect(before[1]?.visitors.totals).toEqual({ human: 40, ai: 3, total: 43 });
      const listed = before[0]?.agents ?? [];
      expect(listed.length).toBeLessThanOrEqual(5_001);
      expect(listed.reduce((sum, row) => sum + row.ai, 0)).toBe(7_303);
      expect(listed[0]).toMatchObject({ name: "(other)" });
      expect(listed).toContainEqual({ name: "Claude Code", ai: 3, other: 0 });

      for (const projectId of [flooded, quiet]) {
        const { comparison } = await rebuildVisitorIndex({ database, clock }, { projectId, verify: true });
        expect(comparison?.differences).toBe(0);
      }
      expect([await numbers(database, flooded), await numbers(database, quiet)]).toEqual(before);
    },
    120_000,
  );

  test("thousands of made-up referrers do not displace real ones", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
    await fold.fold(people(projectId, 9, { referrer: "before.example" }));
    await foldAll(
      fold,
      Array.from({ length: 5_600 }, (_, index) => aView(projectId, { referrer: `site-${index}.example` })),
    );
    await fold.fold(people(projectId, 7, { referrer: "news.example" }));
    await fold.fold(people(projectId, 1, { referrer: "once.example" }));
    const rows = await reportReferrers({ database }, { projectId, from: null, to: null });
    expect(rows.length).toBeLessThanOrEqual(5_001);
    expect(rows[0]?.referrer).toBe("(other)");
    expect(rows.slice(1, 3)).toEqual([
      { referrer: "before.example", human: 9, ai: 0 },
      { referrer: "news.example", human: 7, ai: 0 },
    ]);
    expect(rows).toContainEqual({ referrer: "once.example", human: 1, ai: 0 });
    expect(rows.reduce((sum, row) => sum + views(row), 0)).toBe(5_617);
  }, 120_000);

  test("a single batch of made-up referrers leaves room for the one that came twice", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
    const real = people(projectId, 2, { referrer: "news.example" });
    const flood = Array.from({ length: 2_500 }, (_, index) => aView(projectId, { referrer: `site-${index}.example` }));
    await fold.fold([...real, ...flood]);
    const rows = await reportReferrers({ database }, { projectId, from: null, to: null });
    expect(rows.slice(0, 2)).toEqual([
      { referrer: "(other)", human: 1_501, ai: 0 },
      { referrer: "news.example", human: 2, ai: 0 },
    ]);
  }, 120_000);

  test("a deleted label removes no view, and its number is never reused for another text", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely);
    const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
    const folded = people(projectId, 5, { referrer: "news.example" });
    await fold.fold(folded);
    const { number } = await database.kysely
      .selectFrom("analytics_project")
      .select("number")
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow();
    const labels = await database.kysely.selectFrom("analytics_label").select(["id", "kind"]).execute();
    const gone = labels.filter(({ kind }) => kind !== 1).map(({ id }) => id);
    await database.transaction((transaction) => deleteLabels(transaction, number, gone));
    await fold.fold(people(projectId, 6, { referrer: "other.example" }));
    const kept = await database.kysely.selectFrom("analytics_label").select("id").execute();
    expect(kept.filter(({ id }) => gone.includes(id))).toEqual([]);
    await database.kysely
      .updateTable("analytics_project")
      .set({ rules_version: RULES_VERSION - 1 })
      .execute();
    await maintainAnalytics({
      database,
      clock,
      vault: testVault,
      time: { now: async () => clock.now() },
      logger: silentLogger,
    });
    const query = { projectId, from: null, to: null, limit: 50, offset: 0 };
    expect((await queryVisitors({ database }, query)).totals).toEqual({ human: 6, ai: 0, total: 6 });
    expect((await queryViews({ database }, query)).totals).toEqual({ human: 11, ai: 0, total: 11 });
    expect(await reportReferrers({ database }, query)).toEqual([
      { referrer: "other.example", human: 6, ai: 0 },
      { referrer: "(other)", human: 5, ai: 0 },
    ]);
  });
});
