import { z } from "@hono/zod-openapi";
import { beforeAll, expect, it } from "vitest";
import { operation, operationAt, type Operations, operationsIn } from "./operation.ts";
import { createRouter } from "./router.ts";

const routes = createRouter();
let operations: Operations;

beforeAll(() => {
  routes.use(async (c, next) => {
    await next();
    c.res.headers.set("x-scope", operationAt(c, operations)?.scope ?? "none");
  });
  const read = operation({
    id: "readThing",
    method: "get",
    path: "/things/{id}",
    tags: ["Things"],
    summary: "Read a thing",
    description: "The thing.",
    scope: "read",
    params: z.object({ id: z.string() }),
    answer: [204, "It is there."],
  });
  routes.openapi(read, (c) => c.body(null, 204));
  routes.get("/undeclared", (c) => c.body(null, 204));
  operations = operationsIn(routes);
});

it.each([
  ["GET", "/things/a", "read"],
  ["HEAD", "/things/a", "read"],
  ["POST", "/things/a", "none"],
  ["GET", "/nowhere", "none"],
  // A route without a declaration needs an owner.
  ["GET", "/undeclared", "admin"],
])("a %s of %s needs %s", async (method, path, scope) => {
  expect((await routes.request(path, { method })).headers.get("x-scope")).toBe(scope);
});
