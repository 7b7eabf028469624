import { describe, expect, test } from "vitest";
import { listApiKeys } from "#features/keys/api-keys.ts";
import { claimJob } from "#features/jobs/queue/queue.ts";
import { addSpending, readBudgetLeft } from "#features/jobs/queue/spending.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import type { Project } from "#features/projects/project.ts";
import { makePerson } from "#testing/people.ts";
import { insertTestSource } from "#testing/sources.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { belongings } from "#test/support/belongings.ts";

// `test/gate/two-projects.test.ts` is the same from outside, of a whole server and on both engines; this is each call by itself.

const HOOK = "http://127.0.0.1:9/in";
/** What a webhook is told of: three turns have ended, one job was archived. */
const EVENTS = 4;
const INVITATION = { email: "grace@example.com", role: "editor" };
const KEY = { name: "CI", scope: "read" };
const AUTOMATION = { name: "Links", prompt: "Check the links.", trigger: { kind: "api" } };

/** The part of an address that stands behind `/v2/agent/{projectId}`; `project:` begins one behind `/v2/project/{projectId}`. */
const addressIn = ({ id }: Pick<Project, "id">, at: string) => at.replace(/^project:/, `/../../project/${id}`);

type Tenant = Awaited<ReturnType<typeof settle>>;

/** A project with something of everything: a job in each state, a webhook with a delivery, an automation with a run, a member … */
async function settle(app: TestApp, project: Project) {
  const key = await app.makeKey(project);
  const call = async (method: string, at: string, body?: unknown) => {
    const headers = { "x-request-id": "req_same_for_all" };
    return app.call(method, addressIn(project, at), {
      key,
      project: project.id,
      headers,
      ...(body !== undefined && { body }),
    });
  };
  const make = async (at: string, body?: unknown, method = "POST") => {
    const { status, text, json } = await call(method, at, body);
    expect([status < 300, text]).toEqual([true, text]);
    return json.id;
  };
  const webhook = await make("/webhooks", { url: HOOK });
  const jobs = [];
  for (const prompt of ["Be completed.", "Be archived."]) {
    jobs.push(await make("/job", { prompt }));
    await app.carryOut();
  }
  await make(`/job/${jobs[1]}/archive`);
  const automation = await make("/automations", AUTOMATION);
  await make(`/automation/${automation}/run`);
  await app.carryOut();
  const { id: source } = await insertTestSource(app, { projectId: project.id, name: "api", files: { "a.ts": "a\n" } });
  const invitation = await make("project:/invitations", INVITATION, "PUT");
  const apiKey = await make("project:/keys", KEY);
  const { id: member } = await makePerson(app, { role: "editor", project });
  const [delivery] = (await call("GET", `/webhooks/${webhook}/deliveries`)).json.deliveries;
  const made = { webhook, jobs, automation, source: String(source), invitation, apiKey, member: String(member) };
  return { project, key, call, make, ...made, delivery: delivery!.id };
}

