import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAudit } from "#features/accounts/audit.ts";
import { findConnectionState } from "#hosts/remote/connections.ts";
import { type Browsing, browse, browseAsOperator, connectInBrowser } from "#testing/browsing.ts";
import { type GithubServer, startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let app: TestApp;
let host: GithubServer;
let operator: Browsing;
let place: string;

const unescaped = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
/** Submits a form to GitHub, as a browser does; returns the redirect URL. */
async function makeOnGithub(page: string): Promise<string> {
  const [, action = "", manifest = ""] =
    /action="(http[^"]+)"> <input type="hidden" name="manifest" value="([^"]+)"/.exec(page)!;
  const body = new URLSearchParams({ manifest: unescaped(manifest) });
  const answer = await fetch(unescaped(action), { method: "POST", body, redirect: "manual" });
  const back = new URL(answer.headers.get("location")!);
  return back.pathname + back.search;
}

beforeAll(async () => {
  app = await createTestApp("sqlite");
  host = await startGithubServer({ "index.md": "# Welcome\n" });
  place = `/admin/github-app?origin=${encodeURIComponent(host.origin)}`;
});
beforeEach(async () => {
  operator = await browseAsOperator(app);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

it("is for operators only", async () => {
  for (const somebody of [await browse(app, null), await browse(app, app.key)]) {
    for (const path of ["", "/made?code=1&state=2", "/installed", "/app_00000000000000000000000000"]) {
      expect((await somebody.get(`/admin/github-app${path}`)).status).toBe(401);
    }
  }
});

it("offers a form for GitHub, for an organization and for an Enterprise Server, and for no other server", async () => {
  const usual = await operator.get("/admin/github-app");
  expect(usual.text).toContain('action="https://github.com/settings/apps/new?state=');
  expect(usual.headers.get("content-security-policy")).toContain("form-action 'self' https://github.com;");
  expect(usual.text).toContain("asks GitHub every minute");
  const other = await operator.get(`${place}&organization=acme`);
  expect(other.text).toContain(`action="${host.origin}/organizations/acme/settings/apps/new?state=`);
  expect(other.headers.get("content-security-policy")).toContain(`form-action 'self' ${host.origin};`);
  for (const [query, words] of [
    ["?origin=https://10.0.0.1", "may not be reached"],
    ["?origin=nonsense", "Enter the address"],
    ["?organization=a/b", "An organization is one word"],
  ]) {
    const refused = await operator.get(`/admin/github-app${query}`);
    expect([refused.status, refused.text.includes(words!)]).toEqual([400, true]);
    expect(refused.headers.get("content-security-policy")).toContain("form-action 'self';");
  }
});

describe("a new GitHub App", () => {
  it("is stored once, for the browser that started it, and connects a repository without a token", async () => {
    const back = await makeOnGithub((await operator.get(place)).text);
    const another = await browseAsOperator(app);
    expect((await another.get(back)).status).toBe(403);
    expect((await operator.get(back.replace(/state=[^&]+/, "state=v1.made.up"))).status).toBe(403);
    const taken = await operator.get(back);
    expect(taken).toMatchObject({ status: 303, location: "/-/new?from=github" });
    expect(await operator.get(back)).toMatchObject({ status: 303, location: taken.location });
    expect((await operator.get(back.replace(/code=\w+/, "code=wrong"))).location).toBe(taken.location);
    const recorded = await listAudit(app.database.kysely, { projectId: null, filter: { action: "createGithubApp" }, before: null, limit: 9 }); // oxfmt-ignore
    expect(recorded.map(({ actor, subject }) => [actor.kind, subject])).toEqual([["operator", "Docent test"]]);

    const bare = await operator.get(taken.location!);
    expect(bare.text).toContain("The app is not installed yet.");
    // The form links to what is missing.
    const early = await operator.post("/-/new/github", { name: "Early", url: host.url, kind: "github", token: "" });
    expect(early.text).toMatch(/is not installed on acme\/docs\. Install it there: http/);
    await fetch(/href="(http[^"]+\/installations\/new)"/.exec(bare.text)![1]!, { redirect: "manual" });
    expect(await operator.get("/admin/github-app/installed?installation_id=666&setup_action=install")).toMatchObject({
      status: 303,
      location: taken.location,
    });
    const offered = (await operator.get(taken.location!)).text;
    const connect = unescaped(/href="(\/-\/new\?from=github&amp;repository=[^"]+)"/.exec(offered)![1]!);
    const form = (await operator.get(connect)).text;
    expect(form).toContain(`value="${host.url}"`);
    expect(form).toContain("Use a token in place of the GitHub App");
    const done = await connectInBrowser(operator, { name: "By app", url: host.url, kind: "github", token: "" });
    expect(done.text).toContain("By app is connected");
    expect(done.text).not.toContain("webhook");
    expect((await operator.get("/-/new?from=github")).text).toContain('href="/by-app">connected</a>');

    const page = (await operator.get("/by-app/connection")).text;
    expect(page).toContain("<b>Docent test</b> is installed on this repository");
    expect(page).not.toContain("/connection/webhook");
  });

  it("has one webhook, whose messages sync the projects of their repository", async () => {
    const send = async (request: Request) => (await app.app.fetch(request, { peerAddress: "127.0.0.1" })).status;
    const push = { ref: "refs/heads/main", repository: { id: 4711 }, installation: { id: 77 } };
    expect(await send(host.app.message("push", push, "wrong"))).toBe(401);
    expect(await send(new Request(host.app.message("push", push).url, { method: "POST", body: "{}" }))).toBe(401);
    const unknown = new Request("http://localhost:4000/git/app/app_00000000000000000000000000/webhook", {
      method: "POST",
    });
    expect(await send(unknown)).toBe(404);
    expect(await send(host.app.message("push", push))).toBe(202);
    for (const body of [{}, { repository: null, installation: { id: 77 } }, { repository: { id: "x" } }, []]) {
      expect(await send(host.app.message("installation", body))).toBe(202);
    }
    expect(await send(host.app.message("push", { padding: "x".repeat(3 * 1024 * 1024) }))).toBe(202);
  });

  it("can be replaced by a token", async () => {
    const { id } = await app.database.kysely
      .selectFrom("project")
      .select("id")
      .where("slug", "=", "by-app")
      .executeTakeFirstOrThrow();
    expect((await findConnectionState(app, id))?.app?.name).toBe("Docent test");
    const member = await browse(app, await app.makeKey({ ...app.project, id }));
    await member.get("/by-app/connection");
    const replaced = await member.post("/by-app/connection/token", { token: HOST_TOKEN });
    expect(replaced.location).toBe("/by-app/connection?done=token");
    expect((await findConnectionState(app, id))?.app).toBeNull();
  });
});
