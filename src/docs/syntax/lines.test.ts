import { expect, it } from "vitest";
import { matchesInProse } from "./lines.ts";

/** How many of the letters x are outside code. */
const found = (source: string) => [...matchesInProse(source, /x/g)].map(({ index }) => index);

it.each([
  ["code in a line", "`x` x", [4]],
  ["code with backticks in it", "`` ` x `` x", [10]],
  ["code over two lines", "`a\nx` x", [6]],
  ["a backtick without an end in its paragraph", "` x\n\n`", [2]],
  ["a fence", "```\nx\n```\nx", [10]],
  ["a fence of tildes", "~~~\nx\n~~~\nx", [10]],
  ["a fence with a backtick in it", "```\n`\n```\nx `x`", [10]],
  ["backticks in front matter", "---\na: `\n---\nx `x`", [13]],
])("knows %s", (_, source, expected) => {
  expect(found(source)).toEqual(expected);
});

it("looks for the ends of ten thousand pieces of code, and reads further backticks as text", () => {
  expect(found("`x` ".repeat(10_000))).toEqual([]);
  expect(found("`x` ".repeat(10_001))).toHaveLength(1);
});
