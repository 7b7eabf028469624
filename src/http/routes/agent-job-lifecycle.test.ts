import { describe, expect, test } from "vitest";
import { sweep } from "#jobs/sweeper.ts";
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

  test("a list with a wrong parameter is refused", async () => {
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

  test("a job is archived and comes back as what it was", async () => {
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

  test("another project's job is not there", async () => {
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

  test("a job without activity for 30 days is archived, an active or a fresh one is not", async () => {
    await using app = await createTestApp(engine, { now: new Date("2026-01-01T00:00:00Z") });
    const old = await createJob(app);
    await app.carryOut();
    const active = await createJob(app);
    app.time.now = new Date("2026-01-30T00:00:00Z");
    await createJob(app);
    const deps = { ...app.lifecycle, logger: silentLogger };
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 0 });
    app.time.now = new Date("2026-01-31T00:00:01Z");
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 1 });
    expect((await app.call("GET", `/job/${old}`)).json).toMatchObject({
      status: "archived",
      archivedAt: "2026-01-31T00:00:01.000Z",
    });
    expect((await app.call("GET", `/job/${active}`)).json.status).toBe("active");
    expect(await sweep(deps, new AbortController().signal)).toEqual({ archivedJobs: 0 });
  });
});
