import { beforeAll, describe, expect, test } from "vitest";
import type { DialectName } from "#docs/dialects/dialect.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "./render-page.ts";

let deps: RenderDeps;
beforeAll(async () => {
  deps = await createRenderDeps(() => 0); // no page runs out of time
});

async function render(
  dialect: DialectName,
  source: string,
  options: { format?: MarkdownFormat; files?: Record<string, string> } = {},
) {
  const { format = "md", files = {} } = options;
  const read = (path: string) => Promise.resolve(files[path] ?? null);
  return renderPage(deps, {
    path: "guides/page.md",
    contentRoot: "docs",
    source,
    format,
    dialect,
    variables: {},
    read,
  });
}

/** A page in short: its tags with only what tells components apart, without drawings and controls. */
async function outline(
  dialect: DialectName,
  source: string,
  options: Parameters<typeof render>[2] = {},
): Promise<string> {
  const { html } = await render(dialect, source, options);
  return html
    .replace(/<(svg|button)[^]*?<\/\1>/g, "")
    .replace(/<a class="heading-anchor"[^>]*><\/a>|<div class="(?:callout-icon|step-marker)"[^>]*><\/div>/g, "")
    .replace(/<(\w+)((?: [\w-]+(?:="[^"]*")?)*)>/g, (_tag, name: string, written: string) => {
      const kept = [...written.matchAll(/ (class|href|src|alt|id|open|title)(?:="([^"]*)")?/g)].map(
        ([, key, value = ""]) =>
          key === "class" ? `.${value.replaceAll(" ", ".")}` : value === "" ? ` ${key}` : ` ${key}=${value}`,
      );
      return `<${name}${kept.join("")}>`;
    })
    .replace(/\s*\n\s*/g, "")
    .replace(/ (?=<(?:aside|p|div|h\d))/g, "")
    .trim();
}

type Case = [name: string, source: string, expected: string, options?: Parameters<typeof render>[2]];

const callout = (kind: string, body: string, title?: string) =>
  `<aside.callout.callout-${kind}><div.callout-body>${title === undefined ? "" : `<p.callout-title>${title}</p>`}${body}</div></aside>`;

describe("Docusaurus", () => {
  test.each<Case>([
    ["an admonition", ":::note\nOne.\n:::\n", callout("note", "<p>One.</p>")],
    [
      "a title in Markdown",
      ":::tip[Use **this** `x`]\n\nOne.\n\n:::\n",
      callout("tip", "<p>One.</p>", "Use <strong>this</strong> <code>x</code>"),
    ],
    ["a title of older versions", ":::caution Careful\nOne.\n:::\n", callout("warning", "<p>One.</p>", "Careful")],
    [
      "admonitions in admonitions",
      "::::info\n:::danger\nOne.\n:::\nTwo.\n::::\n",
      callout("info", `${callout("danger", "<p>One.</p>")}<p>Two.</p>`),
    ],
    [
      "an admonition in a list",
      "- a\n  :::note\n  One.\n  :::\n",
      `<ul><li><p>a</p>${callout("note", "<p>One.</p>")}</li></ul>`,
    ],
    ["an admonition that is never closed", ":::note\nOne.\n", callout("note", "<p>One.</p>")],
    [
      "colons in code",
      "```\n:::note\n```\n",
      "<figure.code-block><pre.code><code><span.line>:::note</span></code></pre></figure>",
    ],
    [
      "comments that mark lines",
      "```js\n// highlight-next-line\na\n// highlight-start\nb\n// highlight-end\nc\n```\n",
      "<figure.code-block><pre.code><code.language-js><span.line.line-highlight>a</span><span.line.line-highlight>b</span><span.line>c</span></code></pre></figure>",
    ],
    [
      "a title and numbers of code",
      '```js title="a b.js" {1} showLineNumbers\na\n```\n',
      "<figure.code-block><figcaption.code-title>a b.js</figcaption><pre.code.code-numbered><code.language-js><span.line.line-highlight>a</span></code></pre></figure>",
    ],
    [
      "tabs that the group names",
      "<Tabs values={[{ label: 'Yarn', value: 'y' }]}>\n<TabItem value=\"y\">\n\nOne.\n\n</TabItem>\n</Tabs>\n",
      "<div.tabs><input.tab-input id=group-1-1><label.tab-label>Yarn</label><div.tab-panel id=y><p>One.</p></div></div>",
    ],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("docusaurus", source, options)).toBe(expected);
  });
});

