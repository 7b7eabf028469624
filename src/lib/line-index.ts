/**
 * Maps offsets in a text to line numbers, from 1. The index is built in one pass on the first call; each lookup is then
 * a binary search. A page of 2 MB may have 60,000 offsets, and counting from the start for each of them took minutes.
 */
export function createLineIndex(text: string): (offset: number) => number {
  let ends: number[] | null = null;
  return (offset) => {
    ends ??= lineEnds(text);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? Infinity) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function lineEnds(text: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}
