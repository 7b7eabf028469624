import type { OpenAPIHono } from "@hono/zod-openapi";
import { AppError } from "#lib/app-error.ts";
import type { HttpEnv } from "./context.ts";

/** Answers 405 with `Allow` where a path exists and the method does not. Call it after all routes are there. */
export function refuseOtherMethods(routes: OpenAPIHono<HttpEnv>): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set();
    known.add(method);
    if (method === "GET") known.add("HEAD");
    methods.set(path, known);
  }
  for (const [path, known] of methods) {
    routes.all(path, () => {
      const allow = [...known].sort().join(", ");
      throw new AppError("method_not_allowed", `This address takes ${allow} only.`, { headers: { Allow: allow } });
    });
  }
}
