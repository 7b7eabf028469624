import { describe, expect, test } from "vitest";
import { noticePushes, runDueAutomations, startAutomations } from "./automation-triggers.ts";
import { AppError } from "#lib/app-error.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { ENGINES } from "#testing/databases.ts";

const daily = { kind: "schedule", cron: "0 6 * * *", timeZone: "Europe/Berlin" };

async function create(app: TestApp, more: object = {}): Promise<string> {
  const body = { name: "Weekly check", prompt: "Check the links.", trigger: { kind: "api" }, ...more };
  const { status, json } = await app.call("POST", "/automations", { body });
  expect(json).toMatchObject({ id: expect.stringMatching(/^aut_/) as unknown });
  expect(status).toBe(201);
  return json.id;
}

const jobsOf = async (app: TestApp) => (await app.call("GET", "/jobs")).json.jobs;
const run = (app: TestApp, id: string) => app.call("POST", `/automation/${id}/run`);
const runsOf = async (app: TestApp, id: string) => (await app.call("GET", `/automations/${id}/runs`)).json.runs;

describe.concurrent.each(ENGINES)("automations on %s", (engine) => {
  test("are created, listed, changed and deleted", async () => {
    await using app = await createTestApp(engine, { now: new Date("2025-11-20T12:00:00Z") });
    const id = await create(app, { trigger: daily, draft: true, effort: "high" });
    const made = await app.call("GET", `/automations/${id}`);
    expect(made.json).toEqual({
      id,
      name: "Weekly check",
      prompt: "Check the links.",
      trigger: daily,
      ref: null,
      model: null,
      effort: "high",
      draft: true,
      enabled: true,
      runs: 0,
      nextRunAt: "2025-11-21T05:00:00.000Z",
      createdAt: "2025-11-20T12:00:00.000Z",
      updatedAt: "2025-11-20T12:00:00.000Z",
    });
    expect((await app.call("GET", "/automations")).json).toEqual({ automations: [made.json], nextCursor: null });
    const off = await app.call("PATCH", `/automations/${id}`, { body: { enabled: false } });
    expect(off.json).toMatchObject({ enabled: false, nextRunAt: null });
    const on = await app.call("PATCH", `/automations/${id}`, {
      body: { enabled: true, trigger: { kind: "schedule", cron: "30 0 * * *" } },
    });
    expect(on.json).toMatchObject({
      trigger: { kind: "schedule", cron: "30 0 * * *", timeZone: "UTC" },
      nextRunAt: "2025-11-21T00:30:00.000Z",
    });
    const other = await app.makeProject("Other docs");
    const stranger = { key: await app.makeKey(other), project: other.id };
    expect((await app.call("GET", `/automations/${id}`, stranger)).status).toBe(404);
    expect((await app.call("POST", `/automation/${id}/run`, stranger)).status).toBe(404);
    expect((await app.call("DELETE", `/automations/${id}`)).status).toBe(204);
    expect((await app.call("DELETE", `/automations/${id}`)).status).toBe(404);
  });

  test("invalid input is refused", async () => {
    await using app = await createTestApp(engine);
    const good = { name: "A", prompt: "B", trigger: { kind: "api" } };
    const wrong = [
      {},
      { ...good, name: "" },
      { ...good, prompt: " " },
      { ...good, trigger: undefined },
      { ...good, trigger: { kind: "moon" } },
      { ...good, trigger: { kind: "schedule" } },
      { ...good, trigger: { kind: "schedule", cron: "nonsense" } },
      { ...good, trigger: { kind: "schedule", cron: "0 0 30 2 *" } },
      { ...good, trigger: { ...daily, timeZone: "Mars/Base" } },
      { ...good, trigger: { kind: "push", branch: "docent/loop" } },
      { ...good, trigger: { kind: "push", branch: "docent-fix-the-links-4t14ffsj" } },
      { ...good, trigger: { kind: "push", branch: "docent-job-4t14ffsj-2-unpublished-3" } },
      { ...good, trigger: { kind: "api", cron: "* * * * *" } },
      { ...good, effort: "max" },
      { ...good, surprise: 1 },
    ];
    for (const body of wrong) {
      const { status, json } = await app.call("POST", "/automations", { body });
      expect({ body, status, code: json.code }).toEqual({ body, status: 400, code: "invalid" });
    }
  });

  test("a model that may not be used is refused", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app);
    const changed = await app.call("PATCH", `/automations/${id}`, { body: { model: "openai/gpt-9" } });
    expect(changed).toMatchObject({ status: 400, json: { code: "invalid" } });
  });

  test("runs add to the open pull request; a run after its merge creates a new job", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app, { name: "Links" });
    const first = await run(app, id);
    expect(first.status).toBe(200);
    expect(first.json).toMatchObject({ status: "active", title: "Links" });
    expect(first.headers.get("ratelimit-remaining")).toBe("999");
    await app.carryOut({ files: { "one.md": "# One\n" } });
    const second = await run(app, id);
    expect(second.json.id).toBe(first.json.id);
    await app.carryOut({ files: { "two.md": "# Two\n" } });
    await app.call("POST", `/job/${first.json.id}/archive`);
    const third = await run(app, id);
    expect(third.json).toMatchObject({ id: first.json.id, status: "active", archivedAt: null });
    await app.carryOut();
    expect(await app.codeHost.listPullRequests(app.repository, { state: "all", limit: 10, before: null })).toHaveLength(
      1,
    );
    expect((await app.codeHost.mergePullRequest(app.repository, 1, { expectedHead: null })).ok).toBe(true);
    const fourth = await run(app, id);
    expect(fourth.json.id).not.toBe(first.json.id);
    expect((await runsOf(app, id)).map((one) => [one.number, one.jobId, one.messageSeq])).toEqual([
      [4, fourth.json.id, 1],
      [3, first.json.id, 3],
      [2, first.json.id, 2],
      [1, first.json.id, 1],
    ]);
  });

  test("a run sets the effort of its job, and a changed effort applies to the next run", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app, { effort: "low" });
    expect((await run(app, id)).json).toMatchObject({ effort: "low" });
    await app.call("PATCH", `/automations/${id}`, { body: { effort: "high" } });
    expect((await run(app, id)).json).toMatchObject({ effort: "high" });
  });

  test("at most one run waits behind the active one", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app);
    await run(app, id);
    expect((await run(app, id)).status).toBe(200);
    expect((await run(app, id)).status).toBe(409);
    expect(await jobsOf(app)).toHaveLength(1);
  });

  test("concurrent runs create one job", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app);
    const answers = await Promise.all([run(app, id), run(app, id), run(app, id), run(app, id)]);
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 200, 409, 409]);
    expect(await jobsOf(app)).toHaveLength(1);
    expect((await runsOf(app, id)).length).toBe(2);
  });

  test("only one of several processes runs a slot, and several missed slots are run once", async () => {
    await using app = await createTestApp(engine, { now: new Date("2025-11-20T12:00:00Z") });
    const id = await create(app, { trigger: daily });
    expect(await runDueAutomations(app.automations)).toBe(0);
    app.time.now = new Date("2025-11-21T05:00:00Z");
    const started = await Promise.all([1, 2, 3, 4].map(() => runDueAutomations(app.automations)));
    expect(started.reduce((sum, count) => sum + count)).toBe(1);
    expect((await app.call("GET", `/automations/${id}`)).json).toMatchObject({
      runs: 1,
      nextRunAt: "2025-11-22T05:00:00.000Z",
    });
    await app.carryOut();
    app.time.now = new Date("2025-11-29T09:00:00Z"); // eight slots later
    expect(await runDueAutomations(app.automations)).toBe(1);
    expect(await runDueAutomations(app.automations)).toBe(0);
    expect((await app.call("GET", `/automations/${id}`)).json).toMatchObject({
      runs: 2,
      nextRunAt: "2025-11-30T05:00:00.000Z",
    });
    expect(await runsOf(app, id)).toMatchObject([
      { number: 2, startedBy: "schedule", startedAt: "2025-11-29T09:00:00.000Z" },
      { number: 1 },
    ]);
  });

  test("a scheduled run behind a waiting one is skipped with a note", async () => {
    await using app = await createTestApp(engine, { now: new Date("2025-11-20T12:00:00Z") });
    const id = await create(app, { trigger: { kind: "schedule", cron: "0 * * * *" } });
    for (const hour of ["13", "14", "15"]) {
      app.time.now = new Date(`2025-11-20T${hour}:00:00Z`);
      await runDueAutomations(app.automations);
    }
    expect(await runsOf(app, id)).toMatchObject([
      { number: 3, jobId: null, note: expect.stringContaining("still waiting") as unknown },
      { number: 2, messageSeq: 2 },
      { number: 1, messageSeq: 1 },
    ]);
  });

  test("the rate limit refuses a request to run and postpones a slot", async () => {
    await using app = await createTestApp(engine, { agentCallsPerHour: 1, now: new Date("2025-11-20T12:30:00Z") });
    const id = await create(app, { trigger: { kind: "schedule", cron: "45 12 * * *" } });
    await app.call("POST", "/job", { body: { prompt: "Use it up." } });
    expect((await run(app, id)).status).toBe(429);
    app.time.now = new Date("2025-11-20T12:45:00Z");
    expect(await runDueAutomations(app.automations)).toBe(0);
    expect((await app.call("GET", `/automations/${id}`)).json).toMatchObject({
      runs: 0,
      nextRunAt: "2025-11-20T13:31:00.000Z",
    });
    app.time.now = new Date("2025-11-20T13:31:00Z");
    expect(await runDueAutomations(app.automations)).toBe(1);
    expect((await app.call("GET", `/automations/${id}`)).json.nextRunAt).toBe("2025-11-21T12:45:00.000Z");
  });

  test("a run whose model may no longer be used is recorded with the reason, and the next slot stays scheduled", async () => {
    await using app = await createTestApp(engine, { now: new Date("2025-11-20T12:00:00Z") });
    const id = await create(app, { trigger: daily });
    app.time.now = new Date("2025-11-21T06:00:00Z");
    const chooseModel = () => {
      throw new AppError("invalid", "The model acme/one is not allowed.");
    };
    expect(await runDueAutomations({ ...app.automations, chooseModel })).toBe(0);
    expect(await runsOf(app, id)).toMatchObject([
      { number: 1, jobId: null, note: "The model acme/one is not allowed." },
    ]);
    expect((await app.call("GET", `/automations/${id}`)).json.nextRunAt).toBe("2025-11-22T05:00:00.000Z");
  });

  test("a run is postponed by a minute when the code host does not answer", async () => {
    await using app = await createTestApp(engine, { now: new Date("2025-11-20T12:00:00Z") });
    const id = await create(app, { trigger: daily });
    await run(app, id);
    await app.carryOut({ files: { "one.md": "# One\n" } });
    app.time.now = new Date("2025-11-21T05:00:00Z");
    const codeHost = {
      getPullRequest: async () => {
        throw new AppError("unavailable", "The code host does not answer.");
      },
    };
    expect(await runDueAutomations({ ...app.automations, codeHost })).toBe(0);
    expect((await app.call("GET", `/automations/${id}`)).json).toMatchObject({
      runs: 1,
      nextRunAt: "2025-11-21T05:01:00.000Z",
    });
    app.time.now = new Date("2025-11-21T05:01:00Z");
    expect(await runDueAutomations(app.automations)).toBe(1);
  });

  test("a push triggers its automations; commits by automations trigger nothing", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app, { trigger: { kind: "push" } });
    expect((await app.call("GET", `/automations/${id}`)).json.trigger).toEqual({ kind: "push", branch: "main" });
    const step = async () => {
      await Promise.all([noticePushes(app.automations), noticePushes(app.automations)]);
      return runDueAutomations(app.automations);
    };
    expect(await step()).toBe(0); // existing commits trigger nothing
    await app.pushCommit("main", { "one.md": "# One\n" });
    await app.pushCommit("main", { "two.md": "# Two\n" });
    expect(await step()).toBe(1);
    expect(await step()).toBe(0);
    const jobId = await app.carryOut({ files: { "links.md": "# Links\n" } });
    expect(await step()).toBe(0); // its own branch
    expect((await app.codeHost.mergePullRequest(app.repository, 1, { expectedHead: null })).ok).toBe(true);
    expect(await step()).toBe(0); // its own merge
    expect((await app.call("GET", `/automations/${id}`)).json.runs).toBe(1);

    // The merge of a person's job triggers a run.
    await app.call("POST", "/job", { body: { prompt: "Write a page." } });
    const other = await app.carryOut({ files: { "page.md": "# Page\n" } });
    expect(other).not.toBe(jobId);
    expect((await app.codeHost.mergePullRequest(app.repository, 2, { expectedHead: null })).ok).toBe(true);
    expect(await step()).toBe(1);
    expect(await runsOf(app, id)).toMatchObject([
      { number: 2, startedBy: "push" },
      { number: 1, startedBy: "push" },
    ]);
  });

  test("the merge of its own pull request together with a person's commit triggers a run", async () => {
    await using app = await createTestApp(engine);
    await create(app, { trigger: { kind: "push", branch: "main" } });
    await app.pushCommit("main", { "one.md": "# One\n" });
    await noticePushes(app.automations);
    await runDueAutomations(app.automations);
    await app.carryOut({ files: { "links.md": "# Links\n" } });
    await app.codeHost.mergePullRequest(app.repository, 1, { expectedHead: null });
    await app.pushCommit("main", { "three.md": "# Three\n" });
    await noticePushes(app.automations);
    expect(await runDueAutomations(app.automations)).toBe(1);
  });

  test("enabling an automation again ignores the pushes made while it was disabled", async () => {
    await using app = await createTestApp(engine);
    const id = await create(app, { trigger: { kind: "push" }, enabled: false });
    await app.pushCommit("main", { "one.md": "# One\n" });
    await noticePushes(app.automations);
    await app.call("PATCH", `/automations/${id}`, { body: { enabled: true } });
    await noticePushes(app.automations);
    expect(await runDueAutomations(app.automations)).toBe(0);
  });

  test("the running loop notices a push", async ({ expect }) => {
    await using app = await createTestApp(engine);
    const id = await create(app, { trigger: { kind: "push" } });
    await using _loop = startAutomations(app.automations);
    await app.pushCommit("main", { "one.md": "# One\n" });
    await expect.poll(async () => (await jobsOf(app)).length).toBe(1);
    expect(await runsOf(app, id)).toMatchObject([{ startedBy: "push" }]);
  });
});
