import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "#lib/logger.ts";
import { type AddressRanges, ipv6Groups, unmappedAddress } from "#lib/network/network-address.ts";

export interface ConnectionLimits {
  /** Open connections per client address, or per /64 of IPv6. */
  perAddress: number;
  /** Not limited: the connections of a proxy belong to many clients. */
  isTrustedProxy: AddressRanges;
}

/**
 * Passes connections beyond the limit to `refuse`, which ends them. A client that reads a response byte by byte keeps
 * its connection for as long as it likes: without a limit, one address could use up all connections of the process.
 */
export function limitConnections(
  { server, logger }: { server: Server; logger: Logger },
  { perAddress, isTrustedProxy }: ConnectionLimits,
  refuse: (socket: Socket) => void,
): void {
  const open = new Map<string, { connections: number; isLogged: boolean }>();
  server.on("connection", (socket: Socket) => {
    const address = unmappedAddress(socket.remoteAddress ?? "");
    if (address === "" || isTrustedProxy(address)) return;
    const owner = ipv6Groups(address)?.slice(0, 4).join(":") ?? address;
    const place = open.get(owner) ?? { connections: 0, isLogged: false };
    if (place.connections >= perAddress) {
      if (!place.isLogged) logger.warn({ address, perAddress }, "an address has reached its limit of open connections");
      place.isLogged = true; // logged once, until all of its connections are closed
      refuse(socket);
      return;
    }
    place.connections += 1;
    open.set(owner, place);
    socket.once("close", () => {
      place.connections -= 1;
      if (place.connections === 0) open.delete(owner);
    });
  });
}
