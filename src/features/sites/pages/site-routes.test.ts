import { afterAll, beforeAll, expect, it } from "vitest";
import { addDomain, listDomains } from "#features/projects/site/domains.ts";
import { findProject } from "#features/projects/projects.ts";
import { readSiteAccess } from "#features/projects/site-access.ts";
import { browse, type Browsing } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let member: Browsing;
/** The DNS records, by name. */
const dns = new Map<string, string[][]>();

beforeAll(async () => {
  const resolveTxt = async (name: string) => {
    const records = dns.get(name);
    if (records) return records;
    throw Object.assign(new Error("no such record"), {
      code: name.endsWith(".down.example") ? "ETIMEOUT" : "ENOTFOUND",
    });
  };
  app = await createTestApp("sqlite", { resolveTxt });
  member = await browse(app, app.key);
});
afterAll(() => app[Symbol.asyncDispose]());

const page = async () => (await member.get("/harbor-docs/site")).text;
const post = (action: string, fields: Record<string, string> = {}) =>
  member.post(`/harbor-docs/site/${action}`, fields);
const access = () => readSiteAccess(app.database.kysely, app.project.id);

it("is accessible to members only, and changes nothing without its CSRF token", async () => {
  const other = await browse(app, await app.makeKey(await app.makeProject("Other docs")));
  expect((await other.get("/harbor-docs/site")).status).toBe(404);
  expect((await (await browse(app, null)).get("/harbor-docs/site")).status).toBe(303);
  for (const action of ["domain", "change", "address", "access", "link", "sign-out"]) {
    expect((await other.post(`/harbor-docs/site/${action}`, { mode: "links" })).status).toBe(404);
    await page();
    expect((await post(action, { csrf: "wrong", mode: "links" })).status).toBe(403);
  }
  expect((await access()).mode).toBe("public");
});

it("adds a domain that DNS confirms, and none that another project has", async () => {
  await page();
  const added = await post("domain", { domain: "Docs.Harbor.Example." });
  const [, value = ""] = /id="record-value">([^<]+)/.exec(added.text) ?? [];
  expect([added.status, value]).toEqual([200, expect.stringMatching(/^docent-site=[\w-]{32}$/)]);
  expect(added.text).toContain("_docent.docs.harbor.example");
  dns.set("_docent.docs.harbor.example", [["v=spf1"], [`${value}x`]]);
  expect((await post("domain", { domain: "docs.harbor.example" })).text).toContain(value);
  expect(await listDomains(app.database.kysely, app.project.id)).toEqual([]);
  dns.set("_docent.docs.harbor.example", [["v=spf1"], [value.slice(0, 9), value.slice(9)]]);
  expect((await post("domain", { domain: "docs.harbor.example" })).location).toBe("/harbor-docs/site?done=domain");

  // For another project: it needs a different record, and even with it the domain is in use.
  const otherDocs = await app.makeProject("More docs");
  const other = await browse(app, await app.makeKey(otherDocs));
  await other.get("/more-docs/site");
  const refused = await other.post("/more-docs/site/domain", { domain: "DOCS.harbor.example" });
  const [, own = ""] = /id="record-value">([^<]+)/.exec(refused.text) ?? [];
  expect(own).not.toBe(value);
  dns.set("_docent.docs.harbor.example", [[own]]);
  const taken = await other.post("/more-docs/site/domain", { domain: "docs.harbor.example" });
  expect([taken.status, taken.text]).toEqual([409, expect.stringContaining("in use on this server")]);
  expect(taken.text).not.toContain("Harbor docs");
  expect(await listDomains(app.database.kysely, otherDocs.id)).toEqual([]);

  expect((await post("domain", { domain: "x.down.example" })).status).toBe(503);
  expect((await post("domain", { domain: "*.harbor.example" })).status).toBe(400);
  await addDomain(app, app.project.id, "b.example");
  await post("change", { domain: "b.example", to: "main" });
  const domains = () => listDomains(app.database.kysely, app.project.id);
  expect((await domains()).map(({ domain }) => domain)).toEqual(["b.example", "docs.harbor.example"]);
  await post("change", { domain: "b.example", to: "none" });
  expect(await domains()).toEqual([{ domain: "docs.harbor.example", isMain: true }]);
  expect((await post("change", { domain: "b.example", to: "none" })).status).toBe(409);
});

