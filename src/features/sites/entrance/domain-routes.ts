import { Hono } from "hono";
import { addressPrefix, clientAddress, plainAddress } from "#features/visitors/client-address.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import type { Clock } from "#lib/clock.ts";
import type { AddressRanges } from "#lib/network/network-address.ts";
import type { HttpEnv } from "#kit/http/context.ts";

export interface DomainCheckDeps {
  isServed(name: string): Promise<boolean>;
  /** Whether a client may ask once more in this minute. */
  admitsCheck: AdmitsCheck;
}

export type AdmitsCheck = (request: { headers: { get(name: string): string | null } }, peerAddress: string) => boolean;

const MAX_NAME = 253;
/** A proxy asks once for each new name; who makes it ask more often has made names up. */
const CHECKS_PER_MINUTE = 1_200;

/**
 * Counts by client. What a trusted proxy asks for itself is always answered: strangers who ask through it, or make up names
 * of hosts, would otherwise keep all others without a certificate.
 */
export function createCheckGuard({
  clock,
  isTrustedProxy,
}: {
  clock: Clock;
  isTrustedProxy: AddressRanges;
}): AdmitsCheck {
  const guard = createRateGuard({ clock, perMinute: CHECKS_PER_MINUTE });
  return ({ headers }, peer) => {
    const forwardedFor = headers.get("x-forwarded-for");
    if (forwardedFor === null && isTrustedProxy(plainAddress(peer) ?? "")) return true;
    return guard.admits(addressPrefix(clientAddress({ peer, forwardedFor, isTrustedProxy })));
  };
}
const HEADERS = { "Cache-Control": "no-store" };

/**
 * `GET /domains/check?domain=…`: whether a proxy should get a certificate for a name, as Caddy asks before it does
 * (`on_demand_tls`, `ask`): 200 or 404, and no word more. No key: what it says everybody sees who opens the name.
 */
export function domainCheckRoutes({ isServed, admitsCheck }: DomainCheckDeps): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get("/domains/check", async (c) => {
    if (!admitsCheck(c.req.raw, c.env.peerAddress)) return c.body(null, 429, { ...HEADERS, "Retry-After": "60" });
    const name = c.req.query("domain") ?? "";
    const isKnown = name !== "" && name.length <= MAX_NAME && (await isServed(name));
    return c.body(null, isKnown ? 200 : 404, HEADERS);
  });
}
