import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForJob } from "#test/support/instance.ts";
import { startTestServer, type TestServer } from "#test/support/server.ts";

const FILES = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    navigation: {
      versions: [
        { version: "v2", groups: [{ group: "Start", pages: ["index", "guides/tokens", "guides/ports"] }] },
        { version: "v1", groups: [{ group: "Start", pages: ["v1/index", "v1/ports"] }] },
      ],
    },
  }),
  "index.md": "# Welcome\n\nHarbor Cloud keeps ships.\n",
  "guides/tokens.md":
    "---\ntitle: Tokens\ntag: Security\n---\n\n## Lost tokens\n\nRevoke a lost token at once. [Ports](/guides/ports)\n",
  "guides/ports.md": "---\ntitle: Ports\n---\n\nA token opens each port. Ships moor at a quay.\n",
  "v1/index.md": "# Welcome to version 1\n",
  "v1/ports.md": "---\ntitle: Ports\n---\n\nShips moor at a quay.\n",
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ engine: "sqlite", files: FILES });
});
afterAll(() => server[Symbol.asyncDispose]());

async function call(path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(server.baseUrl + path, {
    method: path.includes("/v1/agent/") ? "GET" : "POST",
    headers: {
      Authorization: `Bearer ${server.instance.key}`,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown>,
  };
}

type Found = { path: string; content: string; metadata: { title: string; heading: string | null; url: string } }[];

async function search(body: object): Promise<Found> {
  for (;;) {
    const { status, json } = await call("/discovery/v1/search/test-docs", body);
    expect(status).toBe(200);
    const found = json as unknown as Found;
    if (found.length > 0) return found;
    await pause(50); // the index of a new site is made within a second
  }
}

it("a site is searched by its slug, and the results lead to its pages", async () => {
  const found = await search({ query: "lost token", pageSize: 1 });
  expect(found).toHaveLength(1);
  const [{ path, content, metadata } = { path: "", content: "", metadata: null }] = found;
  expect([path, metadata?.title, metadata?.heading]).toEqual(["guides/tokens", "Tokens", "Lost tokens"]);
  expect(metadata?.url).toMatch(/^http:\/\/test-docs\.localhost:\d+\/guides\/tokens#lost-tokens$/);
  expect(content).toContain("Revoke a lost token at once.");
  const page = await call("/discovery/v1/page/test-docs", { path });
  expect(page.json).toEqual({ path, content: expect.stringContaining("# Tokens\n\n## Lost tokens") as string });
  expect(page.headers.get("ratelimit-limit")).toBe("10000");
  for (const asked of [`/${path}`, `${path}.md`, metadata!.url])
    expect((await call("/discovery/v1/page/test-docs", { path: asked })).json["path"]).toBe(path);
});

it("searches and reads are not in the audit log", async () => {
  await search({ query: "lost token", pageSize: 1 });
  await call("/discovery/v1/page/test-docs", { path: "guides/tokens" });
  const events = await server.instance.database.kysely.selectFrom("audit_event").select("action").execute();
  expect(events.filter(({ action }) => /^(?:search|read)/.test(action))).toEqual([]);
});

it("results can be filtered by tag", async () => {
  const paths = async (filter: object) => [
    ...new Set((await search({ query: "token", filter })).map(({ path }) => path)),
  ];
  expect((await paths({})).sort()).toEqual(["guides/ports", "guides/tokens"]);
  expect(await paths({ tag: "Security" })).toEqual(["guides/tokens"]);
});

it("results can be filtered by version", async () => {
  const found = await search({ query: "quay", filter: { version: "v1" } });
  expect(found.map(({ path }) => path)).toEqual(["v1/ports"]);
});

it.each([
  ["another site", "/discovery/v1/search/other", { query: "token" }, 404, "not_found"],
  ["a page that is not there", "/discovery/v1/page/test-docs", { path: "nothing" }, 404, "not_found"],
  ["no query", "/discovery/v1/search/test-docs", {}, 400, "invalid"],
  ["a blank query", "/discovery/v1/search/test-docs", { query: " " }, 400, "invalid"],
  ["too many results", "/discovery/v1/search/test-docs", { query: "a", pageSize: 51 }, 400, "invalid"],
  ["groups of readers", "/discovery/v1/search/test-docs", { query: "a", filter: { groups: ["vip"] } }, 400, "invalid"],
  ["an assistant", "/discovery/v1/assistant/test-docs/message", { messages: [] }, 404, "not_found"],
])("%s is refused", async (_, path, body, status, code) => {
  const answer = await call(path, body);
  expect([answer.status, answer.json["code"]]).toEqual([status, code]);
});

it("one Idempotency-Key triggers an automation once, and the response names its run", async () => {
  const { key, project } = server.instance;
  const made = await fetch(`${server.baseUrl}/v2/agent/${project.id}/automations`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "Terms",
      prompt: 'Replace "Harbor Cloud" with "Harbor Platform".',
      trigger: { kind: "schedule", cron: "0 6 1 1 *" },
    }),
  });
  const automation = (await made.json()) as { id: string };
  const path = `/v1/workflow/${project.id}/${automation.id}/trigger`;
  const once = { "Idempotency-Key": "release-1" };
  const first = await call(path, undefined, once);
  expect(first.status).toBe(202);
  expect(first.json).toEqual({
    schemaId: automation.id,
    instanceId: `${automation.id}.1`,
    jobId: expect.stringMatching(/^job_/) as string,
  });
  const jobId = String(first.json["jobId"]);
  await waitForJob(server.baseUrl, server.instance, jobId);
  expect((await call(path)).json["instanceId"]).toBe(`${automation.id}.2`);
  const again = await call(path, undefined, once);
  expect([again.status, again.json, again.headers.get("idempotent-replayed")]).toEqual([202, first.json, "true"]);
  expect((await call(`/v1/workflow/${project.id}/aut_none/trigger`)).status).toBe(404);

  await waitForJob(server.baseUrl, server.instance, jobId);
  const session = await call(`/v1/agent/${project.id}/job/${jobId}`);
  expect(session.json).toMatchObject({
    sessionId: jobId,
    subdomain: "test-docs",
    haulted: true,
    haultReason: "completed",
    todos: [],
    title: "Terms",
    pullRequestLink: expect.stringContaining("/test-docs/pull/") as string,
  });
  const { json } = await call(`/v1/agent/${project.id}/jobs?take=1`);
  expect(json["allSessions"]).toEqual([session.json]);
  expect((await call(`/v1/agent/${project.id}/jobs?skip=1`)).json["allSessions"]).toEqual([]);
  expect((await call(`/v1/agent/${project.id}/jobs?take=101`)).status).toBe(400);
});
