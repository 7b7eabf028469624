import { describe, expect, it } from "vitest";
import { sweep } from "#features/jobs/requests/sweeper.ts";
import { silentLogger } from "#lib/logger.ts";
import { saveSettings } from "#features/projects/projects.ts";
import { createTestApp } from "#testing/test-app.ts";
import { callApi } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";
import { BOTH_ENGINES } from "#testing/databases.ts";

const HOUR_MS = 3_600_000;
const START = new Date("2026-11-20T12:00:00Z");
const BODY = { prompt: "Fix the broken links." };
const headers = { "idempotency-key": "release 42" };

describe("the same Idempotency-Key", () => {
  it("returns the same job for 24 hours, and then creates another one", async () => {
    await using app = await createTestApp("sqlite", { now: START });
    const first = await app.call("POST", "/job", { body: BODY, headers });
    app.time.now = new Date(START.getTime() + 24 * HOUR_MS - 1);
    const again = await app.call("POST", "/job", { body: BODY, headers });
    expect(again).toMatchObject({ status: 201, json: { id: first.json.id } });
    app.time.now = new Date(START.getTime() + 24 * HOUR_MS);
    const later = await app.call("POST", "/job", { body: { prompt: "Something else." }, headers });
    expect(later.status).toBe(201);
    expect(later.json.id).not.toBe(first.json.id);
    const repeated = await app.call("POST", "/job", { body: { prompt: "Something else." }, headers });
    expect(repeated.json.id).toBe(later.json.id);
  });

  it("returns the same job after a sweep within that time", async () => {
    await using app = await createTestApp("sqlite", { now: START });
    const first = await app.call("POST", "/job", { body: BODY, headers });
    app.time.now = new Date(START.getTime() + 23 * HOUR_MS);
    const time = { now: () => Promise.resolve(app.clock.now()) };
    await sweep({ ...app.lifecycle, time, logger: silentLogger, deliveryDays: 30 }, new AbortController().signal);
    expect((await app.call("POST", "/job", { body: BODY, headers })).json.id).toBe(first.json.id);
  });

  it("of a server whose clock was years ahead still identifies its job, and blocks no other request", async () => {
    const ahead = new Date(START.getTime() + 1_100 * 24 * HOUR_MS);
    await using app = await createTestApp("sqlite", { now: ahead });
    const first = await app.call("POST", "/job", { body: BODY, headers });
    app.time.now = START;
    const again = await app.call("POST", "/job", { body: BODY, headers });
    expect(again).toMatchObject({ status: 201, json: { id: first.json.id } });
    const other = await app.call("POST", "/job", { body: { prompt: "Something else." }, headers });
    expect(other.status).toBe(201);
    expect(other.json.id).not.toBe(first.json.id);
    const repeated = await app.call("POST", "/job", { body: { prompt: "Something else." }, headers });
    expect(repeated.json.id).toBe(other.json.id);
    expect((await app.call("POST", "/job", { body: BODY, headers })).status).toBe(422);
  });

  it("returns the current state of the job", async () => {
    await using app = await createTestApp("sqlite");
    const first = await app.call("POST", "/job", { body: BODY, headers });
    await app.carryOut();
    const again = await app.call("POST", "/job", { body: BODY, headers });
    expect(again).toMatchObject({ status: 201, json: { id: first.json.id, status: "completed" } });
  });

  it("is not counted twice, and can be used again after a rate limit error", async () => {
    await using app = await createTestApp("sqlite", { now: START, agentCallsPerHour: 1 });
    const first = await app.call("POST", "/job", { body: BODY, headers });
    expect(first.status).toBe(201);
    expect((await app.call("POST", "/job", { body: BODY, headers })).json.id).toBe(first.json.id);
    const fresh = { "idempotency-key": "release 43" };
    expect((await app.call("POST", "/job", { body: BODY, headers: fresh })).status).toBe(429);
    app.time.now = new Date(START.getTime() + HOUR_MS + 60_000); // a call counts for up to 61 minutes
    expect((await app.call("POST", "/job", { body: { prompt: "Else." }, headers: fresh })).status).toBe(201);
  });

  it("is rejected with 409 if its job was deleted, and creates no second one", async () => {
    await using app = await createTestApp("sqlite");
    const { json } = await app.call("POST", "/job", { body: BODY, headers });
    await app.carryOut();
    await app.call("DELETE", `/job/${json.id}`);
    expect(await app.call("POST", "/job", { body: BODY, headers })).toMatchObject({
      status: 409,
      json: { code: "conflict" },
    });
    expect((await app.call("GET", "/jobs")).json.jobs).toEqual([]);
  });

  it("returns the same job even if its branch was deleted and the project's model changed", async () => {
    await using server = await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n" },
      environment: { DOCENT_JOBS_AT_ONCE: "0" },
    });
    const { instance, baseUrl } = server;
    const { database, repoStore, project } = instance;
    const main = await repoStore.resolve(project.id, "refs/heads/main");
    await repoStore.updateRef(project.id, { ref: "refs/heads/next", to: main, expected: null });
    const create = (body: unknown, key: string) =>
      callApi(baseUrl, instance, { path: "/job", body, headers: { "idempotency-key": key } });
    const onBranch = await create({ ...BODY, ref: "next" }, "a");
    const onDefault = await create(BODY, "b");
    await repoStore.updateRef(project.id, { ref: "refs/heads/next", to: null, expected: main });
    await saveSettings({ database }, project, { model: "openai/gone" });
    expect(await create({ ...BODY, ref: "next" }, "a")).toMatchObject({ status: 201, body: { id: onBranch.body.id } });
    expect(await create(BODY, "b")).toMatchObject({ status: 201, body: { id: onDefault.body.id } });
    expect((await create({ ...BODY, draft: true }, "b")).status).toBe(422);
  });
});

