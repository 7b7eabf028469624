import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { openDatabase } from "#db/database.ts";
import { systemClock } from "#lib/clock.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createAnalytics } from "./analytics.ts";
import { queryViews, queryVisitors } from "./counts.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
const CHATGPT =
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot";
const everything = { from: null, to: null, limit: 50, offset: 0 };

test("views of people and agents come out as visitors, folded by a thread of its own", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "docent-analytics-"));
  folders.push(folder);
  const location = { engine: "sqlite" as const, path: path.join(folder, "docent.sqlite") };
  await using database = await openDatabase({ location, logger: silentLogger, migrate: true });
  const projectId = newProjectId();
  await database.kysely
    .insertInto("project")
    .values({
      id: projectId,
      slug: "a",
      name: "A",
      source_url: null,
      code_host: "embedded",
      branch: "main",
      settings: "{}",
      created_at: 1,
    })
    .execute();
  await using analytics = await createAnalytics({
    database,
    location,
    dataDirectory: folder,
    trustedProxies: [],
    clock: systemClock,
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
      body: { path: "/guide", id: event },
      isPage: async () => true,
    });
  expect((await confirm("192.0.2.1", "event-01")).status).toBe(204);
  expect((await confirm("192.0.2.1", "event-01")).status).toBe(204); // a replay
  expect((await confirm("192.0.2.1", "event-02")).status).toBe(204);
  expect((await confirm("::ffff:192.0.2.2", "event-03")).status).toBe(204);
  const served = (userAgent: string, surface: "html" | "markdown", peerAddress: string) =>
    collector.served({ projectId, path: "/guide", surface, found: true, request: request(userAgent), peerAddress });
  served(CHROME, "html", "192.0.2.1");
  served(CHROME, "markdown", "192.0.2.1");
  served(CHATGPT, "html", "192.0.2.9");
  served("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "html", "192.0.2.10");
  await analytics.flush();
  expect(await queryVisitors({ database }, { projectId, ...everything })).toEqual({
    totals: { human: 2, ai: 2, total: 3 },
    visitors: [{ path: "/guide", human: 2, ai: 2, total: 3 }],
    hasMore: false,
  });
  expect((await queryViews({ database }, { projectId, ...everything })).totals).toEqual({ human: 3, ai: 2, total: 5 });
});
