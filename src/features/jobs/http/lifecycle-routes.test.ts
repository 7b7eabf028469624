import { describe, expect, test } from "vitest";
import { createTrustedTime } from "#db/trusted-time.ts";
import { sweep } from "#features/jobs/requests/sweeper.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { ENGINES } from "#testing/databases.ts";
import { silentLogger } from "#lib/logger.ts";

async function createJob(app: TestApp, prompt = "Fix it."): Promise<string> {
  const { status, json } = await app.call("POST", "/job", { body: { prompt } });
  expect(status).toBe(201);
  return json.id;
}

describe.each(ENGINES)("the life of a job on %s", (engine) => {
  test("jobs are listed newest first, a page at a time, by state", async () => {
    await using app = await createTestApp(engine);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.push(await createJob(app));
    await app.carryOut();
    await app.carryOut({ fail: "stuck" });

    const first = await app.call("GET", "/jobs?limit=2");
    expect(first.status).toBe(200);
    expect(first.json.jobs.map((job) => job.id)).toEqual([ids[4], ids[3]]);
    const second = await app.call("GET", `/jobs?limit=2&cursor=${first.json.nextCursor}`);
    const third = await app.call("GET", `/jobs?limit=2&cursor=${second.json.nextCursor}`);
    expect([...second.json.jobs, ...third.json.jobs].map((job) => job.id)).toEqual([ids[2], ids[1], ids[0]]);
    expect(third.json.nextCursor).toBeNull();

    const some = await app.call("GET", "/jobs?status=completed&status=failed");
    expect(some.json.jobs.map((job) => job.status)).toEqual(["failed", "completed"]);
    expect((await app.call("GET", "/jobs?status=archived")).json).toEqual({ jobs: [], nextCursor: null });
  });

  test("a job starts from the requested branch, and its pull request targets that branch", async () => {
    await using app = await createTestApp(engine);
    const to = await app.repoStore.resolve(app.project.id, "refs/heads/main");
    await app.repoStore.updateRef(app.project.id, { ref: "refs/heads/next", to, expected: null });
    const next = await app.pushCommit("next", { "next.md": "# Next\n" });
    const { json } = await app.call("POST", "/job", { body: { prompt: "Fix it.", ref: "next" } });
    await app.carryOut({ files: { "new.md": "# New\n" } });
    const { events } = (await app.call("GET", `/job/${json.id}/events`)).json;
    expect(events.find(({ type }) => type === "turn.started")?.data).toMatchObject({ baseCommit: next });
    expect(await app.codeHost.getPullRequest(app.repository, 1)).toMatchObject({ base: { branch: "next" } });
  });

  test("version 1 of the API shows a cancelled job as interrupted", async () => {
    await using app = await createTestApp(engine);
    const id = await createJob(app);
    await app.call("POST", `/job/${id}/cancel`);
    const version1 = `../../v1/agent/${app.project.id}`; // next to `/v2/agent/`
    const session = await app.call("GET", `/job/${id}`, { project: version1 });
    expect(session.json).toMatchObject({ sessionId: id, haulted: true, haultReason: "interrupted" });
  });

  test("every response shows the current pull request, which a person has merged", async () => {
    await using app = await createTestApp(engine);
    const work = await createJob(app);
    await app.carryOut({ files: { "new.md": "# New\n" } });
    await app.codeHost.mergePullRequest(app.repository, 1, { expectedHead: null });
    for (const shown of [
      (await app.call("GET", `/job/${work}`)).json,
      (await app.call("GET", "/jobs?limit=1")).json.jobs[0],
      (await app.call("POST", `/job/${work}/archive`)).json,
      (await app.call("POST", `/job/${work}/unarchive`)).json,
      (await app.call("POST", `/job/${work}/message`, { body: { prompt: "More." } })).json,
    ]) {
      expect(shown).toMatchObject({ pullRequest: { state: "merged" }, previewLink: null });
    }
  });

  test("a list with an invalid parameter is refused", async () => {
    await using app = await createTestApp(engine);
    const wrong = [
      "limit=0",
      "limit=101",
      "limit=x",
      "limit=1&limit=2",
      "limit=",
      "status=done",
      "cursor=job_x",
      "cursor=a&cursor=b",
    ];
    for (const query of [...wrong, "status=active&status=done"]) {
      const { status, json } = await app.call("GET", `/jobs?${query}`);
      expect({ query, status, code: json.code }).toEqual({ query, status: 400, code: "invalid" });
    }
  });

  test("a job is archived, and unarchived to its earlier status", async () => {
    await using app = await createTestApp(engine);
    const id = await createJob(app);
    const whileActive = await app.call("POST", `/job/${id}/archive`);
    expect(whileActive.status).toBe(409);
    expect(whileActive.json.error).toContain("Cancel it first");
    await app.carryOut({ fail: "stuck" });

    const before = await app.call("GET", `/job/${id}`);
    const archived = await app.call("POST", `/job/${id}/archive`);
    expect(archived.status).toBe(200);
    expect(archived.json).toMatchObject({ status: "archived", archivedAt: expect.any(String) as unknown });
    expect(archived.headers.get("etag")).not.toBe(before.headers.get("etag"));
    const again = await app.call("POST", `/job/${id}/archive`);
    expect(again.json).toEqual(archived.json);
    expect((await app.call("POST", `/job/${id}/message`, { body: { prompt: "More." } })).status).toBe(409);

    const back = await app.call("POST", `/job/${id}/unarchive`);
    expect(back.json).toMatchObject({ status: "failed", archivedAt: null });
    expect((await app.call("POST", `/job/${id}/unarchive`)).json).toEqual(back.json);
    const { json } = await app.call("GET", `/job/${id}/events`);
    expect(json.events.map((event) => event.type).slice(-2)).toEqual(["job.archived", "job.unarchived"]);
    expect((await app.call("POST", `/job/${id}/message`, { body: { prompt: "More." } })).json.status).toBe("active");
  });

  test("a job is deleted with all its rows, but not while it is active", async () => {
    await using app = await createTestApp(engine);
    const id = await createJob(app);
    expect((await app.call("DELETE", `/job/${id}`)).status).toBe(409);
    await app.call("POST", `/job/${id}/cancel`);
    const gone = await app.call("DELETE", `/job/${id}`);
    expect({ status: gone.status, text: gone.text }).toEqual({ status: 204, text: "" });
    expect((await app.call("DELETE", `/job/${id}`)).status).toBe(404);
    for (const at of ["", "/events", "/stream", "/diff"])
      expect((await app.call("GET", `/job/${id}${at}`)).status).toBe(404);
    for (const table of ["job", "job_message", "job_event"] as const) {
      expect(await app.database.kysely.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test("a job of another project is not found", async () => {
    await using app = await createTestApp(engine);
    const id = await createJob(app);
    await app.carryOut();
    const other = await app.makeProject("Other docs");
    const key = await app.makeKey(other);
    const calls = [
      ["POST", "/archive"],
      ["POST", "/unarchive"],
      ["DELETE", ""],
      ["GET", "/events"],
      ["GET", "/stream"],
      ["GET", "/diff"],
    ] as const;
    for (const [method, at] of calls) {
      const answer = await app.call(method, `/job/${id}${at}`, { key, project: other.id });
      expect(answer.status).toBe(404);
      expect((await app.call(method, `/job/${id}${at}`, { key })).status).toBe(404);
    }
    expect((await app.call("GET", "/jobs", { key, project: other.id })).json.jobs).toEqual([]);
    expect((await app.call("GET", `/job/${id}`)).json.status).toBe("completed");
  });

  test("a job without activity for 30 days is archived, an active or recent one is not", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    const old = await createJob(app);
    await app.carryOut();
    const active = await createJob(app);
    app.time.now = new Date("2026-01-30T00:00:00Z");
    await createJob(app);
    const deps = {
      ...app.lifecycle,
      time: { now: async () => app.lifecycle.clock.now() },
      logger: silentLogger,
      deliveryDays: 30,
    };
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 0, deletedEvents: 0 });
    app.time.now = new Date("2026-01-31T00:00:01Z");
    expect(await sweep(deps, new AbortController().signal)).toMatchObject({ archivedJobs: 1 });
    expect((await app.call("GET", `/job/${old}`)).json).toMatchObject({
      status: "archived",
      archivedAt: "2026-01-31T00:00:01.000Z",
    });
    expect((await app.call("GET", `/job/${active}`)).json.status).toBe("active");
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 0, deletedEvents: 0 });
  });

  test("a job that got a message while idle jobs are archived stays open", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    const id = await createJob(app);
    await app.carryOut();
    app.time.now = new Date("2026-01-31T00:00:01Z");
    const { database, clock } = app.lifecycle;
    let isFirst = true;
    const late: typeof database = {
      ...database,
      async transaction(work) {
        if (isFirst) {
          isFirst = false;
          await app.call("POST", `/job/${id}/message`, { body: { prompt: "More." } });
          await app.carryOut();
        }
        return database.transaction(work);
      },
    };
    const time = { now: async () => clock.now() };
    const deps = { ...app.lifecycle, database: late, time, logger: silentLogger, deliveryDays: 30 };
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 0, deletedEvents: 0 });
    expect((await app.call("GET", `/job/${id}`)).json.status).toBe("completed");
  });

  test("the spending of a day is deleted after 30 days, and today's is kept", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-31T12:00:00Z") });
    const { kysely } = app.lifecycle.database;
    const used = { weighted_tokens: 1, output_tokens: 1, cost_micro_usd: 1 };
    for (const day of ["2025-12-31", "2026-01-01", "2026-01-31"]) {
      await kysely
        .insertInto("project_spending")
        .values({ ...used, project_id: app.project.id, day })
        .execute();
    }
    const deps = {
      ...app.lifecycle,
      time: { now: async () => app.lifecycle.clock.now() },
      logger: silentLogger,
      deliveryDays: 30,
    };
    await sweep(deps, new AbortController().signal);
    const kept = await kysely.selectFrom("project_spending").select("day").orderBy("day").execute();
    expect(kept.map(({ day }) => day)).toEqual(["2026-01-01", "2026-01-31"]);
  });

  test("a clock that is years ahead archives no job", async () => {
    const start = Date.parse("2026-01-01T00:00:00Z");
    await using app = await createTestApp(engine, { now: new Date(start) });
    const { database, clock } = app.lifecycle;
    const startTime = () => createTrustedTime({ database, clock, monotonicMs: () => 0 });
    await startTime().now();
    const id = await createJob(app);
    await app.carryOut();
    app.time.now = new Date(start + 1_100 * 86_400_000);
    const deps = { ...app.lifecycle, time: startTime(), logger: silentLogger, deliveryDays: 30 };
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 0, deletedEvents: 0 });
    app.time.now = new Date(start + 60_000);
    expect((await app.call("GET", `/job/${id}`)).json.status).toBe("completed");
  });
});
