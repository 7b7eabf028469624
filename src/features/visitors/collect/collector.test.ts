import { describe, expect, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { toResponse } from "#lib/network/plain-http.ts";
import { userAgents } from "#testing/views.ts";
import { parseAddressRanges } from "#lib/network/network-address.ts";
import { type CollectorDeps, createCollector } from "./collector.ts";
import type { ServedPage } from "#features/visitors/journal/served-pages.ts";
import { readConfirmation } from "./confirmation.ts";
import { ingestSnippet } from "./ingest-snippet.ts";
import type { PendingView } from "#features/visitors/journal/pending-view.ts";
import { sendViewsEndpoint } from "./sent-views.ts";
import { type AnalyticsSettings, parseAnalyticsSettings } from "#features/visitors/settings.ts";
import type { ViewRecord } from "#features/visitors/view-record.ts";

const clock = { now: () => new Date(Date.UTC(2026, 10, 20, 12)) };
const projectId = newProjectId();

function setUp(
  analytics: object = {},
  given: { fails?: boolean } & Partial<Pick<CollectorDeps, "settings" | "checkSignature" | "maxServedPerMinute">> = {},
) {
  const records: ViewRecord[] = [];
  const servedPages: ServedPage[] = [];
  const journal = {
    append: async (view: ViewRecord | PendingView) => {
      const record = "make" in view ? view.make() : view;
      if (record !== null) records.push(record);
      return given.fails !== true;
    },
    count: (page: ServedPage) => void servedPages.push(page),
  };
  const settings = parseAnalyticsSettings(JSON.stringify({ analytics }));
  const collector = createCollector({
    journal,
    settings: given.settings ?? { known: () => settings, read: () => Promise.resolve(settings) },
    ...(given.checkSignature && { checkSignature: given.checkSignature }),
    isTrustedProxy: parseAddressRanges(["10.0.0.0/8"]),
    clock,
    maxConfirmsPerMinute: 5,
    maxServedPerMinute: given.maxServedPerMinute ?? 5,
  });
  const confirm = async (body: unknown, headers: Record<string, string> = {}, peerAddress = "192.0.2.1") => {
    const answer = await collector.confirm({
      projectId,
      request: new Request("https://docs.example/_docent/view", {
        method: "POST",
        headers: { "user-agent": userAgents.chrome, ...headers },
      }),
      peerAddress,
      read: () => body,
      pageOf: (path) => (path === "/gone" ? null : path),
    });
    return toResponse(answer);
  };
  return { records, servedPages, journal, collector, confirm };
}

test("a confirmation becomes a record with the request's facts only", async () => {
  const { records, confirm } = setUp();
  const response = await confirm(
    { path: "/Guide/?x=1#y", referrer: "https://www.news.example/a?b", id: "0123456789abcdef", extra: 1 },
    {
      "sec-gpc": "1",
      "x-forwarded-for": "203.0.113.9",
    },
  );
  expect([response.status, response.headers.get("set-cookie")]).toEqual([204, null]);
  expect(records).toEqual([
    {
      project: projectId,
      time: clock.now().getTime(),
      source: "confirmed",
      path: "/Guide",
      surface: "html",
      found: true,
      address: "192.0.2.1",
      userAgent: userAgents.chrome,
      preference: "none",
      referrer: "news.example",
      isPrivate: true,
      cookie: null,
      event: "0123456789abcdef",
      signatureAgent: null,
      isPrefetch: false,
      isOfServedPage: true,
    },
  ]);
});

test.each([
  [null],
  [{}],
  [{ path: 1 }],
  [{ path: "" }],
  [{ path: "no-slash" }],
  [{ path: "/%zz" }],
  [{ path: "/a\u0000" }],
  [{ path: "/a\u009b31m" }],
  [{ path: `/${"a".repeat(5_000)}` }],
  [[]],
  ["text"],
])("refuses %j", async (body) => {
  const { records, confirm } = setUp();
  await expect(confirm(body)).rejects.toMatchObject({ code: "invalid" });
  expect(records).toEqual([]);
});

test("other sites cannot create views, a flood is refused, and a failed write is not acknowledged", async () => {
  const { confirm } = setUp();
  expect((await confirm({ path: "/" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
  const statuses: number[] = [];
  for (let index = 0; index < 7; index++) statuses.push((await confirm({ path: "/" }, {}, "2001:db8::1")).status);
  expect(statuses).toEqual([204, 204, 204, 204, 204, 429, 429]);
  expect((await confirm({ path: "/" }, {}, "2001:db8::ffff:1")).status).toBe(429); // the same /64
  expect((await setUp({}, { fails: true }).confirm({ path: "/" })).status).toBe(503);
});

test("accepts messages from an origin on the project's list, as of a site that is mounted under another name", async () => {
  const { confirm } = setUp({ allowedOrigins: ["https://docs.other.example"] });
  const send = async (headers: Record<string, string>) => (await confirm({ path: "/" }, headers)).status;
  expect(await send({ origin: "https://docs.other.example", "sec-fetch-site": "cross-site" })).toBe(204);
  expect(await send({ origin: "https://docs.other.example.evil.example" })).toBe(403);
  expect(await send({ origin: "https://docs.example:8443" })).toBe(403);
  expect(await send({ origin: "null", "sec-fetch-site": "same-origin" })).toBe(204);
});

test.each([
  ["https://www.docs.example/other", null],
  ["https://www.news.example", "news.example"],
  ["https://news.example:8443/a?b#c", "news.example"],
  ["android-app://com.example.mail", "com.example.mail"],
  ["android-app://com.example.mail/", "com.example.mail"],
  ["about:blank", null],
  ["news.example", null],
  ["", null],
  [null, null],
])("keeps only the host of the referrer %j", async (referrer, host) => {
  const { records, confirm } = setUp();
  await confirm({ path: "/", referrer });
  expect(records[0]?.referrer).toBe(host);
});

test("a record that is created after midnight has the time of its request", async () => {
  let now = Date.UTC(2026, 11, 31, 23, 59, 59, 995);
  const waiting: PendingView[] = [];
  const append = async (view: ViewRecord | PendingView) => {
    if ("make" in view) waiting.push(view);
    return true;
  };
  const settings = parseAnalyticsSettings("{}");
  const collector = createCollector({
    journal: { append, count: () => undefined },
    settings: { known: () => settings, read: () => Promise.resolve(settings) },
    isTrustedProxy: parseAddressRanges([]),
    clock: { now: () => new Date(now) },
  });
  const request = new Request("https://docs.example/guide.md", { headers: { "user-agent": "Claude-User/1.0" } });
  const arrival = { projectId, request, peerAddress: "192.0.2.1" };
  collector.served({ ...arrival, path: "/guide", surface: "markdown", found: true });
  const confirming = collector.confirm({ ...arrival, read: () => ({ path: "/guide" }), pageOf: (path) => path });
  now += 10;
  await expect.poll(() => waiting.length).toBe(2);
  const records = waiting.map((view) => view.make());
  await confirming;
  expect(records.map((record) => new Date(record?.time ?? 0).toISOString().slice(0, 10))).toEqual([
    "2026-12-31",
    "2026-12-31",
  ]);
});

test("checks the signature of a signed message that is accepted", async () => {
  let checked = 0;
  const checkSignature: CollectorDeps["checkSignature"] = () => {
    checked++;
    return Promise.resolve({ isValid: true, operator: "OpenAI" });
  };
  const { records, confirm } = setUp({}, { checkSignature });
  const signed = { "signature-input": "sig=()" };
  await expect(confirm({ path: "no-slash" }, signed)).rejects.toMatchObject({ code: "invalid" });
  for (let index = 0; index < 7; index++) await confirm({ path: "/" }, signed); // two of them as a flood
  expect(checked).toBe(5);
  expect(records.map(({ signature }) => signature?.operator)).toEqual(Array(5).fill("OpenAI"));
});

test("a page sent to an editor's fetch tool is a view immediately, because no script confirms it", async () => {
  const { records, servedPages, collector } = setUp();
  const userAgent = userAgents.chrome.replace("Chrome/", "Code/1.105.0 Electron/37.6.0 Chrome/");
  const page = { projectId, path: "/", surface: "html", found: true, peerAddress: "192.0.2.1" } as const;
  for (const headers of [{ "sec-gpc": "1", dnt: "1" }, {}]) {
    const request = new Request("https://docs.example/", { headers: { "user-agent": userAgent, ...headers } });
    collector.served({ ...page, request });
  }
  await collector.settle();
  expect([records.length, servedPages.length]).toEqual([1, 1]);
});

test("a missing page is recorded as such", async () => {
  const { records, confirm } = setUp();
  await confirm({ path: "/gone" });
  expect(records[0]?.found).toBe(false);
});

test("in cookie mode an id is created only for a browser that keeps it, and not for one that asks for privacy", async () => {
  const { records, confirm } = setUp({ identity: "cookie" });
  expect((await confirm({ path: "/" })).headers.get("set-cookie")).toBeNull();
  expect((await confirm({ path: "/", storage: true }, { dnt: "1" })).headers.get("set-cookie")).toBeNull();
  const cookie = (await confirm({ path: "/", storage: true })).headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^docent_visitor=[\w-]{22}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
  const id = cookie.slice("docent_visitor=".length, "docent_visitor=".length + 22);
  expect(records.at(-1)?.cookie).toBe(id);
  expect(
    (await confirm({ path: "/", storage: true }, { cookie: `a=b; docent_visitor=${id}` })).headers.get("set-cookie"),
  ).toBeNull();
  expect(records.at(-1)?.cookie).toBe(id);
  expect((await setUp().confirm({ path: "/", storage: true })).headers.get("set-cookie")).toBeNull();
});

test("docs hosted elsewhere may send views from the origins on the list only", async () => {
  const { records, collector } = setUp({ allowedOrigins: ["https://docs.other.example"] });
  const send = async (origin: string | null, method = "POST") => {
    const answer = await collector.ingest({
      projectId,
      request: new Request("https://docent.example/ingest", {
        method,
        headers: origin === null ? {} : { origin, "sec-fetch-site": "cross-site" },
      }),
      peerAddress: "192.0.2.1",
      confirmation: readConfirmation({ path: "/guide" }),
    });
    return toResponse(answer);
  };
  expect((await send(null)).status).toBe(403);
  expect((await send("https://evil.example")).status).toBe(403);
  const preflight = await send("https://docs.other.example", "OPTIONS");
  expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([204, "content-type"]);
  const response = await send("https://docs.other.example");
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
    204,
    "https://docs.other.example",
  ]);
  expect(records).toHaveLength(1);
  expect(records[0]).not.toHaveProperty("isOfServedPage"); // not counted among the pages that were served
  expect(ingestSnippet({ endpoint: "https://docent.example/x</script>" })).not.toContain("x</script>");
});

describe("a served page", () => {
  const page = { projectId, path: "/guide", surface: "html", found: true, peerAddress: "192.0.2.1" } as const;
  const request = (headers: Record<string, string> = {}, method = "GET") =>
    new Request("https://docs.example/guide", { method, headers: { "user-agent": userAgents.chrome, ...headers } });

  test("to a browser is a number, without anything about the reader", () => {
    const { records, servedPages, collector } = setUp();
    collector.served({ ...page, request: request() });
    collector.served({ ...page, request: request({ "sec-purpose": "prefetch;prerender", dnt: "1" }) });
    collector.served({ ...page, request: request({}, "HEAD") });
    const time = clock.now().getTime();
    expect(servedPages).toEqual([
      { project: projectId, time, isPrivate: false, isPrefetch: false },
      { project: projectId, time, isPrivate: true, isPrefetch: true },
    ]);
    expect(records).toEqual([]);
  });

  test.each([
    ["to a program", { request: request({ "user-agent": userAgents.curl }) }],
    ["to an assistant", { request: request({ "user-agent": userAgents.chatGpt }) }],
    ["to who names itself in a header only", { request: request({ "signature-agent": '"https://chatgpt.com"' }) }],
    ["as Markdown", { request: request(), surface: "markdown" as const }],
    ["though it is not there", { request: request(), found: false }],
  ])("%s is a record", (_what, given) => {
    const { records, servedPages, collector } = setUp();
    collector.served({ ...page, ...given });
    expect([records.length, servedPages.length]).toEqual([1, 0]);
  });

  test("is a record when its address decides whether it is excluded", () => {
    const { records, servedPages, collector } = setUp({ excludedNetworks: ["192.0.2.0/24"] });
    collector.served({ ...page, request: request() });
    expect([records.length, servedPages.length]).toEqual([1, 0]);
  });

  test("waits for the project's settings, and is a record when they cannot be read", async () => {
    const settings = Promise.resolve(parseAnalyticsSettings("{}"));
    const waiting = setUp({}, { settings: { known: () => undefined, read: () => settings } });
    waiting.collector.served({ ...page, request: request() });
    await waiting.collector.settle();
    expect([waiting.records.length, waiting.servedPages.length]).toEqual([0, 1]);
    const away = setUp({}, { settings: { known: () => undefined, read: () => Promise.reject(new Error("away")) } });
    away.collector.served({ ...page, request: request() });
    await away.collector.settle();
    expect([away.records.length, away.servedPages.length]).toEqual([1, 0]);
  });

  test("is a record when a thousand others are waiting already", async () => {
    const { promise, resolve } = Promise.withResolvers<AnalyticsSettings>();
    const { records, servedPages, collector } = setUp(
      {},
      { settings: { known: () => undefined, read: () => promise }, maxServedPerMinute: 100 },
    );
    for (let each = 0; each < 1_010; each++) collector.served({ ...page, request: request() });
    expect([records.length, servedPages.length]).toEqual([10, 0]);
    resolve(parseAnalyticsSettings("{}"));
    await collector.settle();
    expect([records.length, servedPages.length]).toEqual([10, 1_000]);
  });

  test("is a record when more new browsers arrive in a second than are checked", () => {
    const { records, servedPages, collector } = setUp({}, { maxServedPerMinute: 100 });
    const browser = (version: number) => request({ "user-agent": userAgents.chrome.replace("141", `${version}`) });
    for (let version = 1; version <= 1_050; version++) collector.served({ ...page, request: browser(version) });
    expect([records.length, servedPages.length]).toEqual([50, 1_000]);
    collector.served({ ...page, request: browser(1) }); // known already
    expect([records.length, servedPages.length]).toEqual([50, 1_001]);
  });
});

test("limits how many pages of one address may count in a minute, and keeps the number of the rest", () => {
  const { records, servedPages, collector } = setUp();
  const serve = (peerAddress: string, project = projectId) =>
    collector.served({
      projectId: project,
      path: "/guide",
      surface: "markdown",
      found: true,
      request: new Request("https://docs.example/guide.md", { headers: { "user-agent": userAgents.curl } }),
      peerAddress,
    });
  for (let each = 0; each < 8; each++) serve(`2001:db8::${each}`);
  serve("2001:db8:0:1::1");
  serve("2001:db8::1", newProjectId());
  expect(records).toHaveLength(5 + 2);
  const flood = { project: projectId, time: clock.now().getTime(), isPrivate: false, isPrefetch: false, isFlood: true };
  expect(servedPages).toEqual([flood, flood, flood]);
});

const firstKeptDay = async () => Date.UTC(2026, 9, 20) / 86_400_000;
const siteBase = async () => null;

test("tells a server-side sender how many of its views are too old to be kept", async () => {
  const { records, journal } = setUp();
  const view = { path: "/a", address: "192.0.2.7", userAgent: "Claude-User" };
  const views = ["2026-10-19T23:59:59Z", "2026-10-20T00:00:00Z", "2025-01-01T00:00:00Z"].map((time, index) => ({
    ...view,
    time,
    event_id: `e${index}`,
  }));
  const answer = await sendViewsEndpoint({ journal, clock, firstKeptDay, siteBase }, projectId, { views });
  expect(answer).toEqual({ accepted: 1, tooOld: 2 });
  expect(records.map((record) => "event" in record && record.event)).toEqual(["sent e1"]);
});

test("a server-side sender provides address, user agent and an event id, and gets errors for invalid fields", async () => {
  const { records, journal } = setUp();
  const view = {
    event_id: "e1",
    path: "/a",
    address: "192.0.2.7",
    userAgent: "curl/8",
    surface: "markdown",
    time: "2026-11-19T10:00:00+02:00",
  };
  expect(await sendViewsEndpoint({ journal, clock, firstKeptDay, siteBase }, projectId, { views: [view] })).toEqual({
    accepted: 1,
  });
  expect(records[0]).toMatchObject({
    event: "sent e1",
    path: "/a",
    address: "192.0.2.7",
    source: "reported",
    time: Date.UTC(2026, 10, 19, 8),
  });
  const refused = async (change: object) =>
    sendViewsEndpoint({ journal, clock, firstKeptDay, siteBase }, projectId, {
      views: [view, { ...view, ...change }],
    }).then(
      () => [],
      (error: { details: { path: string }[] }) => error.details.map((detail) => detail.path),
    );
  expect(await refused({ address: "nobody" })).toEqual(["views.1.address"]);
  expect(await refused({ path: "a" })).toEqual(["views.1.path"]);
  expect(await refused({ time: "2026-11-23T00:00:00Z" })).toEqual(["views.1.time"]);
  expect(await refused({ time: "yesterday" })).toEqual(["views.1.time"]);
  expect(await refused({ event_id: "" })).toEqual(["views.1.event_id"]);
  expect(await refused({ extra: 1 })).toEqual(["views.1"]);
  expect(records).toHaveLength(1);
  await expect(
    sendViewsEndpoint({ journal, clock, firstKeptDay, siteBase }, projectId, { views: [] }),
  ).rejects.toMatchObject({
    code: "invalid",
  });
});

test("views that could not all be written are not acknowledged", async () => {
  const journal = { append: async (view: ViewRecord | PendingView) => "path" in view && view.path !== "/b" };
  const view = { address: "192.0.2.7", userAgent: "curl/8" };
  const views = ["/a", "/b"].map((at) => ({ ...view, path: at, event_id: at }));
  await expect(
    sendViewsEndpoint({ journal, clock, firstKeptDay, siteBase }, projectId, { views }),
  ).rejects.toMatchObject({ code: "unavailable" });
});
