/** The first index for which `isBehind` holds, by binary search; `length` if it never does. It must hold for all later indexes. */
export function firstIndex(length: number, isBehind: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
