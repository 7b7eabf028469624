import type { Context, Hono } from "hono";
import { AppError } from "#lib/app-error.ts";
import type { HttpEnv } from "./context.ts";

interface Options {
  /** Whether anything exists at an address that matches a pattern such as `/:slug`. Default: yes. */
  isThere?(c: Context<HttpEnv>): Promise<boolean>;
}

/**
 * Responds 405 with `Allow` where a path exists but the method does not. Call it after all routes are registered:
 * requests that they answer never get here.
 */
export function refuseOtherMethods(routes: Hono<HttpEnv>, { isThere }: Options = {}): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of routes.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set();
    known.add(method);
    if (method === "GET") known.add("HEAD");
    methods.set(path, known);
  }
  for (const [path, known] of methods) {
    const allow = [...known].sort().join(", ");
    routes.all(path, async (c, next) => {
      // A route of this method passed the request on to the next handler.
      if (known.has(c.req.method) || (isThere && !(await isThere(c)))) return next();
      throw new AppError("method_not_allowed", `This address takes ${allow} only.`, { headers: { Allow: allow } });
    });
  }
}