async function openTwo() {
  const app = await createTestApp("sqlite");
  const mine = await settle(app, app.project);
  const theirs = await settle(app, await app.makeProject("Other docs"));
  for (const { jobs, make } of [mine, theirs]) jobs.push(await make("/job", { prompt: "Stay active." }));
  return { app, mine, theirs, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

type Call = readonly [method: string, at: string, body?: unknown];

/** Every call that names something; `hook`: the webhook that a delivery is asked of. */
function callsOn(
  {
    jobs,
    webhook,
    automation,
    source,
    invitation,
    apiKey,
    member,
    delivery,
  }: Omit<Tenant, "call" | "key" | "make" | "project">,
  hook = webhook,
) {
  const ofJobs = jobs.flatMap((id): Call[] => [
    ["GET", `/job/${id}`],
    ["GET", `/job/${id}/events`],
    ["GET", `/job/${id}/stream`],
    ["GET", `/job/${id}/diff`],
    ["POST", `/job/${id}/message`, { prompt: "More." }],
    ["POST", `/job/${id}/cancel`],
    ["POST", `/job/${id}/archive`],
    ["POST", `/job/${id}/unarchive`],
    ["DELETE", `/job/${id}`],
  ]);
  const others: Call[] = [
    ["GET", `/webhooks/${webhook}`],
    ["PATCH", `/webhooks/${webhook}`, { enabled: false }],
    ["POST", `/webhooks/${webhook}/rotate`],
    ["GET", `/webhooks/${webhook}/deliveries`],
    ["POST", `/webhooks/${hook}/deliveries/${delivery}/redeliver`],
    ["DELETE", `/webhooks/${webhook}`],
    ["GET", `/automations/${automation}`],
    ["PATCH", `/automations/${automation}`, { enabled: false }],
    ["GET", `/automations/${automation}/runs`],
    ["POST", `/automation/${automation}/run`],
    ["DELETE", `/automations/${automation}`],
    ["GET", `project:/sources/${source}`],
    ["POST", `project:/sources/${source}/token`, { token: "another" }],
    ["DELETE", `project:/sources/${source}`],
    ["DELETE", `project:/invitations/${invitation}`],
    ["DELETE", `project:/keys/${apiKey}`],
    ["DELETE", `project:/members/${member}`],
  ];
  return [...ofJobs, ...others];
}

const idsOf = ({ jobs, webhook, automation, source, invitation, apiKey, member, delivery }: Tenant) =>
  [...jobs, webhook, automation, source, invitation, apiKey, member, delivery]; // oxfmt-ignore

const NOTHING = {
  jobs: ["job_x", "job_x", "job_x"],
  webhook: "whk_x",
  automation: "aut_x",
  source: "src_x",
  invitation: "inv_x",
  apiKey: "key_x",
  member: "usr_x",
  delivery: "dlv_x",
};

describe("a project's key", () => {
  test("reads and changes nothing of another project, and does not learn that it exists", async () => {
    await using two = await openTwo();
    const { app, mine, theirs } = two;
    const before = await belongings(app.database, theirs.project.id);
    const absent = callsOn(NOTHING, mine.webhook);
    for (const [index, [method, at, body]] of callsOn(theirs, mine.webhook).entries()) {
      const [, missing = ""] = absent[index] ?? [];
      const { status, text } = await mine.call(method, at, body);
      expect([method, at, status]).toEqual([method, at, 404]);
      expect(text).toBe((await mine.call(method, missing, body)).text);
    }
    expect(await belongings(app.database, theirs.project.id)).toEqual(before);
  });

  test("opens no URL of another project", async () => {
    await using two = await openTwo();
    const { app, mine, theirs } = two;
    const before = await belongings(app.database, theirs.project.id);
    const key = await app.makeKey(mine.project);
    const lists: Call[] = [
      ["GET", "/jobs"],
      ["GET", "/webhooks"],
      ["GET", "/automations"],
      ["GET", "project:/sources"],
      ["GET", "project:/pin"],
      ["PUT", "project:/pin", { commit: "0".repeat(40) }],
      ["DELETE", "project:/pin"],
      ["GET", "project:/members"],
      ["PUT", "project:/members", INVITATION],
      ["GET", "project:/invitations"],
      ["PUT", "project:/invitations", INVITATION],
      ["GET", "project:/keys"],
      ["POST", "project:/keys", KEY],
      ["GET", "project:/audit"],
      ["GET", "project:/analytics-snippet"],
      ["POST", "project:/sources", { name: "cli", url: "https://github.com/acme/cli" }],
      ["POST", "project:/site-links", {}],
      ["DELETE", "project:/site-sessions"],
      ["POST", "project:/erasures", { address: "192.0.2.1" }],
      ["POST", "/job", { prompt: "Be somebody else's." }],
      ["POST", "/webhooks", { url: HOOK }],
      ["POST", "/automations", AUTOMATION],
    ];
    for (const [method, at, body] of [...lists, ...callsOn(theirs)]) {
      const { status } = await app.call(method, addressIn(theirs.project, at), {
        key,
        project: theirs.project.id,
        ...(body !== undefined && { body }),
      });
      expect([method, at, status]).toEqual([method, at, 404]);
    }
    expect(await belongings(app.database, theirs.project.id)).toEqual(before);
  });

  test("lists only resources of its own project", async () => {
    await using two = await openTwo();
    for (const [own, other] of [
      [two.mine, two.theirs],
      [two.theirs, two.mine],
    ] as const) {
      const ofProject = ["sources", "invitations", "keys", "members"].map((name) => `project:/${name}`);
      const lists = ["/jobs", "/webhooks", "/automations", ...ofProject, `/webhooks/${own.webhook}/deliveries`];
      const text = (await Promise.all(lists.map(async (at) => (await own.call("GET", at)).text))).join("\n");
      for (const id of idsOf(own)) expect(text).toContain(id);
      for (const id of idsOf(other)) expect(text).not.toContain(id);
      expect((await own.call("GET", `/webhooks/${own.webhook}/deliveries`)).json.deliveries).toHaveLength(EVENTS);
      const keysOf = async ({ project }: Tenant) => (await listApiKeys(two.app, project.id)).map(({ id }) => id);
      const others = await keysOf(other);
      expect((await keysOf(own)).filter((id) => others.includes(id))).toEqual([]);
    }
  });
});

test("the used-up limit of a project does not affect another", async () => {
  await using two = await openTwo();
  const { mine, theirs } = two;
  for (let count = 1; count < 20; count++) await theirs.make("/webhooks", { url: HOOK });
  for (let count = 1; count < 50; count++) await theirs.make("/automations", AUTOMATION);
  expect((await theirs.call("POST", "/webhooks", { url: HOOK })).status).toBe(409);
  expect((await theirs.call("POST", "/automations", AUTOMATION)).status).toBe(409);
  await mine.make("/webhooks", { url: HOOK });
  await mine.make("/automations", AUTOMATION);
});

test("the daily spending of a project does not affect another", async () => {
  await using two = await openTwo();
  const { database, clock } = two.app;
  const claim = (owner: string) => claimJob({ database, clock }, { owner, leaseMs: 60_000 });
  const claims = [await claim("one"), await claim("two")];
  const claimOf = ({ project }: Tenant) => claims.find((one) => one?.job.projectId === project.id)!;
  const usage = { inputTokens: 900, cachedTokens: 0, cacheWriteTokens: 0, outputTokens: 90 };
  const spent = { usage, weightedTokens: 900, costMicroUsd: 9 };
  const at = clock.now().getTime();
  await database.transaction((transaction) => addSpending(transaction, claimOf(two.theirs), { turn: 1, spent, at }));
  const budget = { inputTokens: 1_000, outputTokens: 100, costMicroUsd: 10 };
  const left = (tenant: Tenant) =>
    readBudgetLeft({ database, clock }, claimOf(tenant), { turn: 1, budgets: { turn: budget, day: budget } });
  expect(await left(two.theirs)).toEqual({ inputTokens: 100, outputTokens: 10, costMicroUsd: 1, isDay: true });
  expect(await left(two.mine)).toEqual({ ...budget, isDay: false });
});

test("an Idempotency-Key is scoped to its project", async () => {
  await using two = await openTwo();
  const { app, mine, theirs } = two;
  const send = async ({ project }: Tenant, prompt: string) => {
    const headers = { "idempotency-key": "nightly-run-0001" };
    return app.call("POST", "/job", {
      key: await app.makeKey(project),
      project: project.id,
      headers,
      body: { prompt },
    });
  };
  const first = await send(theirs, "Fix it.");
  expect(first.status).toBe(201);
  const other = await send(mine, "Fix something else.");
  expect([other.status, (await mine.call("GET", `/job/${other.json.id}`)).status]).toEqual([201, 200]);
  expect((await send(theirs, "Fix it.")).json.id).toBe(first.json.id);
});

test("an Idempotency-Key repeats only responses of its own project", async () => {
  await using two = await openTwo();
  const { app, mine, theirs } = two;
  const send = async ({ project, key }: Tenant, views: number) => {
    const sent = Array.from({ length: views }, (_, index) => ({
      event_id: `view-${index}`,
      path: "/",
      address: "192.0.2.1",
      userAgent: "Claude-User",
    }));
    const request = new Request(`http://localhost:4000/v1/analytics/${project.id}/views`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "log-of-november-20",
      },
      body: JSON.stringify({ views: sent }),
    });
    const response = await app.app.fetch(request, { peerAddress: "127.0.0.1" });
    return { status: response.status, text: await response.text() };
  };
  const first = await send(mine, 2);
  expect(first.status).toBe(200);
  const other = await send(theirs, 1);
  expect(other.text).not.toBe(first.text);
  expect(await send(mine, 2)).toEqual(first);
  expect(await send(theirs, 1)).toEqual(other);
});

