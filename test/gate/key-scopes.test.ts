import { sql } from "kysely";
import { expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "#features/keys/api-keys.ts";
import { allowsScope, KEY_SCOPES, type KeyScope, type Level } from "#kit/levels.ts";
import { ENGINES } from "#testing/databases.ts";
import { makePerson, makeToken } from "#testing/people.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { type InterfaceDocument, readInterface } from "#test/support/contract/described-interface.ts";

/** Written out, so that no rule decides by itself what a new operation needs. What is in no list needs `admin`. */
const READS =
  "followAgentJob getAgentJob getAgentJobDiff getAgentSession getAgents getAnalyticsSnippet getAutomation getDeployment getFeedback getFeedbackByPage getMissingPages getNotCounted getReferrers getSearches getSeries getSitePin getSiteUpdate getSource getSurfaces getViews getVisitors listAgentJobEvents listAgentJobs listAgentSessions listApiAddresses listAutomationRuns listAutomations listDeployments listModels listSources readPage searchPages".split(
    " ",
  );
const WORKS =
  "archiveAgentJob cancelAgentJob createAgentJob previewBranch readApiAddresses retryAgentJob runAutomation runAutomationAtFormerPath sendAgentMessage sendViews triggerAutomation tryChores unarchiveAgentJob updateSite".split(
    " ",
  );

const WRITES = "closeAgentJob mergeAgentJob pinSite unpinSite".split(" ");

const SIGNED_OUT = 401;

async function keysOf(app: TestApp) {
  const deps = { database: app.database, clock: { now: () => new Date() }, keysPerHour: 1_000 };
  const make = async (name: string, more: { scope?: KeyScope; allow?: string[]; projectId?: null } = {}) =>
    createApiKey(deps, { projectId: app.project.id, name, expiresInDays: 7, ...more });
  const ofInstance = async (scope: KeyScope) => (await make(`instance ${scope}`, { scope, projectId: null })).key;
  const revoked = await make("revoked");
  await revokeApiKey(deps, revoked.id);
  const expired = await make("expired");
  await sql`update api_key set expires_at = 1 where id = ${expired.id}`.execute(app.database.kysely);
  const revokedOfInstance = await make("revoked", { projectId: null });
  await revokeApiKey(deps, revokedOfInstance.id);
  return {
    "instance read": await ofInstance("read"),
    "instance agent": await ofInstance("agent"),
    "instance write": await ofInstance("write"),
    "instance admin": await ofInstance("admin"),
    "instance revoked": revokedOfInstance.key,
    elsewhere: (await make("elsewhere", { allow: ["10.0.0.0/8"] })).key,
    "instance elsewhere": (await make("elsewhere", { projectId: null, allow: ["2001:db8::/32"] })).key,
    read: (await make("read", { scope: "read" })).key,
    agent: (await make("agent", { scope: "agent" })).key,
    write: (await make("write", { scope: "write" })).key,
    admin: (await make("admin", { scope: "admin" })).key,
    revoked: revoked.key,
    expired: expired.key,
    other: await app.makeKey(await app.makeProject("Other")),
  };
}

/** Tokens of people, with what their owners are. */
async function tokensOf(app: TestApp) {
  const token = async (wish: Parameters<typeof makePerson>[1], scope: KeyScope = "admin") =>
    makeToken(app, await makePerson(app, wish), scope);
  return {
    viewer: await token({ role: "viewer" }),
    editor: await token({ role: "editor" }),
    "editor's agent": await token({ role: "editor" }, "agent"),
    "project admin": await token({ role: "admin" }),
    "admin's read": await token({ role: "admin" }, "read"),
    owner: await token({ isOwner: true }),
    "owner's read": await token({ isOwner: true }, "read"),
    outsider: await token({}),
  };
}

/** Whether a person's token may do what a key needs `scope` for. */
function personMay(who: string, { scope, isOfInstance }: { scope: KeyScope; isOfInstance: boolean }) {
  const level: Level =
    ({ viewer: "read", editor: "write", "editor's agent": "agent", "admin's read": "read", "owner's read": "read" } as const)[who as "viewer"] ?? "admin"; // oxfmt-ignore
  return allowsScope(level, scope) && (!isOfInstance || who.startsWith("owner"));
}

const send = async (app: TestApp, call: { method: string; path: string; key: string | null }) => {
  const headers = {
    "Content-Type": "application/json",
    ...(call.key !== null && { Authorization: `Bearer ${call.key}` }),
  };
  const body = /^(?:get|head)$/i.test(call.method) ? null : "{ no JSON";
  const request = new Request(`http://localhost:4000${call.path}`, {
    method: call.method.toUpperCase(),
    headers,
    body,
  });
  const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
  await response.body?.cancel();
  return response.status;
};

it.each(ENGINES)("every operation accepts exactly the documented keys, on %s", async (engine) => {
  await using app = await createTestApp(engine);
  const keys = await keysOf(app);
  const tokens = await tokensOf(app);
  const document = (await (await app.openPath("/openapi.json")).json()) as InterfaceDocument;
  const wrong: string[] = [];
  const needed = new Map<KeyScope, number>();
  for (const { id, method, path: described, responses, scope, isOfInstance } of readInterface(document).operations) {
    const written = READS.includes(id) ? "read" : WORKS.includes(id) ? "agent" : WRITES.includes(id) ? "write" : "admin"; // oxfmt-ignore
    expect([id, scope]).toEqual([id, written]);
    needed.set(written, (needed.get(written) ?? 0) + 1);
    expect([id, "403" in responses]).toEqual([id, true]);
    expect([id, isOfInstance]).toEqual([id, !/\{(?:projectId|statusId|domain)\}/.test(described)]);
    const path = described
      .replace("{projectId}", app.project.id)
      .replace("{domain}", app.project.slug)
      .replaceAll(/\{\w+\}/g, "none_01");
    const statuses = Object.fromEntries(
      await Promise.all(
        Object.entries({ ...keys, ...tokens, none: null }).map(async ([kind, key]) => [
          kind,
          await send(app, { method, path, key }),
        ]),
      ),
    ) as Record<string, number>;
    for (const kind of ["none", "revoked", "expired", "instance revoked"]) {
      if (statuses[kind] !== SIGNED_OUT) wrong.push(`${id}: ${kind} got ${statuses[kind]}`);
    }
    const expected = (kind: string, isExpected: boolean) => {
      if (!isExpected) wrong.push(`${id}: ${kind} got ${statuses[kind]}`);
    };
    // To a project's key the instance is no secret; another project is.
    expected("other", statuses["other"] === (isOfInstance ? 403 : 404));
    for (const kind of ["elsewhere", "instance elsewhere"]) expected(kind, statuses[kind] === 403);
    expected("outsider", statuses["outsider"] === (isOfInstance ? 403 : 404));
    for (const who of Object.keys(tokens).filter((name) => name !== "outsider")) {
      const isLetIn =
        ![401, 403, 404].includes(statuses[who]!) ||
        statuses[who] === statuses[isOfInstance ? "instance admin" : "admin"];
      expected(who, personMay(who, { scope: written, isOfInstance }) ? isLetIn : statuses[who] === 403);
    }
    for (const has of KEY_SCOPES) {
      for (const kind of [has, `instance ${has}`]) {
        const isRefused = statuses[kind] === 403;
        const isLetIn = ![401, 403].includes(statuses[kind]!) && statuses[kind]! < 500;
        const mayPass = allowsScope(has, written) && (!isOfInstance || kind !== has);
        expected(kind, mayPass ? isLetIn : isRefused);
      }
    }
  }
  // An address with a typing error is no matter of rights.
  const at = (path: string, method = "GET") => send(app, { method, path, key: keys.read });
  expect([await at(`/v2/agent/${app.project.id}/jbos`), await at(`/v2/project/${app.project.id}/nothing/there`, "HEAD"), await at("/v2/agent/prj_other/jbos")]).toEqual([404, 404, 404]); // oxfmt-ignore
  expect([await at(`/v2/agent/${app.project.id}/job`), await at(`/v2/agent/${app.project.id}/jobs`, "DELETE"), await at("/v2/projects", "PUT")]).toEqual([405, 405, 403]); // oxfmt-ignore
  expect(wrong).toEqual([]);
  expect([...needed.keys()].sort()).toEqual(["admin", "agent", "read", "write"]);
});

it("keys can be created, listed and revoked over HTTP, and a repeated request returns the same key", async () => {
  await using app = await createTestApp("sqlite");
  const at = `/v2/project/${app.project.id}/keys`;
  const call = async (
    method: string,
    path: string,
    body?: object,
    key = app.key,
    more: Record<string, string> = {},
  ) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...more };
    const request = new Request(`http://localhost:4000${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }); // oxfmt-ignore
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    const text = await response.text();
    return { status: response.status, json: (text === "" ? {} : JSON.parse(text)) as Record<string, string> & { keys: { id: string; scope: string }[] } }; // oxfmt-ignore
  };
  const once = { "Idempotency-Key": "k" };
  const made = await call("POST", at, { name: "CI", scope: "agent" }, app.key, once);
  expect(made).toMatchObject({ status: 201, json: { name: "CI", scope: "agent", revokedAt: null } });
  expect((await call("POST", at, { name: "CI", scope: "agent" }, app.key, once)).json).toEqual(made.json);
  const other = await call("POST", at, { name: "CI", scope: "agent", expiresInDays: null });
  expect(other.json).toMatchObject({ expiresAt: null });
  expect(other.json["key"]).not.toBe(made.json["key"]);

  const { key, id } = made.json as unknown as { key: string; id: string };
  expect((await call("POST", `/v2/agent/${app.project.id}/job`, { prompt: "Fix links." }, key)).status).toBe(201);
  expect((await call("POST", at, { name: "More", scope: "admin" }, key)).status).toBe(403);
  expect((await call("GET", at, undefined, key)).status).toBe(403);
  expect((await call("GET", at)).json.keys.map(({ scope }) => scope)).toEqual(["admin", "agent", "agent"]);
  for (const body of [{ name: "", scope: "read" }, { name: "x" }, { name: "x", scope: "root" }, { name: "x", scope: "read", expiresInDays: 8 }, { name: "x", scope: "read", Scope: 1 }]) {
    expect((await call("POST", at, body)).status).toBe(400);
  } // oxfmt-ignore
  expect((await call("DELETE", `${at}/${id}`)).status).toBe(204);
  expect((await call("GET", `/v2/agent/${app.project.id}/jobs`, undefined, key)).status).toBe(401);
  const strange = await createTestKeyOfOther(app);
  expect((await call("DELETE", `${at}/${strange}`)).status).toBe(404);
});

async function createTestKeyOfOther(app: TestApp): Promise<string> {
  const other = await app.makeProject("Other");
  const deps = { database: app.database, clock: { now: () => new Date() }, keysPerHour: 100 };
  return (await createApiKey(deps, { projectId: other.id, name: "other", expiresInDays: 7 })).id;
}

it("a push needs the scope write, of a person who may push, and a sign-in the scope admin", async () => {
  await using app = await createTestApp("sqlite");
  const { read, agent, write, admin } = await keysOf(app);
  const people = await tokensOf(app);
  const writing = await makeToken(app, await makePerson(app, { role: "editor" }), "write");
  const signIn = async (key: string) => {
    const body = new URLSearchParams({ key, to: "/" });
    const request = new Request("http://localhost:4000/sign-in", { method: "POST", body });
    return (await app.app.fetch(request, { peerAddress: "127.0.0.1" })).status;
  };
  expect(await Promise.all([read, agent, write, admin].map(signIn))).toEqual([403, 403, 403, 303]);
  const git = async (service: string, key: string) => {
    const address = `http://localhost:4000/git/${app.project.slug}.git/info/refs?service=${service}`;
    const headers = { Authorization: `Basic ${Buffer.from(`docent:${key}`).toString("base64")}` };
    return app.app.fetch(new Request(address, { headers }), { peerAddress: "127.0.0.1" });
  };
  expect((await git("git-upload-pack", read)).status).toBe(200);
  for (const key of [read, agent, people["editor's agent"]]) {
    const refused = await git("git-receive-pack", key);
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('with the scope "write"')]);
  }
  expect(await (await git("git-receive-pack", people.viewer)).text()).toContain("needs the role editor");
  for (const key of [write, admin, writing]) expect((await git("git-receive-pack", key)).status).toBe(200);
});

it("a refusal names the role of a person, or the scope of the token or key, whichever is too low", async () => {
  await using app = await createTestApp("sqlite");
  const { read } = await keysOf(app);
  const people = await tokensOf(app);
  const refusal = async (key: string) =>
    (await app.call("POST", "/job", { key, body: { prompt: "Fix links." } })).json.error;
  expect(await refusal(people.viewer)).toBe("This needs the role editor in this project; yours is viewer.");
  const reading = await makeToken(app, await makePerson(app, { role: "editor" }), "read");
  expect(await refusal(reading)).toBe('This needs a token with the scope "agent"; this one has "read".');
  expect(await refusal(read)).toBe('This needs a key with the scope "agent"; this one has "read".');
});
