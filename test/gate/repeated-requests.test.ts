import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { giteaApi } from "#hosts/gitea/gitea-api.ts";
import { connectionRow } from "#hosts/remote/connections.ts";
import { Secret } from "#lib/secrets/secret.ts";
import type { Engine } from "#db/database.ts";
import { ENGINES } from "#testing/databases.ts";
import { startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { startSourceHost } from "#testing/hosts/source-host.ts";
import { setSiteAccess } from "#features/projects/site-access.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { belongings } from "#test/support/belongings.ts";
import { type InterfaceDocument, readInterface } from "#test/support/contract/described-interface.ts";

interface Call {
  path: string;
  body?: object;
}

/** How a POST is made ready: the call, another one that the same key must not pass for, and the table it writes. */
interface Recipe {
  call: Call;
  other: Call;
  writes:
    | "job"
    | "job_message"
    | "api_key"
    | "webhook_endpoint"
    | "webhook_delivery"
    | "automation"
    | "project"
    | "site_update"
    | "source"
    | "idempotency_key";
}

const JOB = { prompt: "Fix the broken links." };
const AUTOMATION = { name: "Links", prompt: "Fix the broken links.", trigger: { kind: "api" } };
const HOOK = { url: "http://127.0.0.1:9/in" };
const VIEW = { event_id: "1", path: "/", address: "192.0.2.1", userAgent: "Mozilla/5.0 Firefox/140.0" };

const makeJob = async (app: TestApp) =>
  `/v2/agent/{projectId}/job/${(await app.call("POST", "/job", { body: JOB })).json.id}`;
/** Jobs that other tests left would be carried out before the next one. */
const emptyQueue = async (app: TestApp) => {
  const active = app.database.kysely.selectFrom("job").select("id").where("status", "=", "active");
  while (await active.executeTakeFirst()) await app.carryOut({ fail: "internal" });
};
const endedJob = async (app: TestApp) => {
  await emptyQueue(app);
  const job = await makeJob(app);
  await app.carryOut({ fail: "internal" });
  return job;
};
let changes = 0;
const jobWithChanges = async (app: TestApp) => {
  await emptyQueue(app);
  const job = await makeJob(app);
  await app.carryOut({ files: { [`page-${(changes += 1)}.md`]: "# Page\n" } });
  return job;
};
const makeHook = async (app: TestApp) =>
  `/v2/agent/{projectId}/webhooks/${(await app.call("POST", "/webhooks", { body: HOOK })).json.id}`;
const makeAutomation = async (app: TestApp) => (await app.call("POST", "/automations", { body: AUTOMATION })).json.id;
let names = 0;
/** Of what a project, or the server, has once. */
const newName = () => `name-${(names += 1)}`;
const ofTwo = async (make: () => Promise<string>, end: string) => ({
  call: { path: (await make()) + end },
  other: { path: (await make()) + end },
});

const hosts = new AsyncDisposableStack();
afterAll(() => hosts.disposeAsync());
let source: ReturnType<typeof startSourceHost> | undefined;
/** A repository to read, which any number of sources may name. */
async function sourceHost(): ReturnType<typeof startSourceHost> {
  const isNew = source === undefined;
  source ??= startSourceHost({ "a.ts": "a\n" });
  const host = await source;
  return isNew ? hosts.use(host) : host;
}
/** Puts the project's repository on a host elsewhere, and answers with a token that is good there. */
async function connect(app: TestApp): Promise<string> {
  if (await app.database.kysely.selectFrom("connection").select("project_id").executeTakeFirst()) return HOST_TOKEN;
  const host = hosts.use(await startGiteaServer({ "index.md": "# Elsewhere\n" }));
  const { kysely } = app.database;
  const place = { projectId: app.project.id, url: host.url, apiUrl: giteaApi.apiUrl(host.origin), remoteId: "4711" };
  const connection = { ...place, credential: { token: new Secret(HOST_TOKEN) } };
  await kysely.updateTable("project").set({ code_host: "gitea", source_url: host.url }).execute();
  await kysely
    .insertInto("connection")
    .values(connectionRow(app, connection, new Secret("webhook-secret")))
    .execute();
  return HOST_TOKEN;
}

/** By the path in the document: a POST that is not here fails the first test. */
const runsAt = async (app: TestApp, place: string): Promise<Recipe> => {
  const make = async () => `/v2/agent/{projectId}/${place}/${await makeAutomation(app)}`;
  return { ...(await ofTwo(make, "/run")), writes: "job" };
};

const RECIPES: Record<string, (app: TestApp, path: string) => Promise<Recipe>> = {
  "/v2/agent/{projectId}/job": async (_app, path) => ({
    call: { path, body: JOB },
    other: { path, body: { ...JOB, draft: true } },
    writes: "job",
  }),
  "/v2/agent/{projectId}/job/{id}/message": async (app) => {
    const path = `${await makeJob(app)}/message`;
    return { call: { path, body: JOB }, other: { path, body: { prompt: "Else." } }, writes: "job_message" };
  },
  "/v2/agent/{projectId}/job/{id}/retry": async (app) => {
    const make = async () => {
      const job = await makeJob(app);
      await send(app, { path: `${job}/cancel` });
      return job;
    };
    return { ...(await ofTwo(make, "/retry")), writes: "job_message" };
  },
  "/v2/agent/{projectId}/job/{id}/cancel": async (app) => {
    const path = `${await makeJob(app)}/cancel`;
    return { call: { path }, other: { path, body: { keepWork: true } }, writes: "job" };
  },
  ...Object.fromEntries(
    ["merge", "close"].map((verb) => [
      `/v2/agent/{projectId}/job/{id}/${verb}`,
      async (app: TestApp): Promise<Recipe> => ({
        ...(await ofTwo(() => jobWithChanges(app), `/${verb}`)),
        writes: "idempotency_key",
      }),
    ]),
  ),
  "/v2/agent/{projectId}/job/{id}/archive": async (app) => ({
    ...(await ofTwo(() => endedJob(app), "/archive")),
    writes: "job",
  }),
  "/v2/agent/{projectId}/job/{id}/unarchive": async (app) => {
    const jobs = await ofTwo(() => endedJob(app), "/unarchive");
    await send(app, { path: jobs.call.path.replace("/unarchive", "/archive") });
    return { ...jobs, writes: "job" };
  },
  "/v2/agent/{projectId}/webhooks": async (_app, path) => ({
    call: { path, body: HOOK },
    other: { path, body: { ...HOOK, description: "Chat" } },
    writes: "webhook_endpoint",
  }),
  "/v2/agent/{projectId}/webhooks/{id}/rotate": async (app) => ({
    ...(await ofTwo(() => makeHook(app), "/rotate")),
    writes: "webhook_endpoint",
  }),
  "/v2/agent/{projectId}/webhooks/{id}/test": async (app) => ({
    ...(await ofTwo(() => makeHook(app), "/test")),
    writes: "webhook_delivery",
  }),
  "/v2/agent/{projectId}/webhooks/{id}/deliveries/{deliveryId}/redeliver": async (app) => {
    const hook = await makeHook(app);
    await endedJob(app);
    await endedJob(app);
    const { kysely } = app.database;
    const endpoint = hook.slice(hook.lastIndexOf("/") + 1);
    await kysely.updateTable("webhook_delivery").set({ status: "failed", ended_at: 1 }).execute();
    const deliveries = kysely.selectFrom("webhook_delivery").select("id").where("endpoint_id", "=", endpoint);
    const rows = await deliveries.orderBy("id").execute();
    const [call, other] = rows.map(({ id }) => ({ path: `${hook}/deliveries/${id}/redeliver` }));
    return { call: call!, other: other!, writes: "webhook_delivery" };
  },
  "/v2/agent/{projectId}/automations": async (_app, path) => ({
    call: { path, body: AUTOMATION },
    other: { path, body: { ...AUTOMATION, draft: true } },
    writes: "automation",
  }),
  "/v2/agent/{projectId}/automations/{id}/run": (app) => runsAt(app, "automations"),
  "/v2/agent/{projectId}/automation/{id}/run": (app) => runsAt(app, "automation"),
  "/v1/workflow/{projectId}/{workflowSchemaId}/trigger": async (app) => ({
    ...(await ofTwo(async () => `/v1/workflow/{projectId}/${await makeAutomation(app)}`, "/trigger")),
    writes: "job",
  }),
  "/v2/projects": async (_app, path) => ({
    call: { path, body: { name: newName() } },
    other: { path, body: { name: newName() } },
    writes: "project",
  }),
  "/v2/instance/keys": async (app, path) => {
    await app.instanceKey(); // before the table is broken
    const [call, other] = ["read", "agent"].map((scope) => ({ path, body: { name: "CI", scope } }));
    return { call: call!, other: other!, writes: "api_key" };
  },
  "/v2/project/{projectId}/connection/token": async (app, path) => ({
    call: { path, body: { token: await connect(app) } },
    other: { path, body: { token: "another" } },
    writes: "idempotency_key",
  }),
  "/v2/project/{projectId}/connection/sync": async (app, path) => {
    await connect(app);
    // It has no body: another request is another address.
    return { call: { path }, other: { path: "/v1/project/update/{projectId}" }, writes: "idempotency_key" };
  },
  "/v2/project/{projectId}/sources": async (_app, path) => {
    const { server, token } = await sourceHost();
    const body = { name: newName(), url: server.url, token, host: "github" };
    return { call: { path, body }, other: { path, body: { ...body, name: newName() } }, writes: "source" };
  },
  "/v2/project/{projectId}/sources/{id}/token": async (app, path) => {
    const { server, token } = await sourceHost();
    const body = { name: newName(), url: server.url, token, host: "github" };
    const { json } = await send(app, { path: "/v2/project/{projectId}/sources", body });
    const at = path.replace("{id}", (json as { id: string }).id);
    return { call: { path: at, body: { token } }, other: { path: at, body: { token: "another" } }, writes: "source" };
  },
  "/v2/project/{projectId}/site-links": async (app, path) => {
    await setSiteAccess(app, app.project.id, { mode: "links" });
    return { call: { path, body: {} }, other: { path, body: { path: "/guide" } }, writes: "idempotency_key" };
  },
  "/v2/project/{projectId}/erasures": async (_app, path) => ({
    call: { path, body: { address: "192.0.2.1" } },
    other: { path, body: { address: "192.0.2.2" } },
    writes: "idempotency_key",
  }),
  "/v2/project/{projectId}/keys": async (_app, path) => ({
    call: { path, body: { name: "CI", scope: "read" } },
    other: { path, body: { name: "CI", scope: "agent" } },
    writes: "api_key",
  }),
  "/v2/project/{projectId}/pin": async (app, path) => {
    const commit = await app.pushCommit("main", { "pinned.md": `${newName()}\n` });
    const short = commit.slice(0, 9);
    return { call: { path, body: { commit } }, other: { path, body: { commit: short } }, writes: "project" };
  },
  "/v1/project/update/{projectId}": async (_app, path) => ({
    call: { path },
    // It has no body: another request is another address.
    other: { path: path.replace("update", "preview"), body: { branch: "main" } },
    writes: "site_update",
  }),
  "/v2/project/{projectId}/api-addresses/read": async (_app, path) => ({
    call: { path },
    // It has no body: another request is another address.
    other: { path: "/v1/project/update/{projectId}" },
    writes: "idempotency_key",
  }),
  "/v1/project/preview/{projectId}": async (app, path) => {
    const to = await app.repoStore.resolve(app.project.id, "refs/heads/main");
    const draft = newName();
    await app.repoStore.updateRef(app.project.id, { ref: `refs/heads/${draft}`, to, expected: null });
    const [call, other] = ["main", draft].map((branch) => ({ path, body: { branch } }));
    return { call: call!, other: other!, writes: "site_update" };
  },
  "/v1/analytics/{projectId}/views": async (_app, path) => ({
    call: { path, body: { views: [VIEW] } },
    other: { path, body: { views: [VIEW, { ...VIEW, event_id: "2" }] } },
    writes: "idempotency_key",
  }),
};

async function send(app: TestApp, { path, body }: Call, key?: string) {
  const request = new Request(`http://localhost:4000${path.replace("{projectId}", app.project.id)}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${/^\/v2\/(?:projects|instance)/.test(path) ? await app.instanceKey() : app.key}`,
      ...(body && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
  const json = (await response.json()) as { code?: string };
  return { status: response.status, json, isReplay: response.headers.get("idempotent-replayed") === "true" };
}

/** The store refuses to write a table from now on, until the answer is called. */
async function breakWrites(app: TestApp, table: string): Promise<() => Promise<void>> {
  for (const on of ["insert", "update"]) {
    const name = `broken_${on}`;
    await sql
      .raw(`create trigger ${name} before ${on} on ${table} begin select raise(abort, 'broken'); end`)
      .execute(app.database.kysely);
  }
  return async () => {
    for (const on of ["insert", "update"]) await sql.raw(`drop trigger broken_${on}`).execute(app.database.kysely);
  };
}

it("every documented POST accepts an Idempotency-Key and declares it", async () => {
  await using app = await createTestApp("sqlite");
  const document = (await (await app.openPath("/openapi.json")).json()) as InterfaceDocument;
  const posts = readInterface(document).operations.filter(
    ({ method, path, scope }) => method === "POST" && scope !== "read" && !path.endsWith("/chores/try"),
  ); // what changes nothing may be sent as often as one likes
  expect(posts.map(({ path }) => path).sort()).toEqual(Object.keys(RECIPES).sort());
  for (const { path, parameters, responses } of posts) {
    const headers = parameters.filter((parameter) => parameter.in === "header").map(({ name }) => name);
    const conditions = path.endsWith("/pin") ? ["If-Match"] : [];
    expect([path, headers]).toEqual([path, ["Idempotency-Key", ...conditions]]);
    expect([path, Object.keys(responses)]).toEqual([path, expect.arrayContaining(["400", "409", "422"])]);
  }
});

/** These change what the tests of other paths find: they have an app apart. */
const APART: Record<string, string> = {
  "/v2/project/{projectId}/connection/token": "connected",
  "/v2/project/{projectId}/connection/sync": "connected",
  "/v2/project/{projectId}/pin": "pinned",
};
const shared = new Map<string, Promise<TestApp>>();
afterAll(async () => {
  for (const app of shared.values()) await (await app)[Symbol.asyncDispose]();
});
/** The app of a test of a path, which tests share as long as they do not disturb each other. */
async function appFor(path: string, engine: Engine): Promise<{ app: TestApp } & AsyncDisposable> {
  if (LONG_TESTS) {
    const app = await createTestApp(engine);
    return { app, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
  }
  const name = `${engine} ${APART[path] ?? ""}`;
  const made = shared.get(name) ?? createTestApp(engine);
  shared.set(name, made);
  return { app: await made, [Symbol.asyncDispose]: async () => undefined };
}

describe.each(Object.entries(RECIPES))("POST %s with an Idempotency-Key", (path, prepare) => {
  it("returns the same response again without repeating the work, and rejects another request", async () => {
    await using at = await appFor(path, "sqlite");
    const { app } = at;
    const key = newName();
    const { call, other } = await prepare(app, path);
    const first = await send(app, call, key);
    expect([200, 201, 202]).toContain(first.status);
    expect(first.isReplay).toBe(false);
    await app.deployments.updates.settled(); // what goes on behind the answer
    const before = await belongings(app.database, app.project.id);
    expect(await send(app, call, key)).toEqual({ ...first, isReplay: true });
    expect(await send(app, other, key)).toMatchObject({ status: 422, json: { code: "idempotency_mismatch" } });
    expect(await belongings(app.database, app.project.id)).toEqual(before);
    expect((await send(app, call, "k\u00e9")).status).toBe(400);
  });

  it.each(ENGINES)("is carried out once, also concurrently, on %s", async (engine) => {
    await using at = await appFor(path, engine);
    const key = newName();
    const { call } = await prepare(at.app, path);
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(at.app, call, key)));
    expect(answers.map(({ json }) => json)).toEqual(Array(4).fill(answers[0]!.json));
    expect(answers.filter(({ isReplay }) => isReplay)).toHaveLength(3);
  });

  it("can be retried after a failure", async () => {
    await using at = await appFor(path, "sqlite");
    const { app } = at;
    const key = newName();
    const { call, writes } = await prepare(app, path);
    const mend = await breakWrites(app, writes);
    const failed = await send(app, call, key);
    await mend();
    expect(failed.status).toBe(500);
    const again = await send(app, call, key);
    expect([[200, 201, 202].includes(again.status), again.isReplay]).toEqual([true, false]);
    expect(await send(app, call, key)).toEqual({ ...again, isReplay: true });
  });
});

it("views that could not be written can be retried with their key", async () => {
  await using app = await createTestApp("sqlite");
  const recipe = RECIPES["/v1/analytics/{projectId}/views"]!;
  const { call } = await recipe(app, "/v1/analytics/{projectId}/views");
  const { append } = app.analytics.journal;
  app.analytics.journal.append = async () => false;
  expect((await send(app, call, "k")).status).toBe(503);
  app.analytics.journal.append = append;
  expect(await send(app, call, "k")).toMatchObject({ status: 200, json: { accepted: 1 } });
});
