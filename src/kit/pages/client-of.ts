import type { Context } from "hono";

/** The address of the client behind trusted proxies, as the server gave it along with the request. */
export function clientOf(c: Context): string {
  const given: unknown = (c.env as { clientAddress?: unknown } | undefined)?.clientAddress;
  // Without it no list of addresses lets anybody in.
  return typeof given === "string" ? given : "0.0.0.0";
}