describe("the same Idempotency-Key of a follow-up", () => {
  it.each(BOTH_ENGINES)("adds one message, also concurrently, on %s", async (engine) => {
    await using app = await createTestApp(engine);
    const { json: job } = await app.call("POST", "/job", { body: BODY });
    const say = (body: unknown, key = "again") =>
      app.call("POST", `/job/${job.id}/message`, { body, headers: { "idempotency-key": key } });
    const answers = await Promise.all([1, 2, 3, 4].map(() => say({ prompt: "And the images." })));
    expect(answers.map(({ status, json }) => [status, json.id])).toEqual(Array(4).fill([200, job.id]));
    const replayed = answers.map(({ headers: given }) => given.get("idempotent-replayed"));
    expect(replayed.filter((value) => value === "true")).toHaveLength(3);
    const rows = await app.database.kysely.selectFrom("job_message").select("seq").orderBy("seq").execute();
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2]);
    expect((await say({ prompt: "Something else." })).json.code).toBe("idempotency_mismatch");
    expect((await say({ prompt: "Something else." }, "new")).headers.get("idempotent-replayed")).toBeNull();
  });

  it("is scoped to its job: the same message to another job needs another key", async () => {
    await using app = await createTestApp("sqlite");
    const first = await app.call("POST", "/job", { body: BODY });
    const second = await app.call("POST", "/job", { body: BODY });
    const say = (id: string) => app.call("POST", `/job/${id}/message`, { body: BODY, headers });
    expect((await say(first.json.id)).status).toBe(200);
    expect(await say(second.json.id)).toMatchObject({ status: 422, json: { code: "idempotency_mismatch" } });
    expect(await app.call("POST", "/job", { body: BODY, headers })).toMatchObject({ status: 422 });
  });

  it("can be used again after the message was rejected", async () => {
    await using app = await createTestApp("sqlite", { now: START });
    const { json: job } = await app.call("POST", "/job", { body: BODY });
    await app.carryOut();
    await app.call("POST", `/job/${job.id}/archive`);
    const say = () => app.call("POST", `/job/${job.id}/message`, { body: BODY, headers });
    expect((await say()).status).toBe(409);
    await app.call("POST", `/job/${job.id}/unarchive`);
    const said = await say();
    expect([said.status, said.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });
});

describe("the same Idempotency-Key of a run of an automation", () => {
  it.each(BOTH_ENGINES)("runs it once, also concurrently, on %s", async (engine) => {
    await using app = await createTestApp(engine);
    const body = { name: "Links", prompt: "Fix the broken links.", trigger: { kind: "api" } };
    const { json: automation } = await app.call("POST", "/automations", { body });
    const run = () => app.call("POST", `/automation/${automation.id}/run`, { headers });
    const answers = await Promise.all([run(), run(), run()]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    const replayed = answers.map(({ headers: given }) => given.get("idempotent-replayed"));
    expect(replayed.filter((value) => value === "true")).toHaveLength(2);
    const { json } = await app.call("GET", `/automations/${automation.id}/runs`);
    expect(json.runs.map(({ number }) => number)).toEqual([1]);
  });
});

it("a repeated response is marked", async () => {
  await using app = await createTestApp("sqlite");
  const first = await app.call("POST", "/job", { body: BODY, headers });
  const again = await app.call("POST", "/job", { body: BODY, headers });
  expect([first, again].map((answer) => answer.headers.get("idempotent-replayed"))).toEqual([null, "true"]);
});
