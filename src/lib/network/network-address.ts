import { BlockList, isIP, isIPv4, SocketAddress } from "node:net";

/** The bits before the IPv4 address in an IPv4-mapped IPv6 address, RFC 4291, 2.5.5.2. */
const MAPPED_BITS = 96;

/** Whether an address lies in one of the ranges; false for a text that is not an address. */
export type AddressRanges = (address: string) => boolean;

/**
 * Parses CIDR ranges and single addresses; throws a `RangeError` that names an entry that is neither. An IPv4-mapped
 * address counts as IPv4, in ranges and in lookups, and no IPv6 range contains IPv4 addresses: `::/0` is all of IPv6.
 */
export function parseAddressRanges(ranges: readonly string[]): AddressRanges {
  // Node 24: a list with both families matches an IPv4 address against the IPv6 range of its mapped form.
  const ipv4 = new BlockList();
  const ipv6 = new BlockList();
  for (const range of ranges) {
    const [network = "", bits, ...rest] = range.split("/");
    const version = isIP(network);
    const longest = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || prefix < 0 || prefix > longest || rest.length > 0) {
      throw new RangeError(`"${range}" is not an address range such as 10.0.0.0/8 or 2001:db8::/32`);
    }
    const unmapped = unmappedAddress(network);
    if (version === 4) ipv4.addSubnet(network, prefix, "ipv4");
    else if (unmapped !== network && prefix >= MAPPED_BITS) ipv4.addSubnet(unmapped, prefix - MAPPED_BITS, "ipv4");
    else ipv6.addSubnet(network, prefix, "ipv6");
  }
  return (given) => {
    const address = unmappedAddress(given);
    const version = isIP(address);
    return version === 6 ? ipv6.check(address, "ipv6") : version === 4 && ipv4.check(address, "ipv4");
  };
}

// IANA IPv4 Special-Purpose Address Registry and multicast, as of November 2026.
const SPECIAL_IPV4 = parseAddressRanges([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32", // Azure's metadata and DNS service, reachable only from inside Azure
]);

// IANA assigns only 2000::/3 for the public Internet; these ranges inside it are special.
const GLOBAL_IPV6 = parseAddressRanges(["2000::/3"]);
const SPECIAL_IPV6 = parseAddressRanges(["2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"]);

/**
 * Whether an address belongs to a host on the public Internet. Excludes private, loopback, link-local (including cloud
 * metadata services), shared, documentation, multicast and reserved ranges, and IPv6 addresses that translate to such
 * an IPv4 address (mapped, NAT64, 6to4).
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_IPV4(address);
  const groups = ipv6Groups(address);
  if (groups === null) return false;
  const embedded = embeddedIpv4(groups);
  if (embedded !== null) return !SPECIAL_IPV4(embedded);
  const plain = groups.map((group) => group.toString(16)).join(":");
  return GLOBAL_IPV6(plain) && !SPECIAL_IPV6(plain);
}

/** The IPv4 address inside an IPv4-mapped IPv6 address; any other address unchanged. */
export function unmappedAddress(address: string): string {
  const groups = isIP(address) === 6 ? ipv6Groups(address) : null;
  return groups && isMapped(groups) ? dotted(groups[6], groups[7]) : address;
}

type Groups = readonly [number, number, number, number, number, number, number, number];

function isMapped(groups: Groups): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/**
 * The IPv4 address that a gateway would deliver to: IPv4-mapped, NAT64 (RFC 6052; its local form RFC 8215), 6to4 (RFC
 * 3056).
 */
function embeddedIpv4(groups: Groups): string | null {
  const [first, second, third, , , , seventh, eighth] = groups;
  if (isMapped(groups)) return dotted(seventh, eighth);
  if (first === 0x64 && second === 0xff9b) {
    const isWellKnown = groups.slice(2, 6).every((group) => group === 0);
    // The layout inside 64:ff9b:1::/48 is chosen by each network, so such an address is never public.
    return isWellKnown ? dotted(seventh, eighth) : "0.0.0.0";
  }
  return first === 0x2002 ? dotted(second, third) : null;
}

function dotted(high: number, low: number): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** The eight groups of an IPv6 address; null for any other text. */
export function ipv6Groups(address: string): Groups | null {
  if (isIP(address) !== 6) return null;
  // SocketAddress normalizes every form: lower case, compressed, IPv4 parts dotted, no zone.
  const canonical = new SocketAddress({ address: address.replace(/%.*/s, ""), family: "ipv6" }).address;
  const tail = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(canonical);
  const hex = (high: string | undefined, low: string | undefined) => ((Number(high) << 8) | Number(low)).toString(16);
  const text = tail ? `${tail[1]}${hex(tail[2], tail[3])}:${hex(tail[4], tail[5])}` : canonical;
  const [left = "", right] = text.split("::", 2);
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const head = parse(left);
  const end = parse(right ?? "");
  const groups = [...head, ...Array<number>(Math.max(0, 8 - head.length - end.length)).fill(0), ...end];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  return [a, b, c, d, e, f, g, h];
}
