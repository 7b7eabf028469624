import { afterAll, beforeAll, expect, it } from "vitest";
import { type AuditFilter, deleteOldAudit, listAudit } from "#features/accounts/audit.ts";
import { invite } from "#features/accounts/invitations.ts";
import { DAY_MS } from "#lib/clock.ts";
import { ENGINES } from "#testing/databases.ts";
import { browse, browseAsOperator } from "#testing/browsing.ts";
import { browseAs, makePerson, makeToken } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { auditSentence } from "./audit-sentences.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp("sqlite");
});
afterAll(() => app[Symbol.asyncDispose]());

const newest = async (of: Pick<TestApp, "database">) =>
  (await listAudit(of.database.kysely, { projectId: null, filter: {}, before: null, limit: 1 }))[0];

it("records changes by MCP tools, but not tools that only read", async () => {
  const before = await newest(app);
  const key = await makeToken(app, await makePerson(app, { role: "admin" }));
  const callTool = (name: string, args: object) =>
    app.app.fetch(
      new Request(`http://localhost:4000/mcp?project=${app.project.id}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
      }),
      { peerAddress: "127.0.0.1" },
    );
  expect((await callTool("list_jobs", {})).status).toBe(200);
  expect(await newest(app)).toEqual(before);
  expect((await callTool("create_job", { prompt: "Fix the broken links." })).status).toBe(200);
  const entries = await listAudit(app.database.kysely, {
    projectId: app.project.id,
    filter: {},
    before: null,
    limit: 9,
  });
  expect(entries.map(({ action }) => action)).toEqual(["createAgentJob"]);
});

it("records each branch of a push, and who pushed it", async () => {
  const main = await app.repoStore.resolve(app.project.id, "refs/heads/main");
  await app.repoStore.updateRef(app.project.id, { ref: "refs/heads/old", to: main!, expected: null });
  const command = `${main} ${"0".repeat(40)} refs/heads/old\0 report-status delete-refs\n`;
  const person = await makePerson(app, { role: "editor" });
  const token = await makeToken(app, person);
  const response = await app.app.fetch(
    new Request("http://localhost:4000/git/harbor-docs.git/git-receive-pack", {
      method: "POST",
      headers: {
        Authorization: `Basic ${Buffer.from(`docent:${token}`).toString("base64")}`,
        "Content-Type": "application/x-git-receive-pack-request",
      },
      body: `${(command.length + 4).toString(16).padStart(4, "0")}${command}0000`,
    }),
    { peerAddress: "127.0.0.1" },
  );
  expect(await response.text()).toContain("ok refs/heads/old");
  expect(await newest(app)).toMatchObject({ projectId: app.project.id, actor: { kind: "person", id: person.id }, action: "git/push", subject: "old", address: "127.0.0.1" }); // oxfmt-ignore
});

it.each(ENGINES)("records who changed what, in a browser, with a token and with a key, on %s", async (engine) => {
  await using own = await createTestApp(engine);
  const ada = await makePerson(own, { role: "admin" });
  const browser = await browseAs(own, ada, { byForm: true });
  expect(await newest(own)).toMatchObject({ actor: { kind: "person", id: ada.id, name: ada.name }, action: "sign-in" });
  await browser.get("/harbor-docs/members");
  await browser.post("/harbor-docs/members/invite", { email: "grace@example.com", role: "editor" });
  const projectId = own.project.id;
  expect(await newest(own)).toMatchObject({ projectId, actor: { name: ada.name }, action: "members/invite", target: "/harbor-docs/members/invite", address: "127.0.0.1" }); // oxfmt-ignore
  await own.open("POST", "/job", { key: await makeToken(own, ada), body: { prompt: "Fix the broken links." } });
  expect(await newest(own)).toMatchObject({
    projectId,
    actor: { kind: "person", id: ada.id },
    action: "createAgentJob",
  });
  await own.open("POST", "/job", { body: { prompt: "Fix the broken links." } });
  expect(await newest(own)).toMatchObject({
    projectId,
    actor: { kind: "key", name: "test" },
    action: "createAgentJob",
  });
  const operator = await browseAsOperator(own);
  await operator.post("/-/setup", { name: "Owner", email: "owner@example.com", password: "correct horse" });
  expect(await newest(own)).toMatchObject({
    projectId: null,
    actor: { kind: "person", name: "Owner" },
    action: "setup",
  });
  const found = async (filter: AuditFilter) =>
    (await listAudit(own.database.kysely, { projectId, filter, before: null, limit: 10 })).length;
  expect([await found({}), await found({ actor: ada.name.toUpperCase() }), await found({ action: "members" }), await found({ actor: "%" })]).toEqual([3, 2, 1, 0]); // oxfmt-ignore
});

it("does not record rejected requests, reads or dry runs", async () => {
  const viewer = await browseAs(app, await makePerson(app, { role: "viewer" }));
  const editor = await browseAs(app, await makePerson(app, { role: "editor" }));
  const before = await newest(app);
  await viewer.get("/harbor-docs");
  await viewer.post("/harbor-docs/jobs", { prompt: "Fix the broken links." });
  await editor.get("/harbor-docs/jobs/chores");
  await editor.post("/harbor-docs/jobs/chores", { do: "try", chore: "fix_links" });
  await browse(app, null);
  expect(await newest(app)).toEqual(before);
});

it("never contains the token of an invitation", async () => {
  const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  await owner.get("/-/people");
  const { text } = await owner.post("/-/people/invite", { email: "new@example.com", as: "member" });
  const link = /\/-\/join\/[\w-]{43}/.exec(text)![0];
  const stranger = await browse(app, null);
  expect((await stranger.post(link, { name: "New", password: "correct horse" })).status).toBe(303);
  expect(await newest(app)).toMatchObject({ actor: { name: "New" }, action: "join", target: "/-/join/…" });
});

it("says which account, invitation or token a change was about", async () => {
  const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  const { id, email } = await makePerson(app, {});
  const does = async (path: string, fields: Record<string, string>) => {
    const answer = await owner.post(path, fields);
    const { action, subject, target } = (await newest(app))!;
    return { answer, sentence: auditSentence({ action, subject, target }) };
  };
  const invited = await does("/-/people/invite", { email: "edsger@example.com", as: "owner" });
  expect(invited.sentence).toBe("invited a person to the server: edsger@example.com as owner");
  const [invitation] = /inv_[0-9a-z]{26}/.exec(invited.answer.text)!;
  const ofProject = await does("/harbor-docs/members/invite", { email: "barbara@example.com", role: "viewer" });
  const [other] = /inv_[0-9a-z]{26}/.exec(ofProject.answer.text)!;
  const changes: [string, Record<string, string>, string][] = [
    ["/-/people/withdraw", { id: invitation }, "withdrew an invitation of edsger@example.com"],
    ["/harbor-docs/members/withdraw", { id: other }, "withdrew an invitation of barbara@example.com"],
    [`/-/people/${id}/owner`, {}, `made a person an owner of the server: ${email}`],
    [`/-/people/${id}/member`, {}, `made an owner a member of the server: ${email}`],
    [`/-/people/${id}/password`, { password: "quiet harbor light" }, `set another person's password: ${email}`],
    [`/-/people/${id}/delete`, { confirm: email }, `deleted an account: ${email}`],
    ["/-/account/tokens", { name: "laptop", scope: "read", lifetime: "7" }, "created a personal access token named laptop"], // oxfmt-ignore
  ];
  for (const [path, fields, sentence] of changes) expect((await does(path, fields)).sentence).toBe(sentence);
  const token = /name="token" value="(key_[0-9a-z]{26})"/.exec((await owner.get("/-/account")).text)![1]!;
  expect((await does("/-/account/revoke", { token })).sentence).toBe("revoked a personal access token named laptop");
});

it("records a sign-out, of a person and of a key", async () => {
  const ada = await makePerson(app, {});
  await (await browseAs(app, ada)).post("/sign-out", {});
  expect(await newest(app)).toMatchObject({ actor: { id: ada.id }, projectId: null, action: "sign-out" });
  await (await browse(app, app.key)).post("/sign-out", {});
  expect(await newest(app)).toMatchObject({
    actor: { kind: "key" },
    projectId: app.project.id,
    action: "sign-out",
  });
});

it("records the names of created and deleted projects", async () => {
  const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  await owner.get("/-/new");
  await owner.post("/-/new/empty", { name: "Pier docs" });
  expect(await newest(app)).toMatchObject({ action: "new/empty", subject: "Pier docs" });
  const headers = { Authorization: `Bearer ${await app.instanceKey()}`, "Content-Type": "application/json" };
  const ask = (method: string, path: string, body?: string) =>
    app.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers, ...(body && { body }) }), { peerAddress: "127.0.0.1" }); // oxfmt-ignore
  const { id } = (await (await ask("POST", "/v2/projects", '{"name": "Quay docs"}')).json()) as { id: string };
  expect(await newest(app)).toMatchObject({ action: "createProject", subject: "Quay docs" });
  await ask("DELETE", `/v2/project/${id}?name=Quay%20docs`);
  expect(await newest(app)).toMatchObject({ action: "deleteProject", projectId: null, subject: "Quay docs" });
});

