import { afterAll, beforeAll, expect, test } from "vitest";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { rebuildVisitorIndex } from "#features/visitors/index/rebuild.ts";
import { reportExcluded, reportReferrers } from "#features/visitors/reports/reports.ts";
import { systemClock } from "#lib/clock.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { userAgents } from "#testing/views.ts";
import { addProject } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient, type SiteClient } from "#test/support/site-client.ts";

// What can be made up over HTTP, and how much of it counts.

const FILES = { "index.md": "# Start\n", "guide.md": "# Guide\n" };

let shared: TestServer;
beforeAll(async () => {
  shared = await startTestServer({
    engine: "sqlite",
    files: FILES,
    environment: { DOCENT_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" },
  });
});
afterAll(() => shared[Symbol.asyncDispose]());

/** The server as it is for a project of its own. */
let projects = 0;
async function newProject(): Promise<TestServer> {
  const { project, key } = await addProject(shared.instance, { name: `Docs ${++projects}`, files: FILES });
  return { ...shared, instance: { ...shared.instance, project, key } };
}

/** The long form exceeds the 5,000 clients whose names are kept. */
const USER_AGENTS = LONG_TESTS ? 5_100 : 300;

const everything = { from: null, to: null, limit: 250, offset: 0 };
const queryOf = ({ instance }: TestServer) => ({ projectId: instance.project.id, ...everything });
const visitors = (server: TestServer) => queryVisitors(server.instance, queryOf(server));
const totals = async (server: TestServer) => (await visitors(server)).totals;
const notCounted = async (server: TestServer) =>
  Object.fromEntries(
    (await reportExcluded(server.instance, queryOf(server))).map(({ reason, views }) => [reason, views]),
  );

let lastId = 0;
const confirm = (
  site: SiteClient,
  given: { headers?: Record<string, string>; fields?: Record<string, string> } = {},
) => {
  const id = `event-${String(++lastId).padStart(8, "0")}`;
  const fields = new URLSearchParams({ path: "/guide", referrer: "", id, storage: "true", ...given.fields });
  const headers = { "user-agent": userAgents.chrome, ...given.headers };
  return site.send(`/_docent/view?${String(fields)}`, { method: "POST", headers });
};
const from = (address: string) => ({ "x-forwarded-for": address });

test("any number of user agents from one address counts as one AI visitor, displaces nobody, and a rebuild agrees", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  for (let index = 0; index < USER_AGENTS; index += 50) {
    const fifty = Array.from({ length: 50 }, (_, each) =>
      site.send("/guide.md", { headers: { "user-agent": `Strange${index + each}x/1.0`, ...from("203.0.113.7") } }),
    );
    expect(new Set((await Promise.all(fifty)).map(({ status }) => status))).toEqual(new Set([200]));
  }
  for (let person = 0; person < 40; person++) {
    expect((await confirm(site, { headers: from(`198.51.100.${person}`) })).status).toBe(204);
  }
  const expected = { human: 40, ai: 1, total: 41 };
  await expect.poll(() => totals(server)).toEqual(expected);
  const { database, project } = server.instance;
  const options = { projectId: project.id, verify: true };
  const { comparison } = await rebuildVisitorIndex({ database, clock: systemClock }, options);
  expect(comparison?.differences).toBe(0);
  expect(await totals(server)).toEqual(expected);
}, 120_000);

test("counts each reader behind a trusted proxy, but not addresses that a reader writes into X-Forwarded-For", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  for (let index = 0; index < 20; index++) {
    const forged = `192.0.2.${index}, rubbish, 127.0.0.1`;
    const readers = [`${forged}, 203.0.113.9`, `${forged}, [2001:db8::9]:4${index}, 10.0.0.7`];
    for (const reader of readers) expect((await confirm(site, { headers: from(reader) })).status).toBe(204);
  }
  await expect.poll(async () => (await totals(server)).human).toBe(2);
});

test("unknown clients count as one visitor per IPv4 address and per IPv6 /64", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  const addresses = ["203.0.113.1", "203.0.113.2", "2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"];
  for (const address of addresses) {
    for (const name of ["One/1", "Two/2", "(three)", ""]) {
      await site.send("/guide.md", { headers: { "user-agent": name, ...from(address) } });
    }
  }
  await site.send("/guide.md", { headers: { "user-agent": userAgents.curl, ...from("203.0.113.1") } });
  await expect.poll(() => totals(server)).toEqual({ human: 0, ai: 5, total: 5 });
});

test("a browser that opens Markdown or llms.txt counts as a person on that page", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  const navigation = { "user-agent": userAgents.chrome, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  await site.send("/guide.md", { headers: { ...navigation, ...from("203.0.113.1") } });
  await site.send("/llms.txt", { headers: { ...navigation, ...from("203.0.113.2") } });
  await site.send("/guide.md", { headers: { ...navigation, "sec-purpose": "prefetch", ...from("203.0.113.3") } });
  await site.send("/guide.md", {
    headers: { ...navigation, "user-agent": userAgents.claudeCode, ...from("203.0.113.4") },
  });
  await site.send("/guide.md", { headers: { "user-agent": userAgents.chrome, ...from("203.0.113.5") } });
  await expect
    .poll(() => visitors(server))
    .toEqual({
      totals: { human: 2, ai: 2, total: 4 },
      visitors: [
        { path: "/guide", human: 1, ai: 2, total: 3 },
        { path: "/llms.txt", human: 1, ai: 0, total: 1 },
      ],
      hasMore: false,
    });
});

test("pages of other sites and automated browsers count as no people, and the site itself is no referrer", async () => {
  const server = await newProject();
  using site = createSiteClient(server);
  const own = `http://${site.host}`;
  const refused = [
    { origin: "https://evil.example" },
    { origin: `http://sibling.localhost:${server.port}` },
    { origin: own, "sec-fetch-site": "same-site" },
    { origin: own, "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
    { origin: "null" },
  ];
  for (const headers of refused) expect([headers, (await confirm(site, { headers })).status]).toEqual([headers, 403]);
  const taken = [{ origin: own }, { origin: own, "sec-fetch-site": "same-origin" }, {}];
  for (const headers of taken) expect((await confirm(site, { headers })).status).toBe(204);
  const headers = { origin: `https://${site.host}`, ...from("203.0.113.9") }; // behind a proxy that ends TLS
  expect((await confirm(site, { headers, fields: { referrer: `${own}/` } })).status).toBe(204);
  await confirm(site, { headers: from("203.0.113.8"), fields: { automated: "true" } });
  await expect.poll(() => notCounted(server)).toEqual({ automated: 1 });
  expect(await totals(server)).toEqual({ human: 2, ai: 0, total: 2 });
  expect(await reportReferrers(server.instance, queryOf(server))).toEqual([{ referrer: null, human: 4, ai: 0 }]);
});
