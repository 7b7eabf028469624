import path from "node:path";
import { readFile } from "node:fs/promises";
import { findProject } from "#features/projects/projects.ts";
import { expect, test } from "vitest";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { createCountsCache } from "#features/visitors/reports/counts-cache.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { parsePagedRange } from "#features/visitors/range.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import type { UnnamedProxy } from "#features/visitors/collect/unnamed-proxy.ts";
import type { ProjectId } from "#lib/ids.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { analyticsPage, type AnalyticsView } from "./page.ts";
import { dayOf } from "#features/visitors/day.ts";
import { RANGES, rangeOf } from "./shown-range.ts";
import { createAnalyticsRoutes } from "./page-routes.ts";
import { testVault } from "#testing/vault.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(NOON) };

test("the page, its CSV and the endpoint show the same numbers, to members of the project only", async () => {
  await using opened = await openTestDatabase("sqlite");
  const { database } = opened;
  const projectId = await insertTestProject(database.kysely);
  const fold = createFold({ database, classify: createClassifier(), clock, vault: testVault });
  const views = Array.from({ length: 1_234 }, (_, index) =>
    aView(projectId, { path: `/p<${index % 3}>`, address: `10.0.${index >> 8}.${index & 255}` }),
  );
  await fold.fold([
    ...views,
    aView(projectId, { source: "served", userAgent: userAgents.claudeCode, found: false, path: "=gone()" }),
  ]);
  let reader: ProjectId | null = projectId;
  let unnamedProxy: UnnamedProxy | null = null;
  const routes = createAnalyticsRoutes({
    database,
    cache: createCountsCache(),
    clock,
    unnamedProxy: () => unnamedProxy,
    findProject: async (slug) => (slug === "docs" ? { ...(await findProject({ database }, projectId))!, slug } : null),
    session: {
      read: async () =>
        reader === null
          ? null
          : { projectId: reader, keyId: "key_a", scope: "admin", csrfToken: "", fingerprint: "", hash: "" },
    },
    siteUrl: () => "http://docs.localhost/",
    baseUrl: () => "http://localhost:4000",
  });
  const get = async (path: string) => {
    const response = await routes.request(path, { headers: { accept: "text/html" } });
    return { status: response.status, text: await response.text(), location: response.headers.get("location") };
  };
  const page = await get("/docs/analytics?days=7");
  const body = await queryVisitors(
    { database },
    { projectId, ...parsePagedRange(new URLSearchParams("dateFrom=2026-11-14&dateTo=2026-11-21")) },
  );
  expect(page.status).toBe(200);
  expect(body.totals).toEqual({ human: 1_234, ai: 0, total: 1_234 });
  expect(page.text).toContain("<dd>1,234</dd>");
  expect(page.text).toContain("2026-11-20: 1234 people, 0 AI");
  expect(page.text).toMatch(/not people[^]*href="#what-a-visitor-is"[^]*id="what-a-visitor-is"/);
  expect(page.text).toMatch(/operators published\s+on 20\d\d-\d\d-\d\d\./);
  expect(page.text).not.toContain("/p<0>");
  const first = body.visitors[0]!;
  const ofPage = await get(`/docs/analytics?days=7&page=${encodeURIComponent(first.path)}`);
  expect(page.text).toContain(`analytics?days=7&amp;page=${encodeURIComponent(first.path)}"`);
  expect(ofPage.text).toContain(`2026-11-20: ${first.human} people, 0 AI`);
  expect(ofPage.text).toContain(`href="http://docs.localhost${encodeURI(first.path)}"`);
  expect(ofPage.text).not.toContain("Where readers came from");
  expect((await get("/docs/analytics?days=7&page=@elsewhere.example")).text).not.toContain("elsewhere.example");
  const csv = await get("/docs/analytics/pages.csv?days=7");
  expect(csv.text.split("\r\n").slice(1, 4)).toEqual(
    body.visitors.map((row) => `${row.path},${row.human},${row.ai},${row.total}`),
  );
  expect((await get("/docs/analytics/days.csv?days=7")).text).toContain("\r\n2026-11-20,1234,0,1234,1234,0,1234\r\n");
  expect(page.text).toContain(`http://localhost:4000/ingest/${projectId}`);
  expect((await get("/docs/analytics/missing.csv")).text).toContain("\r\n'=gone(),1,0,2026-11-20");
  const chosen = await get("/docs/analytics?from=2026-11-19&to=2026-11-20");
  expect(chosen.text).toMatch(/name="from"[^>]* value="2026-11-19"[^]*name="to"[^>]* value="2026-11-20"/);
  expect(chosen.text).toContain("pages.csv?from=2026-11-19&amp;to=2026-11-20");
  expect((await get("/docs/analytics/pages.csv?from=2026-11-19&to=2026-11-19")).text).not.toContain("/p");
  const backwards = await get("/docs/analytics?from=2026-11-20&to=2026-11-19");
  expect(backwards.text).toContain("The first day must not be after the last day");
  expect((await get("/docs/analytics?from=2026-11-20&to=9999-12-31")).text).toContain("2026-11-20: 1234 people");
  expect((await get("/docs/analytics?from=2026-11-21")).text).toContain("or in the future");
  expect((await get("/docs/analytics/nothing.csv")).status).toBe(404);
  expect((await get("/other/analytics")).status).toBe(404);
  expect(page.text).not.toContain("DOCENT_TRUSTED_PROXIES");
  unnamedProxy = { address: "10.0.0.5", namesReaders: true, trustedProxies: "10.0.0.5" };
  expect((await get("/docs/analytics")).text).toMatch(
    /too low: many readers come from <code>10\.0\.0\.5<\/code>[^]*set\s+<code>DOCENT_TRUSTED_PROXIES=10\.0\.0\.5<\/code>/,
  );
  reader = "prj_other" as ProjectId;
  expect((await get("/docs/analytics")).status).toBe(404);
  reader = null;
  expect(await get("/docs/analytics?days=7")).toMatchObject({
    status: 303,
    location: "/sign-in?to=%2Fdocs%2Fanalytics%3Fdays%3D7",
  });
  expect((await get("/docs/analytics/pages.csv")).status).toBe(303);
});

