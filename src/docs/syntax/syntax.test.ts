import type { Nodes } from "mdast";
import { expect, test } from "vitest";
import type { DialectName } from "#docs/dialect.ts";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { includesIn } from "./include-syntax.ts";
import { parseInDialect, readSyntax } from "./syntax.ts";

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

test("a tree has positions in the page's own source", () => {
  const source = "---\ntitle: A\n---\n\n:::note[One *two*]\r\nThree\r\n:::\n\nFour\n";
  expect(textsOf("docusaurus", source)).toEqual(["One ", "two", "Three", "Four"]);
});

test("a page that is not valid MDX parses as Markdown if the tool does the same", () => {
  expect(textsOf("docusaurus", "a <b {c\n")).toEqual(["a <b {c"]);
});

// The slowest of a hundred inputs that were tried; before, each position was scanned again, and they took minutes.
test.each<[DialectName, string]>([
  ["docusaurus", ":::note[\n"],
  ["docusaurus", "<!--"],
  ["docusaurus", "\n"],
  ["vitepress", "<<< a{"],
  ["vitepress", "{{ a"],
  ["mkdocs", "<div markdown>\n"],
  ["mkdocs", "!!! note\n    "],
  ["mkdocs", "a\n: b\n"],
  ["mkdocs", "``` "],
  ["mkdocs", "[]() "],
  ["gitbook", '{% a "'],
  ["gitbook", "{{#include a "],
  ["gitbook", "# { #a .b "],
  ["gitbook", "\\\\( a "],
  ["vitepress", " :a=\"'"],
  ["fumadocs", "<include "],
])("%s: repeated %j is scanned once", (dialect, unit) => {
  const source = unit.repeat(20_000 / unit.length);
  expect(readSyntax(source, "md", dialect).source.length).toBeLessThan(20 * source.length);
  expect(includesIn(source, dialect)).toEqual([]);
});

test("marks of components do not appear in the text of a page", () => {
  const source = ":::note\n\n- a\n\n  :::\n\n::::tip B\n";
  expect(textsOf("docusaurus", source)).toEqual(["a", "B"]);
  expect(textsOf("vitepress", "a\n\n<<< @/b.js\n")).toEqual(["a"]);
});

test.each([
  ["10. ```sh\n    npm i\n    ```\n", "a number of two digits"],
  ["-   ```sh\n    npm i\n    ```\n", "a bullet with three spaces"],
  ["- 1. ```sh\n     npm i\n     ```\n", "two markers"],
  ["> 10. ```sh\n>     npm i\n>     ```\n", "a number in a quote"],
])("a fence closes below its list marker: %j", (list) => {
  expect(textsOf("docusaurus", `${list}\n:::note T\nIn note\n:::\n`)).toEqual(["T", "In note"]);
});

test.each([
  ["<figure markdown>\n  <figcaption markdown>A **b** c</figcaption>\n</figure>\n", ["A ", "b", " c"]],
  [
    '<div markdown>\n  <div class="grid cards" markdown>\n\n- a\n- b\n\n  </div>\n</div>\n\nAfter\n',
    ["a", "b", "After"],
  ],
])("Markdown in HTML is read up to the end of its element: %j", (source, texts) => {
  expect(textsOf("mkdocs", source).filter((text) => text.trim() !== "")).toEqual(texts);
});

test("a container ends with at least as many colons as it began with", () => {
  expect(textsOf("docusaurus", "::::note\n\na\n\n:::\n\nb\n\n::::\n\nc\n")).toEqual(["a", ":::", "b", "c"]);
});

test("names of emoji are read in text, and not in addresses, tags and code", () => {
  const written = '[a](/:smile:) <a title=":smile:">b</a> https://a.example/:smile: `:smile:`';
  expect(readSyntax(`:smile: ${written}\n`, "md", "docusaurus").source).toBe(`😄 ${written}\n`);
});

function treeOf(source: string): Nodes {
  const outcome = parseInDialect(parseWithMicromark, source, { format: "md", dialect: "gitbook" });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.root;
}

test("what follows a closed component is outside it, and outside those that were left open in it", () => {
  const source = '{% hint style="info" %}\n{% tabs %}\n{% tab title="A" %}\na\n{% endhint %}\n\nb\n';
  const root = treeOf(source);
  expect("children" in root && root.children.map(({ type }) => type)).toEqual(["mdxJsxFlowElement", "paragraph"]);
});

test("a page with more components than are read says what becomes of the others", () => {
  const source = "::: tip A\n:::\n".repeat(10_000) + "::: tip B\n:::\n";
  expect(readSyntax(source, "md", "vitepress").leftOut).toEqual([
    {
      offset: source.indexOf("::: tip B"),
      message:
        "From here on, only the content of components is shown: the page has more than 20,000 starts and ends of components.",
    },
  ]);
});

test("components are nested up to fifty deep", () => {
  const depthOf = (node: Nodes): number => ("children" in node ? 1 + Math.max(0, ...node.children.map(depthOf)) : 1);
  expect(depthOf(treeOf('{% hint style="info" %}\n'.repeat(200) + "a\n"))).toBeLessThan(60);
});
