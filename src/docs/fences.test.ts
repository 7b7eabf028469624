import { expect, it } from "vitest";
import { Fences, indentOf } from "./fences.ts";

/** The lines outside fences. */
function outside(text: string): string[] {
  const fences = new Fences();
  return text.split("\n").filter((line) => !fences.covers(line));
}

it.each([
  ["a fence", "a\n```js\nx\n```\nb", ["a", "b"]],
  ["a longer fence with a shorter one in it", "````\n```\nx\n```\n````\nb", ["b"]],
  ["a line with a language, which ends nothing", "```\n```js\nx\n```\nb", ["b"]],
  ["tildes, which backticks do not end", "~~~\n```\nx\n~~~\nb", ["b"]],
  ["a fence that a longer one ends", "```\nx\n`````\nb", ["b"]],
  ["code that is indented like a fence", "```\n    ```\nx\n```\nb", ["b"]],
  ["a fence in a quote and in a list", "> ```\n> x\n> ```\n- ```\n  x\n  ```\nb", ["b"]],
  ["a fence far into a list", "1. a\n\n   ```\n   x\n   ```\nb", ["1. a", "", "b"]],
  ["code in backticks on one line", "```x``` is code\nb", ["```x``` is code", "b"]],
  ["a fence without an end", "```\nx\n\nb", []],
])("tells %s from the text around it", (_, text, expected) => {
  expect(outside(text)).toEqual(expected);
});

it("counts a tab up to the next multiple of four columns", () => {
  expect(["  x", "\tx", " \tx", "   \t\tx", "x\t"].map(indentOf)).toEqual([2, 4, 4, 8, 0]);
});
