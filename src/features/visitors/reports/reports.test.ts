import { describe, expect, test } from "vitest";
import { ENGINES, openTestDatabase } from "#testing/databases.ts";
import { aView, insertTestProject, userAgents } from "#testing/views.ts";
import { DAY_MS } from "#lib/clock.ts";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { createClassifier } from "#features/visitors/clients/classify.ts";
import { createCountsCache } from "./counts-cache.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { createFold } from "#features/visitors/index/fold.ts";
import { reportCsv } from "./report.ts";
import { reportAgents, reportExcluded, reportMissing, reportReferrers, reportSurfaces } from "./reports.ts";
import { reportSeries } from "./series.ts";
import type { ServedPagesRecord } from "#features/visitors/view-record.ts";
import { testVault } from "#testing/vault.ts";

const NOON = Date.UTC(2026, 10, 20, 12);
const clock = { now: () => new Date(NOON) };

describe.each(ENGINES)("on %s", (engine) => {
  test("each report reflects the views", async () => {
    await using opened = await openTestDatabase(engine);
    const { database } = opened;
    const projectId = await insertTestProject(database.kysely, {
      analytics: { excludedNetworks: ["198.51.100.0/24", "x"] },
    });
    // The list for ChatGPT-User is current, the one for Googlebot is from May.
    const agents = { ...builtInAgents, dates: new Map([["ChatGPT-User", "2026-11-18"]]) };
    const fold = createFold({ database, classify: createClassifier(), agents, clock, vault: testVault });
    const served = { source: "served" } as const;
    const servedPages = (given: { delivered: number } & Partial<ServedPagesRecord>): ServedPagesRecord => ({
      project: projectId,
      time: NOON,
      isPrivate: false,
      isPrefetch: false,
      ...given,
    });
    await fold.fold([
      aView(projectId, { path: "/a", referrer: "news.example" }),
      aView(projectId, { path: "/a", time: NOON - DAY_MS }),
      aView(projectId, { ...served }),
      aView(projectId, { ...served, userAgent: userAgents.chatGpt, path: "/a", address: "4.151.71.177" }),
      aView(projectId, { ...served, userAgent: userAgents.chatGpt, surface: "markdown", path: "/a" }),
      aView(projectId, { ...served, userAgent: userAgents.claudeCode, found: false, path: "/gone" }),
      aView(projectId, { ...served, userAgent: userAgents.chatGpt, found: false, path: "/gone" }),
      aView(projectId, { ...served, userAgent: userAgents.googlebot }),
      aView(projectId, { ...served, userAgent: userAgents.curl, surface: "llms", path: "/llms.txt" }),
      aView(projectId, { ...served, userAgent: userAgents.curl }),
      aView(projectId, { address: "198.51.100.3" }),
      aView(projectId, { event: "event-0001" }),
      aView(projectId, { event: "event-0001" }),
      servedPages({ delivered: 30 }),
      servedPages({ delivered: 5, isPrivate: true }),
      servedPages({ delivered: 4, isPrefetch: true }),
      servedPages({ delivered: 6, isFlood: true }),
      servedPages({ delivered: 3, time: 0 }),
    ]);
    const query = { projectId, from: null, to: null };
    expect(await reportAgents({ database }, query)).toEqual([
      {
        name: "ChatGPT-User",
        operator: "OpenAI",
        category: "assistant",
        human: 0,
        ai: 1,
        other: 1,
        verified: 1,
        spoofed: 1,
        unverified: 0,
        lastSeen: "2026-11-20",
      },
      {
        name: "curl",
        operator: null,
        category: "http_client",
        human: 0,
        ai: 1,
        other: 1,
        verified: 0,
        spoofed: 0,
        unverified: 0,
        lastSeen: "2026-11-20",
      },
      {
        name: "Googlebot",
        operator: "Google",
        category: "search",
        human: 0,
        ai: 0,
        other: 1,
        verified: 0,
        spoofed: 0,
        unverified: 1,
        lastSeen: "2026-11-20",
      },
    ]);
    expect(await reportSurfaces({ database }, query)).toEqual([
      { surface: "html", human: 3, ai: 1 },
      { surface: "markdown", human: 0, ai: 0 },
      { surface: "llms", human: 0, ai: 1 },
    ]);
    expect(await reportReferrers({ database }, query)).toEqual([
      { referrer: null, human: 2, ai: 2 },
      { referrer: "news.example", human: 1, ai: 0 },
    ]);
    expect(await reportMissing({ database }, query)).toEqual([
      { path: "/gone", ai: 1, other: 1, lastSeen: "2026-11-20" },
    ]);
    const excluded = await reportExcluded({ database }, query);
    expect(Object.fromEntries(excluded.map((row) => [row.reason, row.views]))).toEqual({
      spoofed: 1,
      search: 1,
      http_client: 1,
      unconfirmed: 36,
      flood: 6,
      prefetch: 4,
      too_old: 3,
      not_found: 2,
      own_traffic: 1,
      duplicate: 1,
    });
    const series = await reportSeries({ database, cache: createCountsCache() }, query);
    expect(series).toEqual([
      { day: "2026-11-19", visitors: { human: 1, ai: 0, total: 1 }, views: { human: 1, ai: 0, total: 1 } },
      { day: "2026-11-20", visitors: { human: 1, ai: 2, total: 3 }, views: { human: 2, ai: 2, total: 4 } },
    ]);
    const today = dayOf(NOON);
    const bounded = { projectId, from: (today - 2) as Day, to: today };
    expect(
      (await reportSeries({ database, cache: createCountsCache() }, bounded)).map((row) => row.views.total),
    ).toEqual([0, 1]);
    expect(reportCsv(["reason", "views"], excluded.slice(0, 1))).toBe("reason,views\r\nunconfirmed,36\r\n");
  });
});