test("pull requests of two projects have independent numbers, branches and outcomes", async () => {
  await using two = await openTwo();
  const { app, mine, theirs } = two;
  const { codeHost, repoStore } = app;
  const repositories = [hostedRepository(mine.project), hostedRepository(theirs.project)] as const;
  const author = { name: "Ada Writer", email: "ada@example.com" };
  for (const repository of repositories) {
    const { projectId } = repository;
    const main = "refs/heads/main";
    const base = await repoStore.resolve(projectId, main);
    const write = async (text: string, parents: string[]) => {
      const content = Buffer.from(`${repository.slug} ${text}\n`);
      const from = parents[0] ?? "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
      const tree = await repoStore.snapshot(projectId, { base: from, edits: [{ path: "page.md", content }] });
      return repoStore.commit(projectId, { tree, parents, message: `${text}\n`, author, at: new Date(0) });
    };
    const start = base ?? (await write("Start", []));
    if (base === null) await repoStore.updateRef(projectId, { ref: main, to: start, expected: null });
    const head = await write("Change", [start]);
    await repoStore.updateRef(projectId, { ref: "refs/heads/docent/same", to: head, expected: null });
    const wanted = { head: "docent/same", base: "main", title: repository.slug, body: "", draft: false };
    expect(await codeHost.ensurePullRequest(repository, wanted)).toMatchObject({
      outcome: "created",
      pullRequest: { number: 1, title: repository.slug },
    });
  }
  const [own, other] = repositories;
  const read = async (repository: typeof own) => ({
    byNumber: await codeHost.getPullRequest(repository, 1),
    byBranch: await codeHost.findPullRequest(repository, "docent/same"),
    list: await codeHost.listPullRequests(repository, { state: "all", limit: 10, before: null }),
  });
  const before = await read(other);
  expect([before.byNumber?.title, before.byBranch?.title, before.list.map(({ title }) => title)]).toEqual([
    other.slug,
    other.slug,
    [other.slug],
  ]);
  expect((await read(own)).byBranch?.title).toBe(own.slug);
  await codeHost.updatePullRequest(own, 1, { title: "Another title", body: "", draft: false });
  await codeHost.closePullRequest(own, 1);
  expect((await read(own)).byNumber).toMatchObject({ state: "closed", title: "Another title" });
  expect(await read(other)).toEqual(before);
});