it("is available as a page, CSV and JSON, for a project to its admins and for the instance to owners", async () => {
  const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
  const owner = await browseAs(app, await makePerson(app, { isOwner: true }));
  await admin.get("/harbor-docs/members");
  await admin.post("/harbor-docs/members/invite", { email: "=1+1@example.com", role: "viewer" });
  expect((await admin.get("/harbor-docs/audit?action=members")).text).toContain("invited =1+1@example.com as viewer");
  const ben = await makePerson(app, {});
  await admin.post("/harbor-docs/members/invite", { email: ben.email, role: "viewer" });
  expect((await admin.get("/harbor-docs/audit?action=members")).text).toContain(
    `added a member: ${ben.email} as viewer`,
  );
  expect((await admin.get("/harbor-docs/audit?kind=Jobs&from=2020-01-01")).text).not.toContain("invited");
  expect((await admin.get("/harbor-docs/audit?to=2020-01-01")).text).toContain("Nothing matches.");
  expect((await admin.get("/harbor-docs/audit?from=2026-02-30")).text).not.toContain("2026-02-30");
  const csv = await admin.get("/harbor-docs/audit.csv?action=members");
  expect(csv.text).toMatch(/^at,actorKind,actorId,actor,action,projectId,target,address,subject,sentence \d{4}-/);
  const json = JSON.parse((await owner.get("/-/audit.json")).text) as { events: { action: string }[] };
  expect(json.events[0]).toMatchObject({ action: "members/add", projectId: app.project.id });
  expect((await owner.get("/-/audit")).text).toContain("Harbor docs");
});