test("the page states the difference between visitors and people for its range, as the documentation does", async () => {
  const table = await readFile(path.join(import.meta.dirname, "../../../../docs/analytics/privacy.md"), "utf8");
  const place = {
    id: "prj_a",
    slug: "docs",
    name: "Docs",
    siteUrl: "http://docs.localhost/",
  } as unknown as AnalyticsView["place"];
  const nothing = {
    epochs: 2,
    agentAddresses: [],
    failedFetches: [],
    unnamedProxy: null,
    snippet: "",
    externalSite: null,
    series: [],
    agents: [],
    surfaces: [],
  };
  const lists = { referrers: [], missing: [], searches: [], excluded: [] };
  const visitors = { totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false };
  const feedback = { votes: { helpful: 0, notHelpful: 0, agents: 0 }, pages: [], words: [] };
  const [today, previous] = [dayOf(NOON), { human: 0, ai: 0, total: 0 }];
  for (const days of RANGES) {
    const [, people, counted] = new RegExp(`an audience, ${days} days \\| ([\\d,]+) \\| ([\\d,]+)`).exec(table) ?? [];
    const page = String(
      analyticsPage({
        place,
        path: null,
        range: rangeOf((name) => (name === "days" ? String(days) : undefined), today),
        previous,
        ...nothing,
        ...lists,
        visitors,
        feedback,
      }),
    );
    expect(page).toContain(`${people} people count as ${counted} visitors in ${days} days`);
    expect([days, page.includes("says little about the number of people")]).toEqual([days, days >= 90]);
    expect(page).toContain("The visitor secret changed in this range:");
  }
});
