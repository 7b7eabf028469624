import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import type { DialectName } from "#docs/dialects/dialect.ts";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { parseInDialect } from "./syntax.ts";

function textsOf(dialect: DialectName, source: string, format: MarkdownFormat = "md"): string[] {
  const outcome = parseInDialect(parseWithMicromark, source, { format, dialect });
  if (!outcome.ok) throw new Error(outcome.message);
  const found: string[] = [];
  const visit = (node: Nodes) => {
    if (node.type === "text") found.push(source.slice(node.position?.start.offset, node.position?.end.offset));
    if ("children" in node) node.children.forEach(visit);
  };
  visit(outcome.root);
  return found;
}

test("a tree has the places of the page's own source", () => {
  const source = "---\ntitle: A\n---\n\n:::note[One *two*]\r\nThree\r\n:::\n\nFour\n";
  expect(textsOf("docusaurus", source)).toEqual(["One ", "two", "Three", "Four"]);
});

test("a page that is no MDX parses as Markdown where the tool repairs it", () => {
  expect(textsOf("docusaurus", "a <b {c\n")).toEqual(["a <b {c"]);
});
