import { expect, test } from "vitest";
import { openTestDatabase } from "#testing/databases.ts";
import { testVault } from "#testing/vault.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { DAY_MS } from "#lib/clock.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { createFold } from "./fold.ts";
import { reportAgents, reportExcluded } from "#features/visitors/reports/reports.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(NOON) };

/** The counts for views of a project with these settings, with the exclusions. */
async function countsOf(analytics: object, views: readonly Partial<ViewRecord>[]) {
  await using opened = await openTestDatabase("sqlite");
  const { database } = opened;
  const projectId = await insertTestProject(database.kysely, { analytics });
  const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
  await fold.fold(views.map((view) => aView(projectId, view)));
  const query = { projectId, from: null, to: null, limit: 50, offset: 0 };
  const excluded = await reportExcluded({ database }, query);
  const facts = await database.kysely.selectFrom("view_segment").selectAll().execute();
  return {
    visitors: (await queryVisitors({ database }, query)).totals.human,
    views: (await queryViews({ database }, query)).totals.human,
    excluded: Object.fromEntries(excluded.map(({ reason, views: number }) => [reason, number])),
    hasFacts: facts.length > 0,
  };
}

const tomorrow = NOON + DAY_MS / 4;
const yesterday = NOON - DAY_MS;

test("a project that collects nothing stores nothing about any view", async () => {
  const views = [{}, { isPrefetch: true }, { found: false, path: "/gone" }, { address: "198.51.100.1" }];
  expect(await countsOf({ collect: false }, views)).toEqual({ visitors: 0, views: 0, excluded: {}, hasFacts: false });
  expect(await countsOf({}, views)).toMatchObject({ visitors: 2, views: 2, hasFacts: true });
});

test("a reader who asks for privacy is one visitor all day and a different one the next", async () => {
  const reader = { isPrivate: true };
  expect(await countsOf({}, [reader, { ...reader, path: "/b" }, { ...reader, time: tomorrow }])).toMatchObject({
    visitors: 1,
    views: 3,
  });
  expect(await countsOf({}, [reader, { ...reader, time: yesterday }])).toMatchObject({ visitors: 2, views: 2 });
  expect(await countsOf({}, [{}, { time: yesterday }])).toMatchObject({ visitors: 1, views: 2 });
});

test("a reader who asks for privacy does not count where the project excludes them, and the others do", async () => {
  expect(await countsOf({ countPrivate: false }, [{ isPrivate: true }, { isPrivate: false }])).toEqual({
    visitors: 1,
    views: 1,
    excluded: { not_collected: 1 },
    hasFacts: true,
  });
});

test("own traffic, prefetched pages and repeats of an event are excluded separately, each once", async () => {
  const own = { address: "198.51.100.3" };
  const event = { event: "event-0001" };
  const views = [own, { ...own, isPrefetch: true }, { isPrefetch: true }, event, event, { ...event, time: yesterday }];
  expect(await countsOf({ excludedNetworks: ["198.51.100.0/24"] }, views)).toEqual({
    visitors: 1,
    views: 2,
    excluded: { own_traffic: 2, prefetch: 1, duplicate: 1 },
    hasFacts: true,
  });
});

test("a page sent to a browser is unconfirmed until its view is confirmed, whatever that counts as", async () => {
  const served = { source: "served" } as const;
  const confirmed = { isOfServedPage: true, event: "event-0001" };
  const automated = { isOfServedPage: true, isAutomated: true };
  const elsewhere = { event: "event-0002" };
  expect(await countsOf({}, [served, served, served, confirmed, confirmed, automated, elsewhere])).toMatchObject({
    views: 2,
    excluded: { unconfirmed: 1, automated: 1, duplicate: 1 },
  });
  // A page that was sent before midnight and seen after it leaves no remainder.
  const late = { isOfServedPage: true, time: tomorrow + DAY_MS / 2 };
  expect((await countsOf({}, [served, late])).excluded).toEqual({});
});

test("a page that an editor's fetch tool reads is the agent's, once, and one that a person opens in the editor is a person's", async () => {
  const editor = (name: string) =>
    userAgents.chrome.replace("Chrome/141.0.0.0", `${name}/1.105.0 Chrome/138.0.0.0 Electron/37.6.0`);
  await using opened = await openTestDatabase("sqlite");
  const { database } = opened;
  const projectId = await insertTestProject(database.kysely);
  const tool = { userAgent: editor("Code"), isPrivate: true };
  await createFold({ database, classify: createClassifier(), clock, vault: testVault }).fold([
    aView(projectId, { ...tool, source: "served" }),
    aView(projectId, { ...tool, source: "confirmed" }),
    aView(projectId, { ...tool, source: "served", userAgent: editor("Kiro"), path: "/b" }),
    aView(projectId, { userAgent: editor("Code"), source: "confirmed" }),
  ]);
  const query = { projectId, from: null, to: null, limit: 50, offset: 0 };
  expect((await queryViews({ database }, query)).totals).toEqual({ human: 1, ai: 2, total: 3 });
  const agents = await reportAgents({ database }, query);
  expect(agents.map(({ name, ai, other }) => [name, ai, other])).toEqual([
    ["Visual Studio Code", 1, 1],
    ["Kiro", 1, 0],
  ]);
});
