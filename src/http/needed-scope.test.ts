import { expect, it } from "vitest";
import { neededScope } from "./needed-scope.ts";

it.each([
  "/v2/projects",
  "/v2/instance/keys",
  "/v2/instance/keys/key_1",
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
  "/v2/instance",
  "/v2/agent/prj_1/jobs",
  "/v2/project/prj_1/api-addresses",
  "/v2/project/prj_1/deployments",
  "/v2/agent/prj_1/job/job_1",
])("reading %j is for every key", (path) => expect(neededScope("GET", path)).toBe("read"));
