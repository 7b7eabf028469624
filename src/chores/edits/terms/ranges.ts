import { firstIndex } from "#lib/partition.ts";

export interface Range {
  start: number;
  end: number;
}

/** Finds the range that contains a part of the source by binary search in sorted ranges that do not overlap. */
export function rangeAround<Found>(
  sorted: readonly Found[],
  { start, end }: Range,
  rangeOf: (each: Found) => Range,
): Found | null {
  const found = sorted[firstIndex(sorted.length, (index) => rangeOf(sorted[index] as Found).start > start) - 1];
  return found !== undefined && rangeOf(found).end >= end ? found : null;
}

/** For lists whose elements are ranges themselves. */
export const itself = (range: Range): Range => range;