it("sets the address, and explains an invalid one", async () => {
  await page();
  await post("address", { publicAddress: "https://harbor.example/docs", redirect: "yes" });
  const settings = async () => (await findProject(app, app.project.id))?.settings;
  expect(await settings()).toMatchObject({ publicAddress: "https://harbor.example/docs", redirectToMainDomain: true });
  for (const publicAddress of [
    "https://harbor.example/docs/",
    "harbor.example",
    "ftp://a.example",
    "https://a.example/a b",
    'https://a.example/"',
    "https://a.example/_docent",
    "https://u:p@a.example",
  ])
    expect([publicAddress, (await post("address", { publicAddress })).status]).toEqual([publicAddress, 400]);
  await post("address", { publicAddress: "" });
  expect(await settings()).not.toHaveProperty("publicAddress");
});

it("makes a site private, creates links to it, and revokes them", async () => {
  await page();
  expect((await post("link", { path: "/", days: "7" })).status).toBe(409);
  expect((await post("access", { mode: "password", password: "short" })).status).toBe(400);
  await post("access", { mode: "password", password: "a password of some length" });
  const { mode, version, passwordHash } = await access();
  expect([mode, version, passwordHash?.slice(0, 7)]).toEqual(["password", 1, "scrypt$"]);
  expect(await page()).not.toMatch(/scrypt|a password of some length/);
  const made = await post("link", { path: "/guide?a=1", days: "7" });
  const [, token = ""] = /http:\/\/docs\.harbor\.example:4000\/guide\?a=1&amp;access=([\w.-]+)/.exec(made.text) ?? [];
  const read = async () =>
    app.siteTokens.read({ id: app.project.id, version: (await access()).version }, token, ["link"]);
  expect(await read()).not.toBeNull();
  for (const fields of [
    { path: "//evil.example", days: "7" },
    { path: "/", days: "0" },
    { path: "/", days: "367" },
  ])
    expect((await post("link", fields)).status).toBe(400);
  await post("sign-out");
  expect(await read()).toBeNull();
});

it("redirects members, and only them, back to the site that sent them", async () => {
  const path = `/open-site?${new URLSearchParams({ project: app.project.id, host: "docs.harbor.example", path: "/guide" }).toString()}`;
  const opened = await member.get(path);
  const [, address = ""] =
    /href="(http:\/\/docs\.harbor\.example:4000\/guide\?access=entry\.[^"]+)"/.exec(opened.text) ?? [];
  const token = new URL(address).searchParams.get("access") ?? "";
  const { version } = await access();
  expect(app.siteTokens.read({ id: app.project.id, version }, token, ["entry"])).not.toBeNull();
  const elsewhere = path.replace("docs.harbor.example", "evil.example").replace("%2Fguide", "%2F%2Fevil.example");
  expect((await member.get(elsewhere)).text).toContain('href="http://harbor-docs.localhost:4000/?access=');
  const stranger = await (await browse(app, null)).get(path);
  expect([stranger.status, stranger.location]).toEqual([303, `/sign-in?to=${encodeURIComponent(path)}`]);
  const other = await browse(app, await app.makeKey(await app.makeProject("Third docs")));
  expect((await other.get(path)).status).toBe(404);
});

it("tells a proxy which names need certificates, and no more", async () => {
  const check = async (domain: string) => {
    const answer = await app.openPath(`/domains/check?domain=${encodeURIComponent(domain)}`);
    return [answer.status, await answer.text()];
  };
  for (const name of ["docs.harbor.example", "DOCS.harbor.example.", "harbor-docs.localhost", "localhost"])
    expect([name, ...(await check(name))]).toEqual([name, 200, ""]);
  for (const name of [
    "",
    "b.example",
    "nobody.localhost",
    "a.harbor-docs.localhost",
    "127.0.0.1",
    "x".repeat(300),
    "'; --",
  ])
    expect([name, ...(await check(name))]).toEqual([name, 404, ""]);
});

it("finds the site of a host", async () => {
  const hosts: [string | undefined, string | null][] = [
    ["harbor-docs.localhost:4000", "harbor-docs"],
    ["docs.harbor.example", "docs.harbor.example"],
    ["DOCS.Harbor.Example.:443", "docs.harbor.example"],
    ["b.example", ""],
    ["a_b.localhost", ""],
    ["localhost:4000", null],
    ["127.0.0.1:4000", null],
    ["[::1]:4000", null],
    ["docent", null],
    ["docent.default.svc.cluster.local", null],
    [undefined, null],
  ];
  for (const [host, target] of hosts) expect([host, await app.app.siteOf(host)]).toEqual([host, target]);
});
