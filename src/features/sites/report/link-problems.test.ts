import { expect, it } from "vitest";
import type { Link } from "#docs/links/links.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { linkProblem } from "./link-problems.ts";

it("suggests an address in the author's script", () => {
  const docs = { drafts: new Set() } as unknown as Docs;
  const suggestions = [{ url: "#%E7%A4%BA%E4%BE%8B", title: "示例" }];
  const link = { path: "a.mdx", line: 1, column: 1, url: "#例", broken: "no_anchor", suggestions } as unknown as Link;
  expect(linkProblem(docs, link).message).toBe("#例 is broken: its page has no such heading. Did you mean #示例?");
});
