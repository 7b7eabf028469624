import { readFileSync } from "node:fs";
import type { Nodes, Root } from "mdast";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anchorsOf } from "#docs/links/headings.ts";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import { type MarkdownFormat, markdownFormat } from "#docs/parser.ts";
import type { ContentProcess } from "./process/content-process.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { type PageParser, loadParser } from "./fast-parser.ts";
import { UNCOLOURED } from "./highlighter.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "./render-page.ts";

interface Fixture {
  name: string;
  source: string;
  format: MarkdownFormat;
}

const fixtures: Fixture[] = readFileSync(new URL("fixtures/pages.txt", import.meta.url), "utf8")
  .split(/^=== /m)
  .slice(1)
  .map((part) => {
    const end = part.indexOf("\n");
    const name = part.slice(0, end);
    return { name, source: part.slice(end + 1), format: markdownFormat(name) ?? "md" };
  });

const snippets: Record<string, string> = {
  "snippets/intro.mdx": "## Welcome\n\nThis is {product}.",
  "snippets/values.jsx": 'export const version = "1.2";',
};

let content: ContentProcess;
let slow: PageParser;
let deps: RenderDeps;
beforeAll(async () => {
  content = sharedContent();
  slow = await loadParser(() => Promise.reject(new Error("no binary for this platform")));
  // No page runs out of time. The colors of code come from its text, whichever parser read the page.
  deps = { ...(await createRenderDeps(() => 0)), highlighter: UNCOLOURED };
});
afterAll(() => content[Symbol.asyncDispose]());

test("there are more than a hundred fixture pages", () => {
  expect(fixtures.length).toBeGreaterThan(110);
});

describe.each(fixtures)("$name", ({ name, source, format }) => {
  const isBroken = name.startsWith("broken-");
  let rendered: ReturnType<ContentProcess["render"]> | undefined;
  const render = () =>
    (rendered ??= content.render({
      path: name,
      source,
      format,
      readInclude: (path) => Promise.resolve(snippets[path] ?? null),
    }));

  test("renders, degraded only when it is broken, with balanced tags", async () => {
    const page = await render();
    expect(page.degraded === "none" || isBroken).toBe(true);
    expect(page.html).not.toContain('class="plain-page"');
    expect(unclosedIn(page.html)).toEqual([]);
  });

  test("has in its HTML the anchors that the link checker expects, and no others", async () => {
    const outcome = await content.parse(source, format);
    const page = await render();
    const expected = outcome.ok ? anchorsOf(outcome.root).map(({ id }) => id) : [];
    expect(expected.filter((id) => !page.html.includes(`="${id}"`))).toEqual([]);
    // Only printing shows the anchors that a snippet or an expression adds.
    const isKnown = outcome.ok && !/<Snippet|^import |\{/m.test(source);
    expect(isKnown ? page.anchors.filter((id) => !expected.includes(id)) : []).toEqual([]);
  });
});

// The oracle does not support mathematics, and broken pages have no tree.
const comparable = fixtures.filter(({ name }) => !/^(?:broken-|math)/.test(name));

test.each(comparable)("$name has the same tree and offsets from both parsers", ({ source, format }) => {
  const [ours, oracle] = [deps.parser.parse(source, format), parseWithMicromark(source, format)];
  if (!ours.ok || !oracle.ok) throw new Error("a parser refused the page");
  expect(shapeOf(ours.root)).toEqual(shapeOf(unravel(oracle.root)));
});

test.each(comparable)(
  "$name looks the same where the native parser does not load",
  async ({ name, source, format }) => {
    const read = (path: string) => Promise.resolve(snippets[path] ?? null);
    const page = { path: name, source, format, variables: {}, read };
    const [ours, fallback] = [await renderPage(deps, page), await renderPage({ ...deps, parser: slow }, page)];
    const normal = (html: string) => html.replace(/\s*\n\s*/g, "\n");
    expect({ ...fallback, html: normal(fallback.html) }).toEqual({ ...ours, html: normal(ours.html) });
  },
);

const VOID = new Set(["br", "hr", "img", "wbr", "col", "source", "track", "input"]);

/** Tags that are left open or closed twice. */
function unclosedIn(html: string): string[] {
  const open: string[] = [];
  for (const [, close, name = "", selfClosing] of html.matchAll(
    /<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?:[^>"]|"[^"]*")*?(\/?)>/g,
  )) {
    if (VOID.has(name) || selfClosing === "/") continue;
    if (close !== "/") open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}

const FIELDS = [
  "value",
  "depth",
  "url",
  "title",
  "alt",
  "lang",
  "meta",
  "name",
  "identifier",
  "label",
  "referenceType",
  "ordered",
  "start",
  "checked",
  "align",
];

function shapeOf(node: Nodes): unknown {
  const record = node as unknown as Record<string, unknown>;
  const fields = FIELDS.flatMap((name) =>
    record[name] === undefined || record[name] === null ? [] : [[name, record[name]]],
  );
  const attributes =
    node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement"
      ? node.attributes.map((attribute) => [
          attribute.type,
          attribute.value instanceof Object ? attribute.value.value : attribute.value,
        ])
      : [];
  const place = node.type === "root" ? [] : [node.position?.start.offset, node.position?.end.offset];
  return [node.type, fields, attributes, place, "children" in node ? node.children.map(shapeOf) : []];
}

/** What MDX does after parsing, and our parser while parsing: tags alone in a paragraph are taken out of it. */
function unravel(root: Root): Root {
  const visit = (parent: Nodes): void => {
    if (!("children" in parent)) return;
    const children = parent.children as Nodes[];
    for (let index = 0; index < children.length; index += 1) {
      const child = children[index] as Nodes;
      if (child.type === "paragraph" && isOnlyElements(child.children)) {
        const kept = child.children
          .filter((inner) => inner.type !== "text")
          .map((inner) => Object.assign(inner, { type: inner.type.replace("Text", "Flow") }));
        children.splice(index, 1, ...kept);
        index -= 1;
      } else visit(child);
    }
  };
  visit(root);
  return root;
}

function isOnlyElements(children: readonly Nodes[]): boolean {
  return (
    children.some((child) => child.type.startsWith("mdx")) &&
    children.every((child) => child.type.startsWith("mdx") || (child.type === "text" && !/\S/.test(child.value)))
  );
}
