import { ipv6Groups } from "#lib/network/network-address.ts";

/** Addresses by their version; null for a version that has too many. */
export interface ListedAddresses {
  ipv4: string[] | null;
  ipv6: string[] | null;
}

/**
 * The addresses of ranges as visitor numbers tell them apart: each one of IPv4, one of each /64 of IPv6. At most `max` of
 * a version.
 */
export function addressesInRanges(ranges: readonly string[], max: number): ListedAddresses {
  const { ipv4 = [], ipv6 = [] } = Object.groupBy(ranges, (range) => (range.includes(":") ? "ipv6" : "ipv4"));
  return { ipv4: addressesIn(ipv4, { max, width: 32 }), ipv6: addressesIn(ipv6, { max, width: 64 }) };
}

/** `width`: the bits that tell addresses apart. */
function addressesIn(ranges: readonly string[], { max, width }: { max: number; width: 32 | 64 }): string[] | null {
  const addresses: string[] = [];
  for (const range of ranges) {
    const [network = "", bits] = range.split("/", 2);
    const groups = width === 64 ? ipv6Groups(network)?.slice(0, 4) : network.split(".").map(Number);
    if (!groups) continue;
    const prefix = Math.min(bits === undefined ? width : Number(bits), width);
    const size = 2 ** (width - prefix);
    if (addresses.length + size > max) return null;
    let first = 0n;
    for (const group of groups) first = (first << BigInt(width / 4)) | BigInt(group);
    first = (first >> BigInt(width - prefix)) << BigInt(width - prefix);
    for (let index = 0; index < size; index++) addresses.push(addressText(first + BigInt(index), width));
  }
  return addresses;
}

function addressText(number: bigint, width: 32 | 64): string {
  const unit = width / 4;
  const groups = [3, 2, 1, 0].map((place) => Number((number >> BigInt(place * unit)) & BigInt(2 ** unit - 1)));
  return width === 64 ? `${groups.map((group) => group.toString(16)).join(":")}::` : groups.join(".");
}
