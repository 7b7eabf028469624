import { type TextRange } from "#docs/nodes.ts";
import { firstIndex } from "#lib/partition.ts";

/** Finds the range that contains a part of the source by binary search in sorted ranges that do not overlap. */
export function rangeAround<Found>(
  sorted: readonly Found[],
  { start, end }: TextRange,
  rangeOf: (each: Found) => TextRange,
): Found | null {
  const found = sorted[firstIndex(sorted.length, (index) => rangeOf(sorted[index] as Found).start > start) - 1];
  return found !== undefined && rangeOf(found).end >= end ? found : null;
}

/** For lists whose elements are ranges themselves. */
export const itself = (range: TextRange): TextRange => range;
