import { Hono } from "hono";
import { addressPrefix, clientAddress, plainAddress } from "#features/visitors/client-address.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import type { Clock } from "#lib/clock.ts";
import type { AddressRanges } from "#lib/network/network-address.ts";
import type { HttpEnv } from "#kit/http/context.ts";

export interface DomainCheckDeps {
  isServed(name: string): Promise<boolean>;
  /** Whether a client may check one more name in this minute. */
  admitsCheck: AdmitsCheck;
}

export type AdmitsCheck = (request: { headers: { get(name: string): string | null } }, peerAddress: string) => boolean;

const MAX_NAME = 253;
/** A proxy checks each new name once; more checks come from a client that makes names up. */
const CHECKS_PER_MINUTE = 1_200;

/**
 * Counts by client. Requests of a trusted proxy itself are always answered: strangers who send requests through it, or
 * make up host names, would otherwise keep all others without a certificate.
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
 * (`on_demand_tls`, `ask`): 200 or 404, without a body. No key: everyone who opens the name sees the same.
 */
export function domainCheckRoutes({ isServed, admitsCheck }: DomainCheckDeps): Hono<HttpEnv> {
  return new Hono<HttpEnv>().get("/domains/check", async (c) => {
    if (!admitsCheck(c.req.raw, c.env.peerAddress)) return c.body(null, 429, { ...HEADERS, "Retry-After": "60" });
    const name = c.req.query("domain") ?? "";
    const isKnown = name !== "" && name.length <= MAX_NAME && (await isServed(name));
    return c.body(null, isKnown ? 200 : 404, HEADERS);
  });
}
