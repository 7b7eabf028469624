import { Hono } from "hono";
import { expect, it } from "vitest";
import { neededScope, requireNamedReads } from "./needed-scope.ts";

it.each([
  "/v2/projects",
  "/v2/instance/keys",
  "/v2/instance/keys/key_1",
  "/v2/instance/logs",
  "/v2/project/prj_1",
  "/v2/project/prj_1/keys",
  "/v2/project/prj_1/keys/key_1",
  "/v2/project/prj_1/connection",
  "/v2/project/prj_1/connection/token",
  "/v2/agent/prj_1/webhooks",
  "/v2/agent/prj_1/webhooks/x",
  "/v2/agent/prj_1/webhooks/\nx",
])("reading %j is for owners, whatever is added below it", (path) => expect(neededScope("GET", path)).toBe("admin"));

it.each([
  "/v2/agent/prj_1/jobs",
  "/v2/project/prj_1/api-addresses",
  "/v2/project/prj_1/deployments",
  "/v2/agent/prj_1/job/job_1",
])("reading %j is for every key, its headers alone too", (path) => {
  expect([neededScope("GET", path), neededScope("HEAD", path)]).toEqual(["read", "read"]);
});

it("a GET whose scope nobody named is for owners, and no server starts with it", () => {
  const path = "/v2/project/:projectId/something-new";
  expect(neededScope("GET", path)).toBe("admin");
  expect(neededScope("HEAD", path)).toBe("admin");
  const routes = () => new Hono().get("/v2/project/:projectId/models", (c) => c.text("")).post(path, (c) => c.text(""));
  expect(() => requireNamedReads(routes())).not.toThrow();
  const wrong = routes().get(path, (c) => c.text(""));
  expect(() => requireNamedReads(wrong)).toThrow(`names no scope for GET ${path}`);
});
