export interface Range {
  start: number;
  end: number;
}

/** The one of ranges in order, of which none overlaps another, that holds a part of the source; found by halving. */
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

/** For ranges that are themselves what is looked for. */
export const itself = (range: Range): Range => range;
