import { BlockList, isIP, isIPv4 } from "node:net";

/** Address ranges that can be asked whether an address is inside. */
export type AddressRanges = (address: string) => boolean;

/** Ranges from CIDR texts or single addresses; a text that is neither throws. */
export function addressRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/", 2);
    const version = isIP(network);
    const prefix = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits);
    if (version === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > (version === 6 ? 128 : 32)) {
      throw new RangeError(`"${range}" is not an address range such as 10.0.0.0/8 or 2001:db8::/32`);
    }
    list.addSubnet(network, prefix, version === 6 ? "ipv6" : "ipv4");
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}

const MAX_HOPS = 20;

/**
 * The address that a request came from: the peer, or, while that is a trusted proxy, the right-most untrusted entry of
 * `X-Forwarded-For`. What a client writes into the header itself stands left of that and is never believed.
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
    if (hop === null) break; // not an address: nothing left of it can be believed either
    address = hop;
  }
  return address;
}

/** An address without port, brackets and zone; IPv4 in IPv6 becomes IPv4. null for anything else. */
export function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text; // nearly always
  let address = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address);
  if (bracketed) address = bracketed[1] ?? "";
  else if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(":"));
  address = address.replace(/%.*/s, "");
  const version = isIP(address);
  if (version === 0) return null;
  if (version === 4) return address;
  const groups = expandIpv6(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return address.toLowerCase();
  const [high = 0, low = 0] = groups.slice(6);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** The part of an address that stands for one household or device: IPv4 whole, IPv6 its /64. */
export function addressPrefix(address: string): string {
  if (!address.includes(":")) return address;
  return `${expandIpv6(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

function expandIpv6(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address;
  const [head = "", tail] = text.split("::", 2);
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const left = parse(head);
  const right = parse(tail ?? "");
  return [...left, ...Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0), ...right];
}
