import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { queryViews } from "#features/visitors/reports/counts.ts";
import { browse, browseAsOperator } from "#testing/browsing.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addDomain, removeDomain } from "./domains.ts";
import { admitExternalSite, normaliseExternalSite, pathInProject } from "./external-site.ts";
import { findProjectBySlug, saveSettings } from "#features/projects/projects.ts";

const PUBLISHED = "https://acme.example/docs";
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
let app: TestApp;

beforeAll(async () => {
  app = await createTestApp("sqlite");
});
beforeEach(() => saveSettings(app, app.project, {}));
afterAll(() => app[Symbol.asyncDispose]());

async function ask(method: string, path: string, body: object | null = null, key = app.key) {
  const request = new Request(`http://localhost:4000${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}
const set = (settings: object, more: object = {}) =>
  ask("PATCH", `/v2/project/${app.project.id}`, { settings, ...more });

it.each([
  ["https://docs.acme.example", "https://docs.acme.example"],
  [" https://Docs.Acme.example/ ", "https://docs.acme.example"],
  ["https://acme.readthedocs.io/en/latest/", "https://acme.readthedocs.io/en/latest"],
  ["http://127.0.0.1:3000/docs", "http://127.0.0.1:3000/docs"],
  ["https://docs.acme.example.:8443/", "https://docs.acme.example:8443"],
  ["http://127.1:3000", "http://127.0.0.1:3000"],
  ["http://[2001:DB8::1]/docs", "http://[2001:db8::1]/docs"],
  ["https://a..example", null],
  ["https://-docs.example", null],
  [`https://${"a".repeat(64)}.example`, null],
  ["docs.acme.example", null],
  ["ftp://acme.example", null],
  ["javascript:alert(1)", null],
  ["https://acme.example/?page=1", null],
  ["https://acme.example/docs#top", null],
  ["https://ada:secret@acme.example", null],
  ["https://acme.example/a b", null],
  [`https://acme.example/${"a".repeat(300)}`, null],
])("reads %s as %s", (written, address) => {
  expect(normaliseExternalSite(written)).toBe(address);
});

it("refuses the own machine of readers where the server has a public address", async () => {
  const names = { siteDomain: "sites.acme.example", baseUrl: "https://docent.acme.example" };
  await expect(admitExternalSite(app.database.kysely, "http://[::1]:8080", names)).rejects.toThrow("their own machine");
});

it.each([
  ["/docs/guide", "/guide"],
  ["/docs/guide.html", "/guide"],
  ["/docs/guide/index.html", "/guide"],
  ["/docs/my-index.html", "/my-index"],
  ["/docs/", "/"],
  ["/docs", "/"],
  ["/docs/index.html", "/"],
  ["/docsy", null],
  ["/", null],
])("counts %s below /docs as %s", (path, counted) => {
  expect(pathInProject("/docs", path)).toBe(counted);
});

describe("over HTTP", () => {
  it("is set without a slash at its end, is where the project says that its site is, and is taken out again", async () => {
    const changed = await set({ externalSite: `${PUBLISHED}/` });
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { siteUrl: `${PUBLISHED}/`, settings: { externalSite: PUBLISHED } },
    ]);
    expect((await set({ externalSite: null })).json).toMatchObject({ siteUrl: "http://harbor-docs.localhost:4000/" });
  });

  it.each([
    ["http://localhost:4000/docs", "this server answers itself"],
    ["http://harbor-docs.localhost:4000", "this server answers itself"],
    ["http://localhost.:4000/docs", "this server answers itself"],
    ["http://127.1:4000", "this server answers itself"],
    ["http://[::1]:4000", "this server answers itself"],
    ["https://ours.example", "this server answers itself"],
    ["https://ours.example.", "this server answers itself"],
    ["https://acme.example?x", "without a query"],
    ["https://acme.example/a b", "without a query"],
  ])("refuses %s", async (externalSite, words) => {
    const other = (await findProjectBySlug(app, "other")) ?? (await app.makeProject("Other"));
    await addDomain(app, other.id, "ours.example");
    const refused = await set({ externalSite });
    expect([refused.status, refused.json]).toMatchObject([400, { code: "invalid" }]);
    expect(JSON.stringify(refused.json)).toContain(words);
  });

  it("is refused with a domain or a public address, and refuses both", async () => {
    await addDomain(app, app.project.id, "docs.harbor.example");
    const kept = await set({ externalSite: PUBLISHED });
    expect([kept.status, kept.json["error"]]).toEqual([
      409,
      `The site is published at ${PUBLISHED}, so it cannot have domains on this server, such as docs.harbor.example. Remove the domains, or the external site.`,
    ]);
    expect((await set({ externalSite: PUBLISHED }, { domains: [] })).status).toBe(200);
    expect((await set({ publicAddress: "https://harbor.example" })).status).toBe(409);
    const key = await app.instanceKey();
    const again = { domains: ["docs.harbor.example"] };
    expect((await ask("PATCH", `/v2/project/${app.project.id}`, again, key)).status).toBe(409);
    const moved = { ...again, settings: { externalSite: null } };
    expect((await ask("PATCH", `/v2/project/${app.project.id}`, moved, key)).status).toBe(200);
    await removeDomain(app, app.project.id, "docs.harbor.example");
  });

  it("is set with a new project", async () => {
    const key = await app.instanceKey();
    const made = await ask("POST", "/v2/projects", { name: "Made", externalSite: `${PUBLISHED}/` }, key);
    expect([made.status, made.json]).toMatchObject([201, { settings: { externalSite: PUBLISHED } }]);
    const own = { name: "Looping", externalSite: "http://looping.localhost:4000" };
    expect((await ask("POST", "/v2/projects", own, key)).status).toBe(400);
    expect(await findProjectBySlug(app, "looping")).toBeNull();
  });
});