describe("VitePress", () => {
  test.each<Case>([
    ["a container", "::: tip\nOne.\n:::\n", callout("tip", "<p>One.</p>")],
    [
      "a container that opens",
      "::: details More {open}\nOne.\n:::\n",
      "<details.accordion id=more open><summary><span.accordion-title>More</span></summary><div.accordion-body><p>One.</p></div></details>",
    ],
    ["a container without a look", "::: raw\nOne.\n:::\n", "<p>One.</p>"],
    [
      "a badge",
      '## Title <Badge type="warning" text="beta" />\n',
      "<h2 id=title>Title <span.badge.badge-yellow>beta</span></h2>",
    ],
    [
      "code in tabs",
      "::: code-group\n```js{1} [a.js]\na\n```\n:::\n",
      "<div.tabs.code-group><input.tab-input id=group-1-1><label.tab-label>a.js</label><div.tab-panel><figure.code-block><pre.code><code.language-js><span.line.line-highlight>a</span></code></pre></figure></div></div>",
    ],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("vitepress", source, options)).toBe(expected);
  });
});

describe("Starlight", () => {
  const mdx = { format: "mdx" } as const;
  test.each<Case>([
    ["an aside", ":::caution[Mind]\nOne.\n:::\n", callout("warning", "<p>One.</p>", "Mind")],
    [
      "an aside as a component",
      '<Aside type="danger" title="Mind">One.</Aside>\n',
      callout("danger", "<p>One.</p>", "Mind"),
      mdx,
    ],
    [
      "steps",
      "<Steps>\n\n1. One.\n2. Two.\n\n</Steps>\n",
      "<div.steps><div.step><div.step-content><p>One.</p></div></div><div.step><div.step-content><p>Two.</p></div></div></div>",
      mdx,
    ],
    [
      "a tree of files",
      "<FileTree>\n\n- src\n  - a.js\n\n</FileTree>\n",
      "<ul.tree><li.tree-folder><details open><summary>src</summary><ul><li.tree-file>a.js</li></ul></details></li></ul>",
      mdx,
    ],
    [
      "a card that links",
      '<LinkCard title="T" href="/a/" description="One." />\n',
      "<div.card.card-link><div.card-content><p.card-title><a href=/a>T</a></p><div.card-body><p>One.</p></div></div></div>",
      mdx,
    ],
    [
      "the name of a file in code",
      "```js\n// src/a.js\n\nx\n```\n",
      "<figure.code-block><figcaption.code-title>src/a.js</figcaption><pre.code><code.language-js><span.line>x</span></code></pre></figure>",
    ],
    [
      "a difference in a language",
      '```diff lang="js"\n+a\n-b\n c\n```\n',
      "<figure.code-block><pre.code><code.language-js><span.line.line-added>a</span><span.line.line-removed>b</span><span.line>c</span></code></pre></figure>",
    ],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("starlight", source, options)).toBe(expected);
  });
});

test("warnings and links have the lines of the page's file", async () => {
  const source = ":::note\nSee [a](./a.md).\n:::\n\n<Gone>[b](./b.md)</Gone>\n";
  const page = await render("docusaurus", source);
  expect(page.links.map(({ href, line }) => [href, line])).toEqual([["/guides/a", 2], ["/guides/b", 5]]); // oxfmt-ignore
  expect(page.warnings.map(({ code, line }) => [code, line])).toEqual([["unknown_component", 5]]);
});
