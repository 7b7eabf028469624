import { AppError } from "#lib/app-error.ts";
import { parseAddressRanges, unmappedAddress } from "#lib/network/network-address.ts";

/** More than any known office or pipeline uses. */
export const MAX_ALLOWED_ADDRESSES = 50;
/** The longest IPv6 address with its prefix. */
export const MAX_RANGE_LENGTH = 49;

/**
 * Normalizes the addresses and CIDR ranges of a key for storage: without spaces, lower case, unique. `AppError invalid`
 * names an invalid one.
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
  const [address = ""] = range.split("/", 1);
  try {
    if (range.length > MAX_RANGE_LENGTH) throw new RangeError("too much of it");
    parseAddressRanges([range]);
  } catch (error) {
    if (error instanceof RangeError) return "is no address or range, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32.";
    throw error;
  }
  // Clients are identified by their IPv4 address, so no client would match such a range.
  return unmappedAddress(address) === address ? null : "is an IPv4 address inside IPv6: write it as IPv4.";
}

const refused = (message: string, index?: number): AppError =>
  new AppError("invalid", message, {
    details: [{ path: index === undefined ? "allow" : `allow.${index}`, message }],
  });

/** The stored list; null if there is none. */
export const parseAllowed = (json: string | null): string[] | null =>
  json === null ? null : (JSON.parse(json) as string[]);

/** Whether a key with this list works from an address. */
export const isAllowedFrom = (allowed: readonly string[] | null, address: string): boolean =>
  allowed === null || parseAddressRanges(allowed)(address);

/** Rejects a key from another address. The error does not list the allowed ones, which would help a thief. */
export const addressNotAllowed = (): AppError =>
  new AppError(
    "forbidden",
    "This key works from other addresses than yours. Call from one of them, or use another key.",
  );
