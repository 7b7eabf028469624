import { firstIndex } from "./partition.ts";

/** Where the lines of a text start, and the line of an offset, from 1. */
export function createLines(text: string): { starts: readonly number[]; line(offset: number): number } {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return { starts, line: (offset) => firstIndex(starts.length, (index) => (starts[index] ?? 0) > offset) };
}

/**
 * Maps offsets in a text to line numbers, from 1. The index is built in one pass on the first call; each lookup is then
 * a binary search. A page of 2 MB may have 60,000 offsets, and counting from the start for each of them took minutes.
 */
export function createLineIndex(text: string): (offset: number) => number {
  let lines: ReturnType<typeof createLines> | null = null;
  return (offset) => (lines ??= createLines(text)).line(offset);
}
