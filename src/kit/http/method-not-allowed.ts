import type { Context, Hono } from "hono";
import { AppError } from "#lib/app-error.ts";
import type { HttpEnv } from "./context.ts";

interface Options {
  /** Whether there is anything at all at an address that fits a pattern such as `/:slug`. Default: there is. */
  isThere?(c: Context<HttpEnv>): Promise<boolean>;
}

/**
 * Answers 405 with `Allow` where a path exists and the method does not. Call it after all routes are there: what they
 * answer themselves never comes here.
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
      // A route of this method that let the request through left the answer to the next one.
      if (known.has(c.req.method) || (isThere && !(await isThere(c)))) return next();
      throw new AppError("method_not_allowed", `This address takes ${allow} only.`, { headers: { Allow: allow } });
    });
  }
}
