import { isIP, isIPv4 } from "node:net";
import { type AddressRanges, ipv6Groups, unmappedAddress } from "#lib/network/network-address.ts";

const MAX_HOPS = 20;

/**
 * The client address of a request: the peer, or, if that is a trusted proxy, the right-most untrusted entry of
 * `X-Forwarded-For`. Values that clients put into the header themselves are left of that and never believed.
 */
export function clientAddress(request: {
  peer: string;
  forwardedFor: string | null;
  isTrustedProxy: AddressRanges;
}): string {
  let address = plainAddress(request.peer) ?? "0.0.0.0";
  const hops = request.forwardedFor?.split(",").slice(-MAX_HOPS) ?? [];
  while (hops.length > 0 && request.isTrustedProxy(address)) {
    const hop = plainAddress(hops.pop() ?? "");
    if (hop === null) break; // invalid: values left of it cannot be believed either
    address = hop;
  }
  return address;
}

/** An address without port, brackets and zone; IPv4 in IPv6 becomes IPv4. null for anything else. */
export function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text; // the usual case
  let address = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address);
  if (bracketed) address = bracketed[1] ?? "";
  else if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(":"));
  address = address.replace(/%.*/s, "");
  return isIP(address) === 0 ? null : unmappedAddress(address).toLowerCase();
}

/** The part of an address that identifies one household or device: IPv4 whole, IPv6 its /64. */
export function addressPrefix(address: string): string {
  const groups = address.includes(":") ? ipv6Groups(address) : null;
  if (groups === null) return address;
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}