it("shows old and new values of settings that are changed over HTTP, and of no secret", async () => {
  const change = async (body: object) => {
    const headers = { Authorization: `Bearer ${await app.instanceKey()}`, "Content-Type": "application/json" };
    const at = `http://localhost:4000/v2/project/${app.project.id}`;
    const request = new Request(at, { method: "PATCH", headers, body: JSON.stringify(body) });
    const { status } = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    return [status, (await newest(app))!.subject];
  };
  const settings = { contentRoot: "handbook", instructions: "One.\nTwo.\n", analytics: { retentionDays: 30 } };
  expect(await change({ settings })).toEqual([
    200,
    "contentRoot from empty to “handbook”, instructions (2 lines changed), analytics.retentionDays from empty to “30”",
  ]);
  expect(await change({ settings: { contentRoot: "guide" }, name: app.project.name })).toEqual([
    200,
    "contentRoot from “handbook” to “guide”",
  ]);
  expect(await change({ access: { mode: "password", password: "correct horse" } })).toEqual([
    200,
    "access.mode to “password”, access.password",
  ]);
  expect(await change({ access: { mode: "public" } })).toEqual([200, "access.mode to “public”"]);
});

it("shows who could read the site before and who can now", async () => {
  const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
  await admin.get("/harbor-docs/site");
  await admin.post("/harbor-docs/site/access", { mode: "dashboard" });
  expect((await admin.get("/harbor-docs/audit?kind=Site")).text).toContain(
    "changed who can read the site: from everyone to members of the project",
  );
  await admin.post("/harbor-docs/site/access", { mode: "public" });
});

it("links to a job that was created, in a browser and over HTTP", async () => {
  const editor = await browseAs(app, await makePerson(app, { role: "editor" }));
  const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
  await editor.get("/harbor-docs/jobs");
  const made = await editor.post("/harbor-docs/jobs", { prompt: "Fix the broken links." });
  const { json } = await app.call("POST", "/job", { body: { prompt: "Fix the broken links." } });
  const { text } = await admin.get("/harbor-docs/audit?kind=Jobs");
  for (const href of [made.location!, `/harbor-docs/jobs/${json.id}`])
    expect(text).toContain(`<a href="${href}">created a job</a>`);
});

it("lists who accepted an invitation to a project in the log of the project", async () => {
  const admin = await browseAs(app, await makePerson(app, { role: "admin" }));
  const offer = { projectId: app.project.id, role: "editor" } as const;
  const { token } = await invite(app, { email: "lin@example.com", offer, invitedBy: "Ada" });
  await (await browse(app, null)).post(`/-/join/${token}`, { name: "Lin", password: "quiet harbor light" });
  const known = await makePerson(app, {});
  const again = await invite(app, { email: known.email, offer, invitedBy: "Ada" });
  const browser = await browseAs(app, known);
  await browser.get(`/-/join/${again.token}`);
  expect((await browser.post(`/-/join/${again.token}`, {})).status).toBe(303);
  const { text } = await admin.get("/harbor-docs/audit?action=join");
  expect(text.match(/accepted an invitation as editor/g)).toHaveLength(2);
  for (const name of ["Lin", known.name]) expect(text).toContain(name);
});

it("is deleted after the retention period", async () => {
  const count = async () =>
    (await listAudit(app.database.kysely, { projectId: null, filter: {}, before: null, limit: 1_000 })).length;
  const kept = await count();
  expect(await deleteOldAudit(app.database, { before: Date.now() - DAY_MS, limit: 1_000 })).toBe(0);
  expect(await deleteOldAudit(app.database, { before: Date.now() + DAY_MS, limit: 2 })).toBe(2);
  expect(await count()).toBe(kept - 2);
});
