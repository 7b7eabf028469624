import type { Context } from "hono";

/** The address of the client behind trusted proxies, which the server passes along with the request. */
export function clientOf(c: Context): string {
  const given: unknown = (c.env as { clientAddress?: unknown } | undefined)?.clientAddress;
  // The fallback is on no allow list of addresses.
  return typeof given === "string" ? given : "0.0.0.0";
}
