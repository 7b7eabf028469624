import { afterAll, beforeAll, expect, it } from "vitest";
import { recordRemark } from "#hosts/remote/connection-remarks.ts";
import { findConnection, findWebhookSecret, recordSync } from "#hosts/remote/connections.ts";
import type { ProjectId } from "#lib/ids.ts";
import { type Browsing, browse, browseAsOperator, connectInBrowser } from "#testing/browsing.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let host: HostServer;
let member: Browsing;
let projectId: ProjectId;

beforeAll(async () => {
  app = await createTestApp("sqlite");
  host = await startGithubServer({ "index.md": "# Welcome\n" });
  member = await browseAsOperator(app);
  const fields = { name: "Acme", url: host.url, kind: "github", token: HOST_TOKEN };
  await connectInBrowser(member, fields);
  projectId = (
    await app.database.kysely.selectFrom("project").select("id").where("slug", "=", "acme").executeTakeFirstOrThrow()
  ).id;
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

const token = async () => (await findConnection(app, projectId))?.token.reveal();
const page = async () => (await member.get("/acme/connection")).text;

it("is visible to the project's people, and returns 404 for the embedded host", async () => {
  const other = await browse(app, app.key);
  expect((await other.get("/acme/connection")).status).toBe(404);
  expect((await (await browse(app, null)).get("/acme/connection")).status).toBe(303);
  expect((await other.get("/harbor-docs/connection")).status).toBe(404);
  expect((await other.get("/harbor-docs")).text).not.toContain("/connection");
  for (const action of ["sync", "token", "webhook"]) {
    expect((await other.post(`/acme/connection/${action}`, { token: "x" })).status).toBe(404);
    await member.get("/acme/connection");
    expect((await member.post(`/acme/connection/${action}`, { csrf: "wrong", token: "x" })).status).toBe(403);
  }
  expect(await token()).toBe(HOST_TOKEN);
});

it("shows the state of the sync, and its errors", async () => {
  expect(await page()).toMatch(/lamp good.*GitHub.*Current as of<\/dt> <dd><time.*none yet/);
  await recordSync(app, projectId, "GitHub refused the token: it has expired.");
  const troubled = await page();
  expect(troubled).toContain("Needs attention");
  expect(troubled).toContain("GitHub refused the token: it has expired.");
  expect(troubled).toContain("as it was when it was last current");
});

it("can request a sync", async () => {
  expect(await member.post("/acme/connection/sync", {})).toMatchObject({
    status: 303,
    location: "/acme/connection?done=sync",
  });
  const row = app.database.kysely.selectFrom("connection").select("tried_at").where("project_id", "=", projectId);
  expect((await row.executeTakeFirstOrThrow()).tried_at).toBeNull();
  expect((await member.get("/acme/connection?done=sync")).text).toContain("The host is looked at now.");
});

it("shows the URL of the webhook, and its secret on request", async () => {
  const secret = (await findWebhookSecret(app, projectId))!.reveal();
  const before = await page();
  expect(before).toContain(`http://localhost:4000/git/${projectId}/webhook`);
  expect(before).not.toContain(secret);
  expect(before).toContain("Settings → Webhooks → Add webhook");
  expect(before).toMatch(
    /Pushes, Pull requests, Issue comments, Pull request reviews and Pull request review comments/,
  );
  const shown = await member.post("/acme/connection/webhook", {});
  expect(shown.text).toContain(secret);
  expect(shown.headers.get("cache-control")).toBe("no-store");
  expect(shown.text).not.toContain("data-refresh");
});

it("says that no setup is necessary if Docent created the webhook", async () => {
  const row = app.database.kysely.updateTable("connection").where("project_id", "=", projectId);
  await row.set({ webhook_tried: `http://localhost:4000/git/${projectId}/webhook` }).execute();
  expect(await page()).toMatch(/Docent made it<\/b> on GitHub: there is nothing to enter/);
  await recordRemark(app, projectId, "webhook", "No webhook was made: GitHub does not allow it.");
  expect(await page()).toContain("Settings → Webhooks → Add webhook");
  await recordRemark(app, projectId, "webhook", null);
  await row.set({ webhook_tried: null }).execute();
});

it("replaces the token if the host accepts it", async () => {
  host.state.readers.add("reader");
  const refused = await member.post("/acme/connection/token", { token: "reader" });
  expect([refused.status, await token()]).toEqual([400, HOST_TOKEN]);
  expect(refused.text).toContain("Contents and Pull requests “Read and write”");
  expect(refused.text).not.toContain('"reader"');
  host.state.tokens.add("next-token");
  const replaced = await member.post("/acme/connection/token", { token: "next-token" });
  expect([replaced.location, await token()]).toEqual(["/acme/connection?done=token", "next-token"]);
  const now = await page();
  expect(now).not.toContain("next-token");
  expect(now).not.toContain("Needs attention");
});
