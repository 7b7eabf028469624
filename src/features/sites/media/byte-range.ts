/** The part of a file that a request asks for, both ends included. */
export interface ByteRange {
  first: number;
  last: number;
}

/**
 * Reads `Range` (RFC 9110, 14.2) of a file of `sizeBytes`. Null: the whole file is to be sent, as for units and lists of
 * ranges that are not offered here, or when `If-Range` names another version than `etag`. Players ask for one range.
 */
export function readRange(
  headers: { get(name: string): string | null },
  { sizeBytes, etag }: { sizeBytes: number; etag: string },
): ByteRange | "unsatisfiable" | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.get("range")?.trim() ?? "") ?? [];
  if (from === undefined || to === undefined || (from === "" && to === "")) return null;
  const condition = headers.get("if-range");
  // RFC 9110, 13.1.5: a weak validator never matches, and no date is sent that could.
  if (condition !== null && (condition.trim() !== etag || etag.startsWith("W/"))) return null;
  if (from === "") {
    const length = Number(to);
    if (length === 0 || sizeBytes === 0) return "unsatisfiable";
    return { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === "" ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== "" && Number(to) < first) return null; // not a range at all: ignored
  return first >= sizeBytes ? "unsatisfiable" : { first, last };
}
