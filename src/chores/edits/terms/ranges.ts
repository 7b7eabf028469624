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
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rangeOf(sorted[middle] as Found).start <= start) low = middle + 1;
    else high = middle;
  }
  const found = sorted[low - 1];
  return found !== undefined && rangeOf(found).end >= end ? found : null;
}

/** For lists whose elements are ranges themselves. */
export const itself = (range: Range): Range => range;
