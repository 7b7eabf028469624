import { expect, it } from "vitest";
import { understand } from "#rules/understanding.ts";
import { indexNames } from "./names.ts";

const notes = { path: "release-notes", title: "Product updates", headings: [] };
const read = (pages: (typeof notes)[]) =>
  understand("Fix broken links on the release notes page", ["fix_links"], indexNames({ pages, groups: [] })).calls;

it("knows a page by the words of its file's name, unless another page is called so", () => {
  expect(read([notes])).toEqual([{ tool: "fix_links", input: { in: ["release-notes"] } }]);
  expect(read([notes, { ...notes, path: "cli/release-notes" }])).toEqual([]);
  const titled = { path: "cli/news", title: "Release notes", headings: [] };
  expect(read([notes, titled])).toEqual([{ tool: "fix_links", input: { in: ["release notes"] } }]);
});
