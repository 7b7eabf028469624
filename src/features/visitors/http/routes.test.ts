import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createSearchCounter } from "#features/visitors/searches/search-counter.ts";
import { silentLogger } from "#lib/logger.ts";
import { ENGINES } from "#testing/databases.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { userAgents } from "#testing/views.ts";

async function call(app: TestApp, at: string, init: RequestInit & { key?: string | null } = {}) {
  const { key = app.key, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (key !== null) headers.set("authorization", `Bearer ${key}`);
  if (typeof rest.body === "string" && !headers.has("content-type")) headers.set("content-type", "application/json");
  const request = new Request(`http://localhost:4000${at}`, { ...rest, headers });
  const response = await app.app.fetch(request, { peerAddress: "192.0.2.1" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const aSentView = (event: string, more: object = {}) => ({
  event_id: event,
  path: "/guide",
  address: "198.51.100.1",
  userAgent: userAgents.chrome,
  time: "2026-11-19T10:00:00Z",
  ...more,
});

describe.each(ENGINES)("analytics on %s", (engine) => {
  test("returns searches by query, without queries that may identify readers", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-11-20T12:00:00Z") });
    const clock = { now: () => new Date("2026-11-20T12:00:00Z") };
    const deps = { database: app.database, clock, logger: silentLogger };
    await using counter = createSearchCounter(deps);
    const counted = (query: string, page: string | null = null, isPrivate = false) =>
      counter.count(app.project.id, { query, results: page === null ? 0 : 3, page, isPrivate });
    counted("Webhook  retries", "/webhooks");
    counted("webhook retries", "/webhooks");
    await counter.flush();
    counted("webhook retries", "/jobs", true);
    counted("webhook retries");
    counted("=install");
    const token = "harbor-quay7-lantern-mole8";
    for (const secret of [
      "anna@example.com",
      "+49 170 1234567",
      `ghp_${"a1B2c3D4e5".repeat(4)}`,
      token,
      "x".repeat(101),
    ])
      counted(secret);
    await counter.flush();

    const base = `/v1/analytics/${app.project.id}/searches`;
    const answer = await call(app, base);
    expect(JSON.parse(answer.text)).toEqual({
      searches: [
        {
          searchQuery: "webhook retries",
          hits: 4,
          ctr: 0.75,
          topClickedPage: "/webhooks",
          lastSearchedAt: "2026-11-20T12:00:00.000Z",
        },
        {
          searchQuery: "=install",
          hits: 1,
          ctr: 0,
          topClickedPage: null,
          lastSearchedAt: "2026-11-20T12:00:00.000Z",
        },
      ],
      totalSearches: 10,
      nextCursor: null,
    });
    const first = JSON.parse((await call(app, `${base}?limit=1&dateFrom=2026-11-20`)).text) as { nextCursor: string };
    const second = await call(app, `${base}?limit=1&cursor=${first.nextCursor}`);
    expect(JSON.parse(second.text)).toMatchObject({ searches: [{ searchQuery: "=install" }], nextCursor: null });
    const csv = await call(app, `${base}?limit=1`, { headers: { accept: "text/csv" } });
    expect(csv.text).toBe(
      "searchQuery,hits,ctr,topClickedPage,lastSearchedAt\r\nwebhook retries,4,0.75,/webhooks,2026-11-20T12:00:00.000Z\r\n",
    );
    expect(csv.headers.get("link")).toContain("cursor=");
    expect(JSON.parse((await call(app, `${base}?dateTo=2026-11-20`)).text)).toEqual({
      searches: [],
      totalSearches: 0,
      nextCursor: null,
    });
    for (const wrong of ["cursor=x", "limit=101", "dateFrom=soon"]) {
      expect((await call(app, `${base}?${wrong}`)).status).toBe(400);
    }
    expect((await call(app, base, { key: null })).status).toBe(401);
  });

  test("counts no search of a reader who sends GPC or DNT, where the project does not count them", async () => {
    await using app = await createTestApp(engine);
    await using counter = createSearchCounter({ ...app, logger: silentLogger });
    const settings = { method: "PATCH", body: JSON.stringify({ settings: { analytics: { countPrivate: false } } }) };
    expect((await call(app, `/v2/project/${app.project.id}`, settings)).status).toBe(200);
    for (const isPrivate of [true, false])
      counter.count(app.project.id, { query: isPrivate ? "hidden" : "open", results: 1, page: null, isPrivate });
    await counter.flush();
    const { text } = await call(app, `/v1/analytics/${app.project.id}/searches`);
    expect(JSON.parse(text)).toMatchObject({ searches: [{ searchQuery: "open" }], totalSearches: 1 });
  });

  test("only the caller caches a project's counts, and revalidates them each time", async () => {
    await using app = await createTestApp(engine);
    for (const report of ["visitors", "views", "searches", "feedback"]) {
      const { headers } = await call(app, `/v1/analytics/${app.project.id}/${report}`);
      expect([report, headers.get("cache-control")]).toEqual([report, "private, no-cache"]);
    }
  });

  test("a day has room for a thousand queries; further ones are only counted", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-11-20T12:00:00Z") });
    const clock = { now: () => new Date("2026-11-20T12:00:00Z") };
    const deps = { database: app.database, clock, logger: silentLogger };
    await using counter = createSearchCounter(deps);
    for (let number = 0; number < 1_010; number++)
      counter.count(app.project.id, { query: `query ${number}`, results: 0, page: null, isPrivate: false });
    await counter.flush();
    const { rows } = await sql<{ queries: number; searches: number }>`
      select count(*) as queries, sum(searches) as searches from search_count`.execute(app.database.kysely);
    expect([Number(rows[0]?.queries), Number(rows[0]?.searches)]).toEqual([1_001, 1_010]);
  });

  test("views that a server sends are counted once and returned as JSON and as CSV", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-11-20T12:00:00Z") });
    const base = `/v1/analytics/${app.project.id}`;
    const body = JSON.stringify({
      views: [
        aSentView("one"),
        aSentView("two", { address: "198.51.100.2" }),
        aSentView("three", { path: "/=sum", userAgent: userAgents.claudeCode }),
      ],
    });
    for (let time = 0; time < 2; time++) {
      const sent = await call(app, `${base}/views`, { method: "POST", body });
      expect([sent.status, sent.text]).toEqual([200, '{"accepted":3}']);
    }
    await app.analytics.flush();
    const answer = await call(app, `${base}/visitors?dateFrom=2026-11-19&dateTo=2026-11-20`);
    expect(JSON.parse(answer.text)).toEqual({
      totals: { human: 2, ai: 1, total: 3 },
      visitors: [
        { path: "/guide", human: 2, ai: 0, total: 2 },
        { path: "/=sum", human: 0, ai: 1, total: 1 },
      ],
      hasMore: false,
    });
    expect(answer.headers.get("docent-visitor-epochs")).toBe("1");
    const empty = await call(app, `${base}/visitors?dateTo=2026-11-19`);
    expect(JSON.parse(empty.text)).toEqual({ totals: { human: 0, ai: 0, total: 0 }, visitors: [], hasMore: false });
    const csv = await call(app, `${base}/views?limit=1`, { headers: { accept: "text/csv" } });
    expect([csv.headers.get("content-type"), csv.text]).toEqual([
      "text/csv; charset=utf-8",
      "path,human,ai,total\r\n/guide,2,0,2\r\n",
    ]);
    expect(csv.headers.get("link")).toBe('<?limit=1&offset=1>; rel="next"');
    const rest = await call(app, `${base}/views?limit=1&offset=1`, { headers: { accept: "text/csv" } });
    expect([rest.headers.get("link"), rest.text]).toEqual([null, "path,human,ai,total\r\n/=sum,0,1,1\r\n"]);
    const json = await call(app, `${base}/views?limit=1`, { headers: { accept: "application/json, text/csv;q=0.1" } });
    expect([json.headers.get("content-type"), json.headers.get("link")]).toEqual([
      "application/json",
      '<?limit=1&offset=1>; rel="next"',
    ]);
    expect((await call(app, `${base}/visitors?limit=0`)).status).toBe(400);
    expect((await call(app, `${base}/visitors`, { key: null })).status).toBe(401);
    expect((await call(app, `${base}/views`, { method: "POST", body: "{}" })).status).toBe(400);
    expect((await call(app, `${base}/views`, { method: "POST", body, key: null })).status).toBe(401);
    const unknown = JSON.stringify({ views: [aSentView("x", { address: "nobody" })] });
    const refused = await call(app, `${base}/views`, { method: "POST", body: unknown });
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([400, { details: [{ path: "views.0.address" }] }]);
    const shapeless = await call(app, `${base}/views`, { method: "POST", body: '{"views":[{"path":5}],"more":1}' });
    expect(JSON.parse(shapeless.text)).toMatchObject({ code: "invalid", details: expect.any(Array) as unknown });
    expect(shapeless.text).not.toMatch(/Invalid|expected|received|Unrecognized|Too (big|small)/);
    for (const headers of [
      { "content-type": "application/json; charset=iso-8859-1" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ]) {
      expect((await call(app, `${base}/views`, { method: "POST", body, headers })).status).toBe(415);
    }
  });

  test("pages elsewhere may send views only from the origins that the project lists", async () => {
    await using app = await createTestApp(engine);
    await app.database.kysely
      .updateTable("project")
      .set({ settings: JSON.stringify({ analytics: { allowedOrigins: ["https://docs.example"] } }) })
      .where("id", "=", app.project.id)
      .execute();
    const send = (origin: string, body = '{"path":"/guide","id":"0123456789"}') =>
      call(app, `/ingest/${app.project.id}`, {
        method: "POST",
        body,
        key: null,
        headers: { origin, "content-type": "text/plain", "user-agent": userAgents.chrome },
      });
    expect((await send("https://evil.example")).status).toBe(403);
    const taken = await send("https://docs.example");
    expect([taken.status, taken.headers.get("access-control-allow-origin")]).toEqual([204, "https://docs.example"]);
    expect((await send("https://docs.example", "no json")).status).toBe(400);
    expect((await call(app, "/ingest/prj_nobody", { method: "POST", body: "{}", key: null })).status).toBe(404);
    await app.analytics.flush();
    const answer = await call(app, `/v1/analytics/${app.project.id}/visitors`);
    expect(JSON.parse(answer.text)).toMatchObject({ totals: { human: 1, ai: 0, total: 1 } });
  });
});
