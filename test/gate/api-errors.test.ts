import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "#features/keys/api-keys.ts";
import { systemClock } from "#lib/clock.ts";
import { createProject } from "#features/projects/projects.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";
import { ENGINES } from "#testing/databases.ts";

const FILES = { "index.md": "# Start\n\nHarbor Cloud.\n" };
const NOTHING_TO_DO = { prompt: "Fix the broken links." };

describe.each(ENGINES)("the API on %s", (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ engine, files: FILES, environment: { DOCENT_AGENT_CALLS_PER_HOUR: "1000" } });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const call = (options: Parameters<typeof callApi>[2]) => callApi(server.baseUrl, server.instance, options);
  const raw = (body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${server.baseUrl}/v2/agent/${server.instance.project.id}/job`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.instance.key}`, "content-type": "application/json" },
      body,
    });

  it.each([
    ["no prompt", "{}"],
    ["a prompt that is no string", '{"prompt": 5}'],
    ["a blank prompt", '{"prompt": " \\n\\t "}'],
    ["a prompt that is too long", JSON.stringify({ prompt: "x".repeat(32_001) })],
    ["a NUL character", '{"prompt": "a\\u0000b"}'],
    ["half a surrogate pair", '{"prompt": "a\\ud800b"}'],
    ["a branch that is missing", '{"prompt": "x", "ref": "nowhere"}'],
    ["a model that is not set up", '{"prompt": "x", "model": "openai/gpt-9"}'],
    ["a wrong type in an optional field", '{"prompt": "x", "draft": "yes"}'],
  ])("refuses %s with 400", async (_name, body) => {
    const response = await raw(body);
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/json");
    const answer = (await response.json()) as Record<string, unknown>;
    expect(answer).toMatchObject({ code: "invalid" });
    expect(answer["error"]).toMatch(/\S/);
    expect(answer["requestId"]).toMatch(/^req_/);
    expect(response.headers.get("x-request-id")).toBe(answer["requestId"]);
  });

  it("suggests the short name for a branch that is given as a full reference", async () => {
    const { body } = await call({ path: "/job", body: { prompt: "x", ref: "refs/heads/main" } });
    expect(body).toMatchObject({
      code: "invalid",
      error: 'The repository has no branch "refs/heads/main". Name the branch alone: "main".',
    });
  });

  it("accepts a cancellation with the JSON content type and no body", async () => {
    const created = await call({ path: "/job", body: { prompt: "Fix the broken links." } });
    const { project, key } = server.instance;
    const answer = await fetch(`${server.baseUrl}/v2/agent/${project.id}/job/${created.body.id}/cancel`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    expect([200, 409]).toContain(answer.status); // 409 where the job was faster
  });

  it("refuses invalid UTF-8 with 400", async () => {
    const response = await raw(Buffer.concat([Buffer.from('{"prompt": "a'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]));
    expect(response.status).toBe(400);
  });

  it("names the invalid field", async () => {
    const { body } = await call({ path: "/job", body: { prompt: 5 } });
    expect(body).toMatchObject({ details: [{ path: "prompt", message: "must be a string" }] });
  });

  it("accepts exactly 32,000 characters, counted as code points", async () => {
    const { status } = await call({ path: "/job", body: { prompt: "🚢".repeat(32_000) } });
    expect(status).toBe(201);
  });

  it("rejects a prompt of 10 MB with 413, whether or not its length is announced", async () => {
    const announced = await raw(JSON.stringify({ prompt: "x".repeat(10_000_000) }));
    expect(announced.status).toBe(413);
    expect(await announced.json()).toMatchObject({ code: "too_large" });
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(64 * 1024).fill(120));
      },
    });
    const request: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { authorization: `Bearer ${server.instance.key}`, "content-type": "application/json" },
      body: stream,
      duplex: "half",
    };
    const url = `${server.baseUrl}/v2/agent/${server.instance.project.id}/job`;
    const streamed = await fetch(url, request).catch(() => ({ status: 413 })); // the server may close before everything is sent
    expect(streamed.status).toBe(413);
  });

  it("answers 401 to what only looks like a key", async () => {
    const headers = { authorization: "Bearer docent_00000000000000000000000000000000000000" };
    const response = await fetch(`${server.baseUrl}/v2/agent/${server.instance.project.id}/job/x`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.json()).toMatchObject({ code: "unauthorized" });
  });

  it("returns 401 for a key in the query string, a revoked key and an expired one", async () => {
    const { database, project, key } = server.instance;
    const url = `${server.baseUrl}/v2/agent/${project.id}/job/x`;
    expect((await fetch(`${url}?api_key=${key}`)).status).toBe(401);
    const deps = { database, clock: systemClock, keysPerHour: 100 };
    const revoked = await createApiKey(deps, { projectId: project.id, name: "r", expiresInDays: null });
    await revokeApiKey(deps, revoked.id);
    expect((await fetch(url, { headers: { authorization: `Bearer ${revoked.key}` } })).status).toBe(401);
    const past = { now: () => new Date(Date.now() - 8 * 86_400_000) };
    const expired = await createApiKey(
      { ...deps, clock: past },
      { projectId: project.id, name: "e", expiresInDays: 7 },
    );
    expect((await fetch(url, { headers: { authorization: `Bearer ${expired.key}` } })).status).toBe(401);
  });

  it("returns the same 404 for missing resources and for those of other projects", async () => {
    const { database, repoStore, key, project } = server.instance;
    const deps = { database, repoStore, clock: systemClock };
    const other = await createProject(deps, { name: `Other ${engine}`, source: null, branch: null });
    const headers = { authorization: `Bearer ${key}`, "x-request-id": "req_fixed_id" };
    const bodies = await Promise.all(
      [
        `/v2/agent/prj_doesnotexist/job/x`,
        `/v2/agent/${other.id}/job/x`,
        `/v2/agent/${project.id}/job/job_doesnotexist`,
        `/v2/agent/${project.id}/nowhere`,
        `/v1/analytics/${other.id}/visitors`,
      ].map(async (path) => {
        const response = await fetch(server.baseUrl + path, { headers });
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toMatch(/^404 .*"code":"not_found"/);
  });

  it("returns 409 for a cancellation of an inactive job", async () => {
    const created = await call({ path: "/job", body: NOTHING_TO_DO });
    await waitForJob(server.baseUrl, server.instance, created.body.id);
    const cancelled = await call({ path: `/job/${created.body.id}/cancel`, method: "POST" });
    expect(cancelled.status).toBe(409);
    expect(cancelled.body).toMatchObject({ code: "conflict" });
  });

  it("creates one job for 200 concurrent requests with one Idempotency-Key", async () => {
    const headers = { "idempotency-key": `same-${engine}` };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call({ path: "/job", body: NOTHING_TO_DO, headers })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const rows = await server.instance.database.kysely
      .selectFrom("idempotency_key")
      .select("outcome")
      .where("outcome", "=", answers[0]!.body.id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  it("ignores unknown fields", async () => {
    const answer = await call({ path: "/job", body: { ...NOTHING_TO_DO, from: "the future" } });
    expect(answer.status).toBe(201);
  });

  it("returns 304 for a poll with the current ETag", async () => {
    const created = await call({ path: "/job", body: NOTHING_TO_DO });
    await waitForJob(server.baseUrl, server.instance, created.body.id);
    const first = await call({ path: `/job/${created.body.id}` });
    const again = await call({
      path: `/job/${created.body.id}`,
      headers: { "if-none-match": first.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=251", "limit"],
    ["limit=x", "limit"],
    ["offset=-1", "offset"],
    ["dateFrom=2026-02-30", "dateFrom"],
    ["dateTo=yesterday", "dateTo"],
    ["dateFrom=2026-03-02&dateTo=2026-03-01", "dateFrom"],
    ["limit=5&limit=6", "limit"],
    ["dateFrom=", "dateFrom"],
  ])("refuses the analytics query %s", async (query, field) => {
    const { project, key } = server.instance;
    const response = await fetch(`${server.baseUrl}/v1/analytics/${project.id}/visitors?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(400);
    const answer = (await response.json()) as { code: string; details: { path: string }[] };
    expect(answer.code).toBe("invalid");
    expect(answer.details.map((detail) => detail.path)).toContain(field);
  });
});

describe("the rate limit", () => {
  it("returns 429 with Retry-After and RateLimit headers, only to the project that used up its calls", async () => {
    await using server = await startTestServer({
      engine: "sqlite",
      files: FILES,
      environment: { DOCENT_AGENT_CALLS_PER_HOUR: "2", DOCENT_JOBS_AT_ONCE: "0" },
    });
    const call = () => callApi(server.baseUrl, server.instance, { path: "/job", body: NOTHING_TO_DO });
    const first = await call();
    expect(first.headers.get("ratelimit-limit")).toBe("2");
    expect(first.headers.get("ratelimit-remaining")).toBe("1");
    await call();
    const third = await call();
    expect(third.status).toBe(429);
    expect(third.body).toMatchObject({ code: "rate_limited" });
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
    const rows = await server.instance.database.kysely.selectFrom("job").select("id").execute();
    expect(rows).toHaveLength(2);
  });
});
