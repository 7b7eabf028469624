import type { Context } from "hono";

/** Browsers send the origin of a form; a form on another site could sign a person in to someone else's account. */
export function isSameOrigin(c: Context): boolean {
  const origin = c.req.header("origin");
  return origin === undefined || URL.parse(origin)?.host === c.req.header("host");
}
