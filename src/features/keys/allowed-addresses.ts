import { AppError } from "#lib/app-error.ts";
import { parseAddressRanges, unmappedAddress } from "#lib/network/network-address.ts";

/** More than any office or pipeline is known to have. */
export const MAX_ALLOWED_ADDRESSES = 50;
/** The longest IPv6 address with its prefix. */
export const MAX_RANGE_LENGTH = 49;

/**
 * The addresses and CIDR ranges that a key is to work from, as they are stored: without spaces, in lower case, each once.
 * `AppError invalid` names the one that is none.
 */
export function readAllowedAddresses(texts: readonly string[]): string[] {
  const ranges = [...new Set(texts.map((text) => text.trim().toLowerCase()))];
  if (ranges.length === 0 || ranges.length > MAX_ALLOWED_ADDRESSES) {
    throw refused(
      `A key is limited to 1 to ${MAX_ALLOWED_ADDRESSES} addresses or ranges. Without a list it works from everywhere.`,
    );
  }
  for (const [index, range] of ranges.entries()) {
    const problem = problemOf(range);
    if (problem !== null) throw refused(`${JSON.stringify(range.slice(0, MAX_RANGE_LENGTH))} ${problem}`, index);
  }
  return ranges;
}

function problemOf(range: string): string | null {
  const [address = "", ...bits] = range.split("/");
  try {
    if (range.length > MAX_RANGE_LENGTH || bits.length > 1) throw new RangeError("too much of it");
    parseAddressRanges([range]);
  } catch (error) {
    if (error instanceof RangeError) return "is no address or range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.";
    throw error;
  }
  // Clients are known by their IPv4 address, so such a range would let nobody in.
  return unmappedAddress(address) === address ? null : "is an IPv4 address inside IPv6: write it as IPv4.";
}

const refused = (message: string, index?: number): AppError =>
  new AppError("invalid", message, {
    details: [{ path: index === undefined ? "allow" : `allow.${index}`, message }],
  });

/** The stored list; null where there is none. */
export const parseAllowed = (json: string | null): string[] | null =>
  json === null ? null : (JSON.parse(json) as string[]);

/** Whether a key with this list works from an address. */
export const isAllowedFrom = (allowed: readonly string[] | null, address: string): boolean =>
  allowed === null || parseAddressRanges(allowed)(address);

/** Refuses a key that is used from elsewhere. The list stays untold: whoever found the key would learn where to go. */
export const elsewhere = (): AppError =>
  new AppError(
    "forbidden",
    "This key works from other addresses than yours. Call from one of them, or use another key.",
  );
