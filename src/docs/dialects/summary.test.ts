import { expect, it } from "vitest";
import { readSummary, type SummaryItem } from "./summary.ts";

const shown = (items: readonly SummaryItem[]): string =>
  items.map(({ title, children }) => title + (children.length === 0 ? "" : `[${shown(children)}]`)).join(" ");
const partsOf = (text: string) => readSummary(text).map(({ title, items }) => `${title}: ${shown(items)}`);

it("nests items by their indentation, below the heading before them", () => {
  expect(partsOf("* [A](a.md)\n  * [B](b.md)\n    - C\n  * D\n# Two\n  * E\n* F\n")).toEqual([
    "null: A[B[C] D]",
    "Two: E F",
  ]);
});

it("ends the parts of a book before the chapters that follow them", () => {
  const text =
    "[Preface](a.md)\n\n# One\n\n- [B](b.md)\n\n# Two\n\n- [C](c.md)\n\n-----\n\n[Index](d.md)\n[Authors](e.md)\n";
  expect(partsOf(text)).toEqual(["null: Preface", "One: B", "Two: C", "null: Index Authors"]);
});
