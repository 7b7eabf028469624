import { describe, expect, it } from "vitest";
import { saveSettings } from "#projects/projects.ts";
import { createTestApp } from "#testing/test-app.ts";
import { callApi } from "./support/instance.ts";
import { startTestServer } from "./support/server.ts";

const HOUR_MS = 3_600_000;
const START = new Date("2026-11-20T12:00:00Z");
const BODY = { prompt: "Fix the broken links." };
const headers = { "idempotency-key": "release 42" };

describe("the same Idempotency-Key", () => {
  it("answers with the same job for 24 hours, and then makes another one", async () => {
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

  it("answers with the job as it is now", async () => {
    await using app = await createTestApp("sqlite");
    const first = await app.call("POST", "/job", { body: BODY, headers });
    await app.carryOut();
    const again = await app.call("POST", "/job", { body: BODY, headers });
    expect(again).toMatchObject({ status: 201, json: { id: first.json.id, status: "completed" } });
  });

  it("is another key in another project", async () => {
    await using app = await createTestApp("sqlite");
    const other = await app.makeProject("Other");
    const key = await app.makeKey(other);
    const here = await app.call("POST", "/job", { body: BODY, headers });
    const there = await app.call("POST", "/job", { body: { prompt: "Else." }, headers, key, project: other.id });
    expect([here.status, there.status]).toEqual([201, 201]);
    expect(there.json.id).not.toBe(here.json.id);
  });

  it("is not counted twice, and is free again when the call was over the limit", async () => {
    await using app = await createTestApp("sqlite", { now: START, agentCallsPerHour: 1 });
    const first = await app.call("POST", "/job", { body: BODY, headers });
    expect(first.status).toBe(201);
    expect((await app.call("POST", "/job", { body: BODY, headers })).json.id).toBe(first.json.id);
    const fresh = { "idempotency-key": "release 43" };
    expect((await app.call("POST", "/job", { body: BODY, headers: fresh })).status).toBe(429);
    app.time.now = new Date(START.getTime() + HOUR_MS);
    expect((await app.call("POST", "/job", { body: { prompt: "Else." }, headers: fresh })).status).toBe(201);
  });

  it("is refused with 409 when its job was deleted, and makes no second one", async () => {
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

  it("answers with the same job though its branch is gone and the project's model is another one now", async () => {
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
