import { expect, test } from "vitest";
import { rangeAround } from "./ranges.ts";

const ranges = [2, 6, 10].map((start) => ({ start, end: start + 3 }));

test.each([
  [{ start: 2, end: 5 }, 2],
  [{ start: 7, end: 8 }, 6],
  [{ start: 10, end: 13 }, 10],
  [{ start: 1, end: 3 }, null],
  [{ start: 4, end: 7 }, null],
  [{ start: 12, end: 14 }, null],
])("%j is in the range that begins at %j", (part, start) => {
  expect(rangeAround(ranges, part, (range) => range)?.start ?? null).toBe(start);
  expect(rangeAround([], part, (range) => range)).toBe(null);
});
