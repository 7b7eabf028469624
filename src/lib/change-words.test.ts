import { expect, it } from "vitest";
import { changeWords } from "./change-words.ts";

it.each([
  ["main", "docs", "Branch from “main” to “docs”"],
  ["", "docs", "Branch from empty to “docs”"],
  ["one\ntwo\n", "one\nthree\nfour\n", "Branch (2 lines changed)"],
  ["", "x".repeat(200), "Branch (1 line changed)"],
])("a change from %j to %j is shown as %s", (before, after, shown) => {
  expect(changeWords("Branch", before, after)).toBe(shown);
});
