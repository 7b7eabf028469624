import { addressPrefix, clientAddress } from "#features/visitors/client-address.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import type { Clock } from "#lib/clock.ts";
import type { AddressRanges } from "#lib/network/network-address.ts";
import type { AdmitsCall } from "./endpoint.ts";

/** As fast as an agent works, with a few colleagues behind the same address; and twenty such offices per site. */
const PER_ADDRESS = 300;
const PER_PROJECT = 6_000;

/** Counts the calls of each client, and those to each project, by the minute. */
export function createCallGuard(deps: { clock: Clock; isTrustedProxy: AddressRanges }): AdmitsCall {
  const clients = createRateGuard({ clock: deps.clock, perMinute: PER_ADDRESS });
  const projects = createRateGuard({ clock: deps.clock, perMinute: PER_PROJECT });
  return (request, peer, project) => {
    const forwardedFor = request.headers.get("x-forwarded-for");
    const client = addressPrefix(clientAddress({ peer, forwardedFor, isTrustedProxy: deps.isTrustedProxy }));
    // A client's refused calls do not count against the project.
    return clients.admits(client) && projects.admits(project);
  };
}
