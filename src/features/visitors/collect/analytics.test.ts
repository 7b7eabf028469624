import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "#db/database.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { insertTestProject } from "#testing/views.ts";
import { DAY_MS, systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createAnalytics } from "./analytics.ts";
import { readConfirmation } from "./confirmation.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { reportSeries } from "#features/visitors/reports/series.ts";
import { testVault } from "#testing/vault.ts";

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const CLAUDE_CODE = "claude-code/2.0.14";
const everything = { from: null, to: null, limit: 50, offset: 0 };

test("views continue to be counted, by day, while the server's clock is a day off and is corrected", async () => {
  await using opened = await openTestDatabase("sqlite");
  const { database } = opened;
  const projectId = await insertTestProject(database.kysely);
  await using directory = await createTestDirectory();
  const noon = Date.UTC(2026, 10, 20, 12);
  const time = { now: noon };
  const clock = { now: () => new Date(time.now) };
  const deps = {
    database,
    location: null,
    dataDirectory: directory.path,
    trustedProxies: [],
    clock,
    vault: testVault,
    logger: silentLogger,
  };
  await using analytics = await createAnalytics(deps);
  const origin = "https://docs.other.example";
  const ingest = async () => {
    const request = new Request("https://docent.example/", {
      method: "POST",
      headers: { origin, "user-agent": CHROME },
    });
    const options = {
      projectId,
      request,
      peerAddress: "192.0.2.1",
      confirmation: readConfirmation({ path: "/guide" }),
    };
    return (await analytics.collector.ingest(options)).status;
  };
  const allow = (origins: string[]) =>
    database.kysely
      .updateTable("project")
      .set({ settings: JSON.stringify({ analytics: { allowedOrigins: origins } }) })
      .execute();
  await allow([origin]);
  for (const now of [noon + DAY_MS, noon, noon - DAY_MS, noon]) {
    time.now = now;
    expect(await ingest()).toBe(204);
    await analytics.flush();
  }
  const days = await reportSeries({ database, cache: analytics.cache }, { projectId, from: null, to: null });
  expect(
    days.filter((row) => row.views.human > 0).map((row) => [row.day, row.views.human, row.visitors.human]),
  ).toEqual([
    ["2026-11-19", 1, 1],
    ["2026-11-20", 2, 1],
    ["2026-11-21", 1, 1],
  ]);
  expect((await queryVisitors({ database }, { projectId, ...everything })).totals.human).toBe(1);
  // Values cached for seconds are not kept for a day because the clock was set back.
  time.now = noon + DAY_MS;
  expect(await ingest()).toBe(204);
  await allow([]);
  time.now = noon;
  expect(await ingest()).toBe(403);
});

test("views of people and agents are counted as visitors, folded by a separate thread", async () => {
  await using directory = await createTestDirectory();
  const location = { engine: "sqlite" as const, path: path.join(directory.path, "docent.sqlite") };
  await using database = await openDatabase({ location, logger: silentLogger, migrate: true });
  const projectId = await insertTestProject(database.kysely);
  await using analytics = await createAnalytics({
    database,
    location,
    dataDirectory: directory.path,
    trustedProxies: [],
    clock: systemClock,
    vault: testVault,
    logger: silentLogger,
  });
  const { collector } = analytics;
  const request = (userAgent: string, headers = {}) =>
    new Request("http://a.localhost/guide", { headers: { "user-agent": userAgent, ...headers } });
  const confirm = (peerAddress: string, event: string) =>
    collector.confirm({
      projectId,
      request: request(CHROME),
      peerAddress,
      read: () => ({ path: "/guide", id: event }),
      pageOf: (path) => path,
    });
  expect((await confirm("192.0.2.1", "event-01")).status).toBe(204);
  expect((await confirm("192.0.2.1", "event-01")).status).toBe(204); // a replay
  expect((await confirm("192.0.2.1", "event-02")).status).toBe(204);
  expect((await confirm("::ffff:192.0.2.2", "event-03")).status).toBe(204);
  const served = (userAgent: string, surface: "html" | "markdown", peerAddress: string) =>
    collector.served({ projectId, path: "/guide", surface, found: true, request: request(userAgent), peerAddress });
  served(CHROME, "html", "192.0.2.1");
  served(CHROME, "markdown", "192.0.2.1");
  served(CLAUDE_CODE, "html", "192.0.2.9");
  served("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "html", "192.0.2.10");
  await analytics.flush();
  expect(await queryVisitors({ database }, { projectId, ...everything })).toEqual({
    totals: { human: 2, ai: 2, total: 3 },
    visitors: [{ path: "/guide", human: 2, ai: 2, total: 3 }],
    hasMore: false,
  });
  expect((await queryViews({ database }, { projectId, ...everything })).totals).toEqual({ human: 3, ai: 2, total: 5 });
});
