import type { Context } from "hono";

/** Browsers say where a form comes from; one from elsewhere could sign a person in under somebody else's name. */
export function isSameOrigin(c: Context): boolean {
  const origin = c.req.header("origin");
  return origin === undefined || URL.parse(origin)?.host === c.req.header("host");
}
