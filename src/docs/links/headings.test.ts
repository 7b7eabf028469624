import { expect, test } from "vitest";
import { anchorsOf, headingsOf } from "./headings.ts";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { parseInDialect } from "#docs/syntax/syntax.ts";

function parse(source: string, format: MarkdownFormat = "mdx") {
  const outcome = parseWithMicromark(source, format);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.root;
}

test("headings get GitHub's ids, with a counter when they repeat", () => {
  const root = parse("# Set up\n\n## Use `npm` & *friends*\n\n## Set up\n\n## Über uns\n\n## 入门\n\n## !!!\n");
  expect(headingsOf(root)).toEqual([
    { depth: 1, text: "Set up", id: "set-up", line: 1 },
    { depth: 2, text: "Use npm & friends", id: "use-npm--friends", line: 3 },
    { depth: 2, text: "Set up", id: "set-up-1", line: 5 },
    { depth: 2, text: "Über uns", id: "über-uns", line: 7 },
    { depth: 2, text: "入门", id: "入门", line: 9 },
    { depth: 2, text: "!!!", id: "section", line: 11 },
  ]);
});

test("a custom id is used as written, in each supported syntax", () => {
  expect(headingsOf(parse("## Install {#setup}\n", "md"))).toMatchObject([{ text: "Install", id: "setup" }]);
  expect(headingsOf(parse("## Install \\{#setup}\n"))).toMatchObject([{ text: "Install", id: "setup" }]);
  expect(headingsOf(parse("## Install {/* #setup */}\n"))).toMatchObject([{ text: "Install", id: "setup" }]);
});

test("titled components and explicit ids are anchors, and HTML headings and updates are headings", () => {
  const root = parse(
    [
      '<Steps><Step title="Set up">x</Step></Steps>',
      "",
      '<Accordion title={"Why?"} id="why">y</Accordion>',
      "",
      '<ParamField path="user_id" type="string">z</ParamField>',
      "",
      '<Update label="May 2026">v</Update>',
      "",
      "<h3>Small *print*</h3>",
      "",
      '<a name="old"></a>',
      "",
      "## Set up <Badge>new</Badge>",
    ].join("\n"),
  );
  expect(anchorsOf(root).map(({ id, kind }) => `${kind} ${id}`)).toEqual([
    "component set-up",
    "component why",
    "component user_id",
    "element param-user-id",
    "heading may-2026",
    "heading small-print",
    "element old",
    "heading set-up-new",
  ]);
  expect(headingsOf(root).map(({ id }) => id)).toEqual(["may-2026", "small-print", "set-up-new"]);
});

test("ids of raw HTML in a Markdown page are anchors", () => {
  const root = parse('<div id="top">\n\ntext <a name="here"></a>\n\n</div>\n', "md");
  expect(anchorsOf(root).map(({ id }) => id)).toEqual(["top", "here"]);
});

test.each<[DialectName, string, string[]]>([
  [
    "vitepress",
    "## build.assetsInlineLimit\n## `index.html` and Project Root\n## Comparison with Vuex 3.x/4.x\n## 2. Étape (2)\n## Étape (2)\n## Étape (2)\n## !!!",
    [
      "build-assetsinlinelimit",
      "index-html-and-project-root",
      "comparison-with-vuex-3-x-4-x",
      "_2-etape-2",
      "etape-2",
      "etape-2-1",
      "section",
    ],
  ],
  [
    "mkdocs",
    "## `Mcp-Param-*` headers\n## Set up & run\n## Set up & run\n## Set up & run\n## Über_uns: 入门\n## 入门\n## Install {#own}",
    ["mcp-param-headers", "set-up-run", "set-up-run_1", "set-up-run_2", "uber_uns", "_1", "own"],
  ],
  ["docusaurus", "## build.assetsInlineLimit\n## Set up & run", ["buildassetsinlinelimit", "set-up--run"]],
  ["gitbook", "## `Mcp-Param-*` headers", ["mcp-param--headers"]],
])("%s: headings get the ids that links in its repositories use", (dialect, source, ids) => {
  const outcome = parseInDialect(parseWithMicromark, source.replaceAll("\n", "\n\n"), { format: "md", dialect });
  expect(outcome.ok && headingsOf(outcome.root).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ["thumbnails.background", "param-thumbnails-background"],
  ["iconType", "param-icon-type"],
  ["max_tokens", "param-max-tokens"],
  ["_meta", "param-meta"],
  ["FASTMCP_SERVER_AUTH", "param-fastmcp-server-auth"],
  ["x-api-key", "param-x-api-key"],
  ["base64", "param-base64"],
  ["previewURL", "param-preview-url"],
  ["previewURLs", "param-preview-urls"],
  ["HTTPServer", "param-http-server"],
])("a field has a second id, as on Mintlify: %s is at #%s", (name, id) => {
  const ids = anchorsOf(parse(`<ResponseField name="${name}">a</ResponseField>\n`)).map((anchor) => anchor.id);
  expect(ids.slice(1)).toEqual([id]);
});

test("second ids of fields get a counter when they repeat", () => {
  const two = '<ParamField query="name">a</ParamField>\n\n<ParamField body="name">b</ParamField>\n';
  const ids = ["name", "param-name", "name-1", "param-name-1"];
  expect(anchorsOf(parse(two)).map(({ id }) => id)).toEqual(ids);
});

test("a heading with a dot inside a word has a second id, as on Mintlify, unless another heading has that id", () => {
  const ids = (markdown: string) => anchorsOf(parse(markdown)).map((anchor) => anchor.id);
  expect(ids("## OAuth 2.0\n\n## navigation.global\n\n## The end.\n")).toEqual(["oauth-20", "oauth-2-0", "navigationglobal", "navigation-global", "the-end"]); // oxfmt-ignore
  expect(ids("## A.b\n\n## A b\n\n## A.b\n")).toEqual(["ab", "a-b", "ab-1"]);
});
