import { expect, it } from "vitest";
import { ignoreRules } from "./ignore-rules.ts";

it.each([
  ["drafts/", ["drafts/a.md", "guides/drafts/a.md"], ["drafts.md"]],
  ["/drafts/", ["drafts/a.md"], ["guides/drafts/a.md"]],
  ["todo.md", ["todo.md", "guides/todo.md"], ["todo.md.md"]],
  ["*.tmp.md\n!keep.tmp.md", ["a.tmp.md"], ["keep.tmp.md"]],
  ["!keep.tmp.md\n*.tmp.md", ["keep.tmp.md"], []],
  ["# a.md\n\n  b.md  ", ["b.md"], ["a.md", "# a.md"]],
])("reads %j like a .gitignore", (text, excluded, shown) => {
  const isExcluded = ignoreRules(text);
  expect([excluded.map(isExcluded), shown.map(isExcluded)]).toEqual([excluded.map(() => true), shown.map(() => false)]);
});

it("excludes nothing without rules", () => {
  expect(ignoreRules(null)("a.md")).toBe(false);
});
