/**
 * Lines of offsets in a text, from 1. Made once, with the first offset that is asked, in one pass; each then costs a binary
 * search: a page of 2 MB may have 60,000 places, and counting from its beginning for each of them took minutes.
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