describe("its visitors", () => {
  const send = (origin: string, path: string, more: object = {}) =>
    app.app.fetch(
      new Request(`http://localhost:4000/ingest/${app.project.id}`, {
        method: "POST",
        headers: { origin, "content-type": "text/plain", "user-agent": CHROME },
        body: JSON.stringify({ path, id: `${path}-0123456789`, ...more }),
      }),
      { peerAddress: "192.0.2.9" },
    );
  const views = async () => {
    await app.analytics.flush();
    const query = { projectId: app.project.id, from: null, to: null, limit: 50, offset: 0 };
    return (await queryViews(app, query)).views.map(({ path, human, ai }) => [path, human, ai]);
  };

  it("are counted by the script and by sent views, as the pages that the project has", async () => {
    await set({ externalSite: PUBLISHED });
    app.time.now = new Date(Date.now() + 10_000); // the settings of before are remembered for seconds
    const member = await browse(app, app.key);
    expect((await member.get("/harbor-docs")).text).toContain("No view has arrived yet");
    expect((await send("https://other.example", "/docs/guide/")).status).toBe(403);
    expect((await send("https://acme.example", "/docs/guide/")).status).toBe(204);
    expect((await send("https://acme.example", "/docs/")).status).toBe(204);
    expect((await send("https://acme.example", "/pricing")).status).toBe(204);
    expect((await send("https://acme.example", "/docs/nope", { missing: true })).status).toBe(204);
    expect((await send("https://acme.example", "/docs/robots", { automated: true })).status).toBe(204);
    const agent = { event_id: "1", path: "/docs/guide", address: "203.0.113.9", userAgent: "Claude-User" };
    expect((await ask("POST", `/v1/analytics/${app.project.id}/views`, { views: [agent] })).status).toBe(200);
    expect(await views()).toEqual([
      ["/guide", 1, 1],
      ["/", 1, 0],
    ]);
    expect((await member.get("/harbor-docs")).text).toContain("Views arrive.");
    const page = await member.get("/harbor-docs/analytics?page=%2Fguide");
    expect(page.text).toContain(`<a href="${PUBLISHED}/guide">Open page`);
    app.time.now = null;
  });

  it("have their origin among those that the script's operation lists", async () => {
    await set({ externalSite: PUBLISHED, analytics: { allowedOrigins: ["https://blog.acme.example"] } });
    const { json } = await ask("GET", `/v2/project/${app.project.id}/analytics-snippet`);
    expect(json["allowedOrigins"]).toEqual(["https://acme.example", "https://blog.acme.example"]);
  });
});

describe("in the dashboard", () => {
  it("is chosen for a new project, whose pages then link to it alone", async () => {
    const operator = await browseAsOperator(app);
    for (const from of ["github", "gitlab", "gitea", "git", "upload", "empty"])
      expect((await operator.get(`/-/new?from=${from}`)).text).toContain("Where are the docs published?");
    const chosen = { name: "Chosen", hosting: "elsewhere", externalSite: `${PUBLISHED}/` };
    expect((await operator.post("/-/new/empty", { ...chosen, externalSite: "" })).text).toContain(
      "Enter the address of the site.",
    );
    const refused = await operator.post("/-/new/empty", { ...chosen, externalSite: "http://x.localhost:4000" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="http://x.localhost:4000"')]);
    const made = await operator.post("/-/new/empty", chosen);
    expect(made.text).toContain(`Its site is at <a href="${PUBLISHED}/">`);
    const project = await findProjectBySlug(app, "chosen");
    expect(project?.settings).toEqual({ externalSite: PUBLISHED });
    const overview = (await operator.get("/chosen")).text;
    expect(overview).toContain(`<a href="${PUBLISHED}/" title="Open the site">`);
    expect(overview).toContain(`&quot;http://localhost:4000/ingest/${project!.id}&quot;`);
    expect(overview).toContain("http://chosen.localhost:4000/llms.txt");
    const jump = await operator.get("/-/jump?project=chosen&search=open");
    expect(jump.text).toContain(`"href":"${PUBLISHED}/"`);
  });

  it("does not apply where the choice is Docent, whatever is in the field that it hides", async () => {
    const operator = await browseAsOperator(app);
    await operator.get("/-/new?from=empty");
    await operator.post("/-/new/empty", { name: "Here", hosting: "docent", externalSite: PUBLISHED });
    expect((await findProjectBySlug(app, "here"))?.settings).toEqual({});
  });

  it("is changed on the page Site, which then has no domains and links of private sites to Docent alone", async () => {
    const member = await browse(app, app.key);
    const post = (action: string, fields: Record<string, string>) => member.post(`/harbor-docs/site/${action}`, fields);
    expect((await member.get("/harbor-docs/site")).text).toContain("Add domain");
    const refused = await post("external", { hosting: "elsewhere", externalSite: "acme" });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('value="acme"')]);
    expect(await post("external", { hosting: "elsewhere", externalSite: PUBLISHED })).toMatchObject({ status: 303 });
    const page = (await member.get("/harbor-docs/site")).text;
    expect(page).toContain(`value="${PUBLISHED}"`);
    expect(page).not.toContain("Add domain");
    expect(await post("domain", { domain: "docs.harbor.example" })).toMatchObject({ status: 409 });
    await post("access", { mode: "links" });
    const link = await post("link", { path: "/guide", days: "1" });
    expect(link.text).toContain("http://harbor-docs.localhost:4000/guide?access=");
    await post("access", { mode: "public" });
    expect(await post("external", { hosting: "docent", externalSite: PUBLISHED })).toMatchObject({ status: 303 });
    expect((await member.get("/harbor-docs/site")).text).toContain("Add domain");
  });
});
