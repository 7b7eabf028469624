import { pino } from "pino";
import { expect, it } from "vitest";
import { newId } from "#lib/ids.ts";
import { createTestApp } from "#testing/test-app.ts";

/** An app, with the lines that it logs for requests. */
async function loggingApp(logRequests: "all" | "errors" | "off") {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const app = await createTestApp("sqlite", { logger, logRequests });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    lines.length = 0;
    const answer = await app.app.fetch(new Request(`http://localhost:4000${path}`, { headers }), { peerAddress: "203.0.113.9" });
    await answer.text();
    return { requestId: answer.headers.get("x-request-id"), requests: lines.filter(({ msg }) => msg === "request") };
  };
  return { ...app, get, text: () => JSON.stringify(lines), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
} // oxfmt-ignore

it("logs route, status, time, project, key and request ID, but no path parameters and no address", async () => {
  await using app = await loggingApp("all");
  const job = newId("job");
  const path = `/v2/agent/${app.project.id}/job/${job}?note=secret-words`;
  const { requestId, requests } = await app.get(path, { authorization: `Bearer ${app.key}` });
  expect(requests).toEqual([
    {
      level: 30,
      method: "GET",
      route: "/v2/agent/:projectId/job/:id",
      status: 404,
      ms: expect.any(Number) as number,
      requestId,
      subject: job,
      projectId: app.project.id,
      keyId: expect.stringMatching(/^key_/) as string,
      msg: "request",
    },
  ]);
  const invitation = "A".repeat(43);
  expect((await app.get(`/-/join/${invitation}`)).requests).toMatchObject([{ method: "GET", route: "/-/join/:token" }]);
  for (const hidden of [invitation, "secret-words", app.key, "203.0.113.9"]) expect(app.text()).not.toContain(hidden);
});

it("takes a short, plain request ID from a proxy, and generates one otherwise", async () => {
  await using app = await loggingApp("all");
  for (const given of ["0af7651916cd43dd8448eb211c80319c", "7b8c1e2a-6f0d-4c53-9d5e-6a1d2f3b4c5d"]) {
    const { requestId, requests } = await app.get("/health", { "x-request-id": given });
    expect([requestId, requests[0]?.["requestId"]]).toEqual([given, given]);
  }
  for (const given of ["short", "x".repeat(65), "two words here", '"},{"level":60']) {
    const { requestId } = await app.get("/health", { "x-request-id": given });
    expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
  }
});

it("logs only error responses by default, and nothing with `off`", async () => {
  await using errors = await loggingApp("errors");
  expect((await errors.get("/health")).requests).toEqual([]);
  expect((await errors.get("/v2/projects")).requests).toMatchObject([{ status: 401, route: "/v2/projects" }]);
  await using off = await loggingApp("off");
  expect((await off.get("/v2/projects")).requests).toEqual([]);
});

it("logs server failures of sites as errors, and broken links not at all", async () => {
  const site = async (app: Awaited<ReturnType<typeof loggingApp>>, url: string) => {
    const location = new URL(url);
    const request = { method: "GET", url, location, headers: new Headers(), textUpTo: async () => "" };
    const connection = { peerAddress: "203.0.113.9", requestId: "req-of-a-proxy", claim: () => undefined };
    return app.app.site(request, "harbor-docs", connection);
  };
  for (const [logRequests, logged] of [["errors", []], ["all", [{ route: "site", site: "harbor-docs", status: 404, requestId: "req-of-a-proxy" }]]] as const) {
    await using app = await loggingApp(logRequests);
    const { requests } = await app.get("/health");
    requests.length = 0;
    await site(app, "http://harbor-docs.localhost/missing");
    const lines = JSON.parse(app.text()) as Record<string, unknown>[];
    expect(lines.filter(({ route }) => route === "site")).toMatchObject(logged);
  } // oxfmt-ignore
});
