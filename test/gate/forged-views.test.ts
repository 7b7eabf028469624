import { expect, test } from "vitest";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { rebuildVisitorIndex } from "#features/visitors/index/rebuild.ts";
import { reportExcluded, reportReferrers } from "#features/visitors/reports/reports.ts";
import { systemClock } from "#lib/clock.ts";
import { userAgents } from "#testing/views.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { createSiteClient, type SiteClient } from "#test/support/site-client.ts";

// What can be made up over HTTP, and how much of it counts.

const start = () =>
  startTestServer({
    engine: "sqlite",
    files: { "index.md": "# Start\n", "guide.md": "# Guide\n" },
    environment: { DOCENT_TRUSTED_PROXIES: "127.0.0.1" },
  });

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

test("5,100 user agents from one address count as one AI visitor, do not displace 40 people, and a rebuild agrees", async () => {
  await using server = await start();
  using site = createSiteClient(server);
  for (let index = 0; index < 5_100; index += 50) {
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

test("unknown clients count as one visitor per IPv4 address and per IPv6 /64", async () => {
  await using server = await start();
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
  await using server = await start();
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
  await using server = await start();
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
