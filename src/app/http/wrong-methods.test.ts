import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

describe("an unsupported method", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp("sqlite");
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    app.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }), { peerAddress: "127.0.0.1" });

  it.each([
    ["POST", "/openapi.json", "GET, HEAD"],
    ["POST", "/reference", "GET, HEAD"],
    ["DELETE", "/health", "GET, HEAD"],
    ["PUT", "/", "GET, HEAD"],
    ["GET", "/sign-out", "POST"],
    ["HEAD", "/sign-out", "POST"],
    ["PATCH", "/sign-in", "GET, HEAD, POST"],
    ["POST", "/_docent/page.css", "GET, HEAD"],
    ["GET", "/ingest/prj_00000000000000000000000000", "OPTIONS, POST"],
    ["PUT", "/harbor-docs", "GET, HEAD"],
    ["PUT", "/harbor-docs/jobs", "GET, HEAD, POST"],
    ["GET", "/harbor-docs/jobs/job_00000000000000000000000000/cancel", "POST"],
    ["DELETE", "/harbor-docs/keys", "GET, HEAD, POST"],
    ["GET", "/mcp", "POST"],
    ["HEAD", "/mcp", "POST"],
    ["DELETE", "/mcp", "POST"],
    ["GET", "/mcp?project=harbor-docs", "POST"],
  ])("is 405 for %s %s, with what it takes", async (method, path, allow) => {
    const answer = await send(method, path);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
    if (method === "HEAD") return;
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toEqual({
      error: `This address takes ${allow} only.`,
      code: "method_not_allowed",
      requestId: answer.headers.get("x-request-id"),
    });
  });

  it.each([
    ["with a key", () => ({ authorization: `Bearer ${app.key}`, accept: "text/event-stream" })],
    ["without one", () => ({ accept: "application/json, text/event-stream" })],
  ])("is 405 for the stream that clients of MCP ask for, %s", async (_, headers) => {
    const answer = await send("GET", "/mcp", headers());
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await answer.json()).toMatchObject({ code: "method_not_allowed", error: "This address takes POST only." });
  });

  it.each([
    ["POST", "/nothing"],
    ["PUT", "/no-such-project/jobs"],
    ["POST", "/v2/jobs"],
    ["GET", "/v1/analytics"],
    ["DELETE", "/v3/agent"],
    ["POST", "/harbor-docs/nothing"],
  ])("is 404 for %s %s, where there is nothing", async (method, path) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "not_found" });
  });

  it("returns an HTML page to a browser", async () => {
    const answer = await send("GET", "/sign-out", { accept: "text/html,*/*;q=0.8" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await answer.text()).toContain("<h1>This address is for a form</h1>");
  });
});
