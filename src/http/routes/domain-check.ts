import { Hono } from "hono";
import type { HttpEnv } from "#http/context.ts";

export interface DomainCheckDeps {
  isServed(name: string): Promise<boolean>;
  /** Whether a client may ask once more in this minute. */
  admitsCheck(peerAddress: string): boolean;
}

const MAX_NAME = 253;
const HEADERS = { "Cache-Control": "no-store" };

/**
 * `GET /domains/check?domain=…`: whether a proxy should get a certificate for a name, as Caddy asks before it does
 * (`on_demand_tls`, `ask`): 200 or 404, and no word more. No key: what it says everybody sees who opens the name.
 */
export function domainCheckRoutes({ isServed, admitsCheck }: DomainCheckDeps): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get("/domains/check", async (c) => {
    if (!admitsCheck(c.env.peerAddress)) return c.body(null, 429, { ...HEADERS, "Retry-After": "60" });
    const name = c.req.query("domain") ?? "";
    const isKnown = name !== "" && name.length <= MAX_NAME && (await isServed(name));
    return c.body(null, isKnown ? 200 : 404, HEADERS);
  });
}
