import { rm, symlink } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { userAgents } from "#testing/views.ts";
import { addProject } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient, type SiteClient } from "#test/support/site-client.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

// What readers, crawlers and attackers send to a whole server over HTTP, and what is counted of it.

const FILES = { "index.md": "# Start\n", "guide.md": "# Guide\n" };

let shared: TestServer;
beforeAll(async () => {
  shared = await startTestServer({ engine: "sqlite", files: FILES });
});
afterAll(() => shared[Symbol.asyncDispose]());

/** The server as it is for a project of its own. */
let projects = 0;
async function newProject(): Promise<TestServer> {
  const { project, key } = await addProject(shared.instance, { name: `Docs ${++projects}`, files: FILES });
  return { ...shared, instance: { ...shared.instance, project, key } };
}

const everything = { from: null, to: null, limit: 250, offset: 0 };
const visitors = ({ instance }: TestServer) =>
  queryVisitors(instance, { projectId: instance.project.id, ...everything });

const send = (site: SiteClient, query: string, headers: Record<string, string> = {}) =>
  site.send(`/_docent/view?${query}`, { method: "POST", headers: { "user-agent": userAgents.chrome, ...headers } });

let lastId = 0;
const confirm = (site: SiteClient, given: { id?: string; page?: string; headers?: Record<string, string> } = {}) => {
  const { id = `event-${String(++lastId).padStart(8, "0")}`, page = "/guide", headers = {} } = given;
  return send(site, String(new URLSearchParams({ path: page, referrer: "", id, storage: "true" })), headers);
};

/** What the dashboard's list of what was not counted says, by reason. */
async function readNotCounted({ baseUrl, instance }: TestServer): Promise<Record<string, number>> {
  const body = new URLSearchParams({ key: instance.key });
  const signedIn = await fetch(`${baseUrl}/sign-in`, { method: "POST", body, redirect: "manual" });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const address = `${baseUrl}/${instance.project.slug}/analytics/excluded.csv?days=7`;
  const csv = await (await fetch(address, { headers: { cookie } })).text();
  const rows = csv.trim().split("\r\n").slice(1);
  return Object.fromEntries(rows.map((row) => row.split(",")).map(([reason = "", views]) => [reason, Number(views)]));
}

test("a flood from one address is rejected, counts as one visitor, and readers still get their pages", async () => {
  // A server of its own: the limit holds for an address on all sites.
  await using server = await startTestServer({ engine: "sqlite", files: FILES });
  using site = createSiteClient(server);
  const flood = Array.from({ length: 1_300 }, (_, index) =>
    confirm(site, { headers: { "x-forwarded-for": `203.0.113.${index % 250}` } }),
  );
  const page = await site.send("/guide", { headers: { "user-agent": userAgents.chrome, accept: "text/html" } });
  expect(page.status).toBe(200);
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  const admitted = statuses.filter((status) => status === 204).length;
  // 1,200 a minute; the minute may end in between.
  expect(admitted).toBeGreaterThanOrEqual(1_200);
  expect(statuses.every((status) => status === 204 || status === 429)).toBe(true);
  await expect.poll(async () => (await visitors(server)).totals).toEqual({ human: 1, ai: 0, total: 1 });
  await expect
    .poll(
      async () =>
        (await queryViews(server.instance, { projectId: server.instance.project.id, ...everything })).totals.human,
    )
    .toBe(admitted);
});

test("rejects invalid messages, and counts nothing", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  const queries = ["x", "path=", "path=gone", "path=/%25zz", "path=/a%00", `path=/${"a".repeat(5_000)}`];
  const wrongFields = [`path=/guide&id=${"1".repeat(65)}`, `path=/guide&referrer=${"a".repeat(5_000)}`];
  for (const query of [...queries, ...wrongFields]) {
    expect([query.slice(0, 40), (await send(site, query)).status]).toEqual([query.slice(0, 40), 400]);
  }
  expect((await send(site, "path=/guide&path=/gone&referrer=%zz&storage=?&id=1&more=1")).status).toBe(204);
  await expect.poll(async () => (await visitors(server)).visitors).toMatchObject([{ path: "/guide" }]);
  expect((await visitors(server)).totals.total).toBe(1);
});

test("missing paths, user agents of 8 KB and replayed views add neither pages nor visitors", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  const long = `Claude-User/1.0 ${"9".repeat(8_000)}`;
  const missing = Array.from({ length: 100 }, (_, index) =>
    site.send(`/none/${index}${"x".repeat(index * 9)}`, { headers: { "user-agent": long, accept: "text/markdown" } }),
  );
  expect(new Set((await Promise.all(missing)).map(({ status }) => status))).toEqual(new Set([404]));
  const replays = await Promise.all(Array.from({ length: 50 }, () => confirm(site, { id: "captured-by-somebody" })));
  expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([204]));
  expect((await confirm(site, { page: "/none/1" })).status).toBe(204);
  expect((await site.send("/guide", { headers: { "user-agent": long } })).status).toBe(200);
  await expect
    .poll(() => visitors(server))
    .toEqual({
      totals: { human: 1, ai: 1, total: 2 },
      visitors: [{ path: "/guide", human: 1, ai: 1, total: 2 }],
      hasMore: false,
    });
  expect(await readNotCounted(server)).toEqual({ not_found: 101, duplicate: 49 });
});

test("rejects messages of another shape or size, in one chunk or several", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  const refused: [body: string, status: number][] = [
    ["{", 400],
    ["{}", 400],
    ["", 400],
    ['{"path": "https://evil.example/"}', 400],
    [JSON.stringify({ path: `/${"a".repeat(9_000)}` }), 413],
  ];
  for (const [body, status] of refused) {
    for (const framing of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
      const answer = await site.send("/_docent/view", { method: "POST", headers: framing, body });
      expect([body.slice(0, 40), answer.status]).toEqual([body.slice(0, 40), status]);
    }
  }
  expect((await site.send("/guide")).status).toBe(200);
});

test.runIf(LONG_TESTS)(
  "on a full disk pages are served, nothing is acknowledged, and the loss is shown once there is space",
  async () => {
    await using server = await startTestServer({ engine: "sqlite", files: FILES });
    using site = createSiteClient(server);
    const journal = path.join(server.instance.data, "journal", "1");
    // The kernel's own full disk, in place of every file that the journal could begin.
    const files = Array.from({ length: 100 }, (_, index) => `${String(index + 1).padStart(10, "0")}.journal`);
    for (const name of files) await symlink("/dev/full", path.join(journal, name));
    for (let index = 0; index < 5; index++) {
      expect((await site.send("/guide", { headers: { "user-agent": "Claude-User/1.0" } })).status).toBe(200);
      // Answered once it is lost, and with it the view before.
      expect(await confirm(site)).toMatchObject({ status: 503, headers: { "retry-after": "30" } });
    }
    for (const name of files) await rm(path.join(journal, name));
    expect((await confirm(site)).status).toBe(204);
    await expect.poll(async () => (await visitors(server)).totals).toEqual({ human: 1, ai: 0, total: 1 });
    expect(await readNotCounted(server)).toEqual({ shed: 10 });
  },
);
