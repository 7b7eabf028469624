import { expect, it } from "vitest";
import { problemLines, reportOf } from "#testing/reports.ts";

// What a parser reads differently than its author meant is named with its line.

const INDEX = { "docs.json": JSON.stringify({ name: "Harbor", navigation: { pages: ["index"] } }) };
const report = async (body: string, format = "md") =>
  problemLines(await reportOf({ ...INDEX, [`index.${format}`]: `# A\n\n${body}` }));

const TABLE = "index.md:4 warning syntax: A table is shown as text: ";

it.each([
  [
    "fewer columns in the separator",
    "| a | b |\n| --- |\n| 1 | 2 |\n",
    "its separator row has 1 column, and its header 2 columns.",
  ],
  [
    "more columns in the separator",
    "a | b\n--- | --- | ---\n1 | 2\n",
    "its separator row has 3 columns, and its header 2 columns.",
  ],
  [
    "a separator without a header",
    "Some words\n|---|---|\n| 1 | 2 |\n",
    "it has no header row directly above its separator row.",
  ],
])("a table with %s is named", async (_, body, message) => {
  expect(await report(body)).toEqual([`${TABLE}${message}`]);
});

it("a table without a separator row is named", async () => {
  expect(await report("| a | b |\n| 1 | 2 |\n")).toEqual([
    "index.md:3 warning syntax: A table is shown as text: its second row has to be a separator, such as | --- | --- |.",
  ]);
});

it("a table directly below a tag is named", async () => {
  expect(await report("<div>\n| a | b |\n|---|---|\n| 1 | 2 |\n</div>\n\n<div>\n\na | b\n-|-\n\n</div>\n")).toEqual([
    "index.md:4 warning syntax: A table is shown as text: it needs an empty line between it and the tag above it.",
  ]);
});

it.each([
  ["code block", "<Tabs>\n<Tab>\n  ```js\n  ## a\n  ```\n</Tab>\n</Tabs>\n"],
  ["heading", "<details>\n<summary>S</summary>\n## a\n</details>\n"],
])("a %s directly below a tag is named", async (what, body) => {
  expect(await report(body)).toEqual([
    `index.md:5 warning syntax: A ${what} is shown as text: it needs an empty line between it and the tag above it.`,
  ]);
  expect(await report(body.replaceAll(/(?<=>\n)(?= *[#`])/g, "\n"))).toEqual([]);
});

it("a table in a list is named with its line", async () => {
  expect(await report("- x\n\n  | a | b |\n  | - |\n  | 1 | 2 |\n")).toEqual([
    "index.md:6 warning syntax: A table is shown as text: its separator row has 1 column, and its header 2 columns.",
  ]);
});

it.each([
  ["tables", "| a | b |\n|---|:-:|\n| 1 | 2 |\n\na | `b \\| c`\n--|--\n1 | 2\n"],
  ["bars in a sentence", "The sum |x| + |y| is\n|z|.\n"],
  ["code blocks", "````md\n```js\n````\n\n- a\n  ```\n  b\n  ```\n\n> ~~~\n> c\n> ~~~\n"],
  ["formulas", "$$\na\n$$\n\n$$ b $$\n\n- x\n\n  $$\n  c\n  $$\n"],
  ["comments", "<!-- a\n\nb -->\n\n<div>\n<!-- c -->\n</div>\n"],
  ["tags", "<details>\n<summary>a</summary>\n\nb\n\n</details>\n\n<ul><li>c<li>d</ul>\n\n<p align=center>e\n\nf\n"],
  ["containers", ":::note\na\n:::\n\n::::tip\n:::note\nb\n:::\n::::\n"],
  ["diagrams", "```mermaid\n---\ntitle: T\n---\n%%{init: {\n 'theme': 'dark'}}%%\n%% x\nflowchart LR\n A --> B\n```\n"],
])("%s that are complete are not named", async (_, body) => {
  expect(await report(body)).toEqual([]);
});

it.each([
  [
    "a code block",
    "```js\na\n\nb\n",
    "index.md:3 warning syntax: The code block is not closed, so the rest of the page is code.",
  ],
  [
    "a code block in a list",
    "- x\n\n  ```js\n  a\n\nb\n",
    "index.md:5 warning syntax: The code block is not closed, so it ends with the list item, quote or tag around it.",
  ],
  [
    "a comment",
    "<!-- a\n\nb\n",
    "index.md:3 error not_rendered: The comment is not closed, so the rest of the page is left out.",
  ],
  [
    "a tag",
    "<details>\n<summary>a</summary>\n\nb\n\nc\n",
    "index.md:3 warning syntax: <details> is not closed, so everything after it on the page, or in its list item or quote, is inside it.",
  ],
  [
    "a component",
    "<Note>\n\nb\n\nc\n",
    "index.md:3 warning syntax: <Note> is not closed, so everything after it on the page, or in its list item or quote, is inside it.",
  ],
  [
    "a container",
    ":::note\nb\n\nc\n",
    "index.md:3 warning syntax: The mark of a container is shown as text: no line of ::: closes it.",
  ],
  [
    "the end of a container that did not begin",
    "b\n\n:::\n\nc\n",
    "index.md:5 warning syntax: ::: is shown as text: no container that pages may use is open.",
  ],
  [
    "a diagram of an unknown kind",
    "```mermaid\nflwchart LR\n A --> B\n```\n",
    'index.md:3 warning diagram: A diagram is shown as its source: it begins with "flwchart", which is not a kind of diagram.',
  ],
  [
    "an empty diagram",
    "```mermaid\n%% x\n```\n",
    "index.md:3 warning diagram: A diagram is shown as its source: it is empty.",
  ],
])("%s without its end is named", async (_, body, problem) => {
  expect(await report(body)).toEqual([problem]);
});

it("a formula without its end is named", async () => {
  expect(await report("$$\na\n\nb\n")).toContain(
    "index.md:3 warning syntax: The block of $$ is not closed, so the rest of the page is a formula.",
  );
});

it.each([
  ["docusaurus", ":::note\na\n\nb\n", ":::note"],
  ["vitepress", "::: tip Title\na\n\nb\n", "::: tip Title"],
  ["gitbook", '{% hint style="info" %}\na\n\nb\n', '{% hint style="info" %}'],
  ["mkdocs", "/// note | Title\na\n\nb\n", "/// note | Title"],
] as const)("a container of %s without its end is named", async (dialect, body, shown) => {
  const files = { ...INDEX, "index.md": `# A\n\n${body}` };
  expect(problemLines(await reportOf(files, dialect))).toEqual([
    `index.md:3 warning syntax: ${shown} is not closed, so everything after it on the page, or in its list item or quote, is inside it.`,
  ]);
});

it("an admonition that ends with its indentation is complete", async () => {
  const files = { ...INDEX, "index.md": "# A\n\n!!! note\n    a\n\nb\n" };
  expect(problemLines(await reportOf(files, "mkdocs"))).toEqual([]);
});
