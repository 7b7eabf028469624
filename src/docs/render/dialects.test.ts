import { beforeAll, describe, expect, test } from "vitest";
import type { DialectName } from "#docs/dialect.ts";
import type { MarkdownFormat, MarkdownParser } from "#docs/parser.ts";
import { nativePage } from "#chores/moving/native-page.ts";
import { NO_RULES } from "#docs/page-rules.ts";
import { parseInDialect } from "#docs/syntax/syntax.ts";
import { parseWithMicromark } from "#docs/in-process-parser.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "./render-page.ts";

let deps: RenderDeps;
beforeAll(async () => {
  deps = await createRenderDeps(() => 0); // no page runs out of time
});

async function render(
  dialect: DialectName,
  source: string,
  options: { format?: MarkdownFormat; files?: Record<string, string>; language?: string } = {},
) {
  const { format = "md", files = {}, language = null } = options;
  const read = (path: string) => Promise.resolve(files[path] ?? null);
  return renderPage(deps, {
    path: "guides/page.md",
    contentRoot: "docs",
    source,
    format,
    dialect,
    language,
    variables: {},
    read,
  });
}

/** The page after a move to docs.json, which has to show the same. */
async function moved(
  dialect: DialectName,
  source: string,
  { format = "md", files = {} }: Parameters<typeof render>[2] = {},
) {
  const parser: MarkdownParser = {
    parse: (text, written, own = "native") =>
      Promise.resolve(parseInDialect(parseWithMicromark, text, { format: written, dialect: own })),
  };
  return nativePage(parser, {
    path: "docs/guides/page.md",
    text: source,
    format,
    dialect,
    contentRoot: "docs",
    rules: NO_RULES,
    isPart: false,
    read: (path) => Promise.resolve(files[`/${path}`] ?? null),
  });
}

async function outline(
  dialect: DialectName,
  source: string,
  options: Parameters<typeof render>[2] = {},
): Promise<string> {
  const { html } = await render(dialect, source, options);
  const native = await moved(dialect, source, options);
  const shown = await render("native", native.text, { ...options, format: native.format });
  // Callouts of native pages have no title of their own.
  const bare = (text: string) =>
    summary(text).replaceAll(/<p\.callout-title>(?:Note|Info|Tip|Danger|Caution)<\/p>/g, "");
  expect(bare(shown.html)).toBe(bare(html));
  return summary(html);
}

/** A summary of a page: its tags with only what distinguishes components, without drawings and controls. */
function summary(html: string): string {
  return html
    .replace(/<(svg|button)[^]*?<\/\1>/g, "")
    .replace(/<a class="heading-anchor"[^>]*><\/a>|<div class="(?:callout-icon|step-marker)"[^>]*><\/div>/g, "")
    .replace(/<(\w+)((?: [\w-]+(?:="[^"]*")?)*)>/g, (_tag, name: string, written: string) => {
      const kept = [...written.matchAll(/ (class|href|src|alt|id|open|title|width|height)(?:="([^"]*)")?/g)]
        .toSorted(([, a], [, b]) => Number(b === "class") - Number(a === "class"))
        .map(([, key, value = ""]) =>
          key === "class" ? `.${value.replaceAll(" ", ".")}` : value === "" ? ` ${key}` : ` ${key}=${value}`,
        );
      return `<${name}${kept.join("")}>`;
    })
    .replace(/\s*\n\s*/g, "")
    .replace(/ (?=<(?:aside|p|div|dd|h\d))/g, "")
    .trim();
}

type Case = [name: string, source: string, expected: string, options?: Parameters<typeof render>[2]];

const callout = (kind: string, body: string, title?: string) =>
  `<aside.callout.callout-${kind}><div.callout-body>${title === undefined ? "" : `<p.callout-title>${title}</p>`}${body}</div></aside>`;

describe("Docusaurus", () => {
  test.each<Case>([
    ["an admonition", ":::note\nOne.\n:::\n", callout("note", "<p>One.</p>", "Note")],
    [
      "a title in Markdown",
      ":::tip[Use **this** `x`]\n\nOne.\n\n:::\n",
      callout("tip", "<p>One.</p>", "Use <strong>this</strong> <code>x</code>"),
    ],
    ["a title of older versions", ":::caution Careful\nOne.\n:::\n", callout("warning", "<p>One.</p>", "Careful")],
    [
      "admonitions in admonitions",
      "::::info\n:::danger\nOne.\n:::\nTwo.\n::::\n",
      callout("info", `${callout("danger", "<p>One.</p>", "Danger")}<p>Two.</p>`, "Info"),
    ],
    [
      "an end that ends the outer admonition, too",
      ":::info\n:::danger\nOne.\n:::\nTwo.\n",
      `${callout("info", callout("danger", "<p>One.</p>", "Danger"), "Info")}<p>Two.</p>`,
    ],
    [
      "an end that ends the code in an admonition, too",
      ":::tip\n````js\na\n:::\nTwo.\n\n```js\n:::\n```\n",
      `${callout("tip", "<figure.code-block><pre.code><code.language-js><span.line>a</span></code></pre></figure>", "Tip")}<p>Two.</p><figure.code-block><pre.code><code.language-js><span.line>:::</span></code></pre></figure>`,
    ],
    [
      "an admonition in a list",
      "- a\n  :::note\n  One.\n  :::\n",
      `<ul><li><p>a</p>${callout("note", "<p>One.</p>", "Note")}</li></ul>`,
    ],
    ["an admonition that is never closed", ":::note\nOne.\n", callout("note", "<p>One.</p>", "Note")],
    [
      "the tag of an admonition",
      '<Admonition type="caution">One.</Admonition>\n',
      callout("warning", "<p>One.</p>", "Caution"),
      { format: "mdx" },
    ],
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
      "a comment that marks an error",
      "```js\n// highlight-error-next-line\na\n```\n",
      "<figure.code-block><pre.code><code.language-js><span.line.line-highlight>a</span></code></pre></figure>",
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
    [
      "tabs of vitepress-plugin-tabs",
      "::: tip\n:::tabs key:a\n== One *b*\n\n::: code-group\n```js [x]\na\n```\n== Two\nc\n:::\nd\n\n== e\n",
      `${callout("tip", "<div.tabs><input.tab-input id=group-2-1><label.tab-label>One b</label><div.tab-panel id=one-b><div.tabs.code-group><input.tab-input id=group-1-1><label.tab-label>x</label><div.tab-panel><figure.code-block><pre.code><code.language-js><span.line>a</span></code></pre></figure></div></div></div><input.tab-input id=group-2-2><label.tab-label>Two</label><div.tab-panel id=two><p>c</p></div></div>", "Tip")}<p>d</p><p>== e</p>`,
    ],
    ["a container", "::: tip\nOne.\n:::\n", callout("tip", "<p>One.</p>", "Tip")],
    [
      "a container that looks different elsewhere",
      "::: caution\nOne.\n:::\n",
      callout("danger", "<p>One.</p>", "Caution"),
    ],
    [
      "a container that opens",
      "::: details More {open}\nOne.\n:::\n",
      "<details.accordion id=more open><summary><span.accordion-title>More</span></summary><div.accordion-body><p>One.</p></div></details>",
    ],
    ["attributes of a link", '[A](/a){target="_self"} `{.b}`\n', "<p><a href=/a>A</a> <code>{.b}</code></p>"],
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
    ["ids between the delimiters of Vue's repositories", "## 状態 %{#state}%\n", "<h2 id=state>状態</h2>"],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("vitepress", source, options)).toBe(expected);
  });
});

describe("Starlight", () => {
  const mdx = { format: "mdx" } as const;
  test("expressions, definitions and attributes can use the front matter of the page only", async () => {
    const source =
      "---\ntitle: A_b\nhero: { line: Fast }\n---\nexport const also = frontmatter.title;\n\n" +
      "import Part from './part.mdx';\n\n# {frontmatter.title}\n\n{also} {frontmatter.hero.line} {frontmatter.none}\n\n<Card title={frontmatter.title}>x</Card>\n\n<Part />\n";
    const { html, warnings } = await render("starlight", source, {
      format: "mdx",
      files: { "guides/part.mdx": "Part {frontmatter.title}.\n" },
    });
    expect(html).toMatch(/<h1[^>]*>(?:<a[^]*?<\/a>)?A_b/);
    expect(html).toContain("<p>A_b Fast");
    expect(warnings.map(({ message }) => message)).toEqual([
      "{frontmatter.title} is shown as text: frontmatter is not defined in this page.",
    ]);
  });

  test.each<Case>([
    [
      "the content of an imported page",
      "import { Content as Part } from './part.mdx';\n\n<Part />\n",
      "<p>One.</p>",
      { ...mdx, files: { "guides/part.mdx": "One.\n" } },
    ],
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

describe("Material for MkDocs", () => {
  test.each<Case>([
    [
      "an admonition",
      '!!! note "A **b**"\n    One.\n\n    Two.\n\nThree.\n',
      `${callout("note", "<p>One.</p><p>Two.</p>", "A <strong>b</strong>")}<p>Three.</p>`,
    ],
    ["an admonition with an empty title", '!!! note ""\n    One.\n', callout("note", "<p>One.</p>")],
    [
      "an admonition that opens",
      "??? question\n    One.\n",
      "<details.accordion id=question><summary><span.accordion-title>Question</span></summary><div.accordion-body><p>One.</p></div></details>",
    ],
    [
      "an admonition in an admonition in a list",
      '- a\n\n    !!! tip\n\n        ???+ note "N"\n            One.\n',
      `<ul><li><p>a</p>${callout("tip", "<details.accordion id=n open><summary><span.accordion-title>N</span></summary><div.accordion-body><p>One.</p></div></details>", "Tip")}</li></ul>`,
    ],
    [
      "tabs",
      '=== "A"\n\n    One.\n\n=== "B"\n\n    Two.\n',
      "<div.tabs><input.tab-input id=group-1-1><label.tab-label>A</label><div.tab-panel id=a><p>One.</p></div><input.tab-input id=group-1-2><label.tab-label>B</label><div.tab-panel id=b><p>Two.</p></div></div>",
    ],
    [
      "a block of slashes",
      "/// details | More\n    open: true\n\nOne.\n\n///\n",
      "<details.accordion id=more open><summary><span.accordion-title>More</span></summary><div.accordion-body><p>One.</p></div></details>",
    ],
    [
      "code with attributes",
      '``` { .py title="a.py" hl_lines="1" linenums="1" }\na\n```\n',
      "<figure.code-block><figcaption.code-title>a.py</figcaption><pre.code.code-numbered><code.language-py><span.line.line-highlight>a</span></code></pre></figure>",
    ],
    [
      "a list of definitions",
      "A *b*\n:   One.\n\n    Two.\n",
      "<dl><dt>A <em>b</em></dt><dd><p>One.</p><p>Two.</p></dd></dl>",
    ],
    [
      "cards",
      '<div class="grid cards" markdown>\n\n-   :material-clock:{ .lg } __A__\n\n    One.\n\n</div>\n',
      "<div.card-grid.card-grid-2><div.card><div.card-content><div.card-body><p><strong>A</strong></p><p>One.</p></div></div></div></div>",
    ],
    ["a heading closed before its attributes", "## A ## {: #b }\n", "<h2 id=b>A</h2>"],
    ["a heading with code closed before its attributes", "## `A` ### { #b }\n", "<h2 id=b><code>A</code></h2>"],
    ["an id as an attribute", '## A <small>b</small> { id="1.2" }\n', "<h2 id=1.2>A <small>b</small></h2>"],
    ["an id with dots", "## A {: #b-v1.18.0 .c }\n", "<h2 id=b-v1.18.0>A</h2>"],
    ["number signs before attributes outside headings", "A ## {: .b }\n", "<p>A ##</p>"],
    ["attributes", "## A { #b .c }\n\n[d](e.md){ .f }\n", "<h2 id=b>A</h2><p><a href=/guides/e>d</a></p>"],
    [
      "keys, marks and powers",
      "++ctrl+a++ ==b== ^^c^^ H~2~O x^2^ {--d--}\n",
      "<p><kbd>Ctrl</kbd>+<kbd>A</kbd> <mark>b</mark> <ins>c</ins> H<sub>2</sub>O x<sup>2</sup> <del>d</del></p>",
    ],
    ["an abbreviation", "A b.\n\n*[b]: Be\n", "<p>A <abbr title=Be>b</abbr>.</p>"],
    [
      "abbreviations outside alternative texts, definitions and the labels of links",
      '![A b](https://e.example/c.png) [b] [b c][] [d b][e]\n\n[b]: b.md\n[b c]: https://e.example/c "b c"\n[e]: b.md\n\n*[b]: Be\n',
      "<p><img alt=A b src=https://e.example/c.png> <a href=/guides/b>b</a> <a href=https://e.example/c title=b c>b c</a> <a href=/guides/b>d <abbr title=Be>b</abbr></a></p>",
    ],
    ["syntax in code", "`!!! note ++a++ :tada:`\n", "<p><code>!!! note ++a++ :tada:</code></p>"],
    ["the list of headings", "[TOC]\n\nOne. :tada:\n", "<p>One. 🎉</p>"],
    [
      "references to what is generated",
      "See [`a`][b.c], [d][], [e][f.__init__] and g[0][1].\n",
      "<p>See <code>a</code>, d, e and g[0][1].</p>",
    ],
    [
      "buttons",
      "[a *b*](c.md){ .md-button .md-button--primary } [d](c.md){ .md-button }\n",
      "<p><a.link-button.link-button-primary href=/guides/c>a <em>b</em></a> <a.link-button href=/guides/c>d</a></p>",
    ],
    ["a link with a size, which is no button", "[a](c.md){ width=30 }\n", "<p><a href=/guides/c>a</a></p>"],
    [
      "sizes of images",
      '![a](https://b.example/c.png){ width="300px" .d } ![a](https://b.example/c.png){: style="max-width: 9px; height:50%" } e\n',
      "<p><img alt=a width=300 src=https://b.example/c.png> <img alt=a height=50% src=https://b.example/c.png> e</p>",
    ],
    [
      "the last definition of a link",
      "[a][b] and [b].\n\n[b]: https://c.example\n\nD.\n\n[B]: https://e.example\n",
      "<p><a href=https://e.example>a</a> and <a href=https://e.example>b</a>.</p><p>D.</p>",
    ],
    [
      "the size of an image with a caption",
      '<figure markdown="span">\n  ![a](https://b.example/c.png){ width="300" }\n  <figcaption>D</figcaption>\n</figure>\n',
      "<figure><p><img alt=a width=300 src=https://b.example/c.png></p><figcaption>D</figcaption></figure>",
    ],
    ["what is generated", "::: a-b\n    options:\n      c: d\n\nOne.\n", "<p>One.</p>"],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("mkdocs", source, options)).toBe(expected);
  });
});

describe("mdBook", () => {
  test.each<Case>([
    [
      "attributes of headings",
      "## One `a` { #two .three }\n\n## Four { .five }\n\nSix { #seven }\n",
      "<h2 id=two>One <code>a</code></h2><h2 id=four>Four</h2><p>Six { #seven }</p>",
    ],
    [
      "hidden lines of Rust",
      "```rust,ignore\n# fn main() {\n    let x = 5;\n    ## kept\n#\n#[derive(Debug)]\n# }\n```\n",
      "<figure.code-block><pre.code><code.language-rust><span.line>    <span.token-keyword>let</span> x <span.token-keyword>= </span><span.token-constant>5</span>;</span><span.line>    # kept</span><span.line>#[derive(<span.token-function>Debug</span>)]</span></code></pre></figure>",
    ],
    [
      "hidden lines of a block with a prefix of its own",
      "```js,hidelines=!!!\n!!!a\n  !!!b\nc\n```\n",
      "<figure.code-block><pre.code><code.language-js><span.line>c</span></code></pre></figure>",
    ],
    [
      "syntax that is escaped",
      "`\\{{#title A}}`\n\n```text\n\\{{#include a.rs}}\n```\n",
      "<p><code>{{#title A}}</code></p><figure.code-block><pre.code><code.language-text><span.line>{{#include a.rs}}</span></code></pre></figure>",
    ],
    ["an alert", "> [!TIP]\n> One.\n", callout("tip", "<p>One.</p>")],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("gitbook", source, options)).toBe(expected);
  });

  test("formulas and icons", async () => {
    const source =
      String.raw`A \\( \int x \\) and <i class="fas fa-print"></i>.` + "\n\n" + String.raw`\\[ a \\\\ b \\]` + "\n";
    const { html } = await render("gitbook", source);
    expect(html.match(/<math/g)).toHaveLength(2);
    expect(html).toContain("<svg");
    expect(html).not.toContain(String.raw`\\(`);
  });
});

describe("GitBook", () => {
  test.each<Case>([
    ["a hint", '{% hint style="warning" %}\nOne.\n{% endhint %}\n', callout("warning", "<p>One.</p>")],
    [
      "tabs with code",
      '{% tabs %}\n{% tab title="A" %}\n{% code title="a.js" lineNumbers="true" %}\n```js\na\n```\n{% endcode %}\n{% endtab %}\n{% endtabs %}\n',
      "<div.tabs><input.tab-input id=group-1-1><label.tab-label>A</label><div.tab-panel id=a><figure.code-block><figcaption.code-title>a.js</figcaption><pre.code.code-numbered><code.language-js><span.line>a</span></code></pre></figure></div></div>",
    ],
    [
      "steps",
      "{% stepper %}\n{% step %}\n### A\n\nOne.\n{% endstep %}\n{% endstepper %}\n",
      "<div.steps><div.step><div.step-content><h3 id=a>A</h3><p>One.</p></div></div></div>",
    ],
    [
      "a link to a page",
      '{% content-ref url="a.md" %}\n[a.md](a.md)\n{% endcontent-ref %}\n',
      "<p><a href=/guides/a>a.md</a></p>",
    ],
    ["a reference to a page", '{% page-ref page="a.md" %}\n', "<p><a href=/guides/a>a.md</a></p>"],
    [
      "the caption of an embedded page",
      '{% embed url="https://a.example/b\\_c" caption="One." %}\n',
      "<p><a href=https://a.example/b_c>https://a.example/b_c</a></p><p>One.</p>",
    ],
    [
      "an operation",
      '{% swagger method="get" path="/a" baseUrl="https://a.example" summary="One." %}\n{% swagger-parameter in="query" name="b" type="string" required="true" %}\nTwo.\n{% endswagger-parameter %}\n{% swagger-response status="200: OK" description="Three." %}\n{% endswagger-response %}\n{% endswagger %}\n',
      "<p><code>GET https://a.example/a</code></p><p>One.</p><p><strong>b</strong> (query, string, required)</p><p>Two.</p><p><strong>200: OK</strong> Three.</p>",
    ],
    [
      "a file",
      '{% file src="../.gitbook/assets/a (1).pdf" %}\nOne.\n{% endfile %}\n',
      "<p><a href=/.gitbook/assets/a%20(1).pdf>a (1).pdf</a></p><p>One.</p>",
    ],
    [
      "cards",
      '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target></th></tr></thead><tbody><tr><td><strong>A</strong></td><td>One.</td><td><a href="a.md">a</a></td></tr></tbody></table>\n',
      "<div.card-grid.card-grid-2><div.card.card-link><div.card-content><p.card-title><a href=/guides/a>A</a></p><div.card-body><div>One.</div></div></div></div></div>",
    ],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("gitbook", source, options)).toBe(expected);
  });
});

describe("Nextra and Fumadocs", () => {
  const mdx = { format: "mdx" } as const;
  test.each<Case>([
    ["a callout of Nextra", '<Callout type="error">One.</Callout>\n', callout("danger", "<p>One.</p>"), mdx],
    [
      "tabs of Nextra",
      "import { Tabs } from 'nextra/components'\n\n<Tabs items={['A']}>\n<Tabs.Tab>One.</Tabs.Tab>\n</Tabs>\n",
      "<div.tabs><input.tab-input id=group-1-1><label.tab-label>A</label><div.tab-panel id=a><p>One.</p></div></div>",
      mdx,
    ],
    [
      "steps of Nextra",
      "<Steps>\n\n### A\n\nOne.\n\n</Steps>\n",
      "<div.steps><div.step><div.step-content><h3 id=a>A</h3><p>One.</p></div></div></div>",
      mdx,
    ],
  ])("%s", async (_name, source, expected, options) => {
    expect(await outline("nextra", source, options)).toBe(expected);
  });

  test("components of Fumadocs", async () => {
    const source =
      '<Callout type="idea" title="T">One.</Callout>\n<Files><Folder name="a" defaultOpen><File name="b" /></Folder></Files>\n';
    expect(await outline("fumadocs", source, mdx)).toBe(
      `${callout("tip", "<p>One.</p>", "T")}<ul.tree><li.tree-folder><details open><summary>a</summary><ul><li.tree-file>b</li></ul></details></li></ul>`,
    );
  });
});

describe("files that pages include", () => {
  const code = "// #region a\n  one\n// #endregion a\ntwo\n";
  const block = (line: string, language = "js") =>
    `<figure.code-block><pre.code><code.language-${language}><span.line>${line}</span></code></pre></figure>`;
  test.each<[name: string, dialect: DialectName, source: string, files: Record<string, string>, expected: string]>([
    ["a region", "vitepress", "<<< @/a.js#a\n", { "/docs/a.js": code }, block("one")],
    [
      "a page",
      "vitepress",
      "<!--@include: ./part.md-->\n",
      { "/docs/guides/part.md": "---\na: b\n---\n::: tip\nOne.\n:::\n" },
      callout("tip", "<p>One.</p>", "Tip"),
    ],
    [
      "a section of a page by the id of its heading, in part",
      "vitepress",
      "<!--@include: ./part.md#set-up{2,2}-->\n",
      { "/docs/guides/part.md": "# A\n\n## Set `up`\nOne.\nTwo.\n\n### B\n\n## C\nThree.\n" },
      "<p>Two.</p>",
    ],
    [
      "all regions of a name",
      "vitepress",
      "<!--@include: ./part.md#a-->\n",
      {
        "/docs/guides/part.md":
          "<!-- #region a -->\nOne.\n<!-- #endregion a -->\nTwo.\n<!-- #region a -->\nThree.\n<!-- #endregion a -->\n",
      },
      "<p>One.Three.</p>",
    ],
    [
      "tabs that have the names of files",
      "vitepress",
      "::: code-group\n<<< @/a.js\n<<< @/a.js [B]\n:::\n\n<<< @/a.js\n",
      { "/docs/a.js": "one" },
      `<div.tabs.code-group><input.tab-input id=group-1-1><label.tab-label>a.js</label><div.tab-panel>${block("one")}</div><input.tab-input id=group-1-2><label.tab-label>B</label><div.tab-panel>${block("one")}</div></div>${block("one")}`,
    ],
    [
      "a section within code",
      "mkdocs",
      '```js\n--8<-- "a.js:s"\n```\n',
      { "/a.js": "# --8<-- [start:s]\none\n# --8<-- [end:s]\n" },
      block("one"),
    ],
    [
      "a block with links of its own",
      "gitbook",
      '{% include "../.gitbook/includes/a.md" %}\n',
      { "/docs/.gitbook/includes/a.md": "See [b](../../b.md).\n" },
      "<p>See <a href=/b>b</a>.</p>",
    ],
    [
      "an anchor within code, of mdBook",
      "gitbook",
      "{{#title Trains}}\n\n```js\n{{#include ../../code/a.js:main}}\n```\n",
      { "/code/a.js": "zero\n// ANCHOR: main\none\n// ANCHOR: in\n// ANCHOR_END: in\n// ANCHOR_END: main\ntwo\n" },
      block("one"),
    ],
    [
      "lines within code, of mdBook",
      "gitbook",
      "```js\n{{#rustdoc_include a.js:2}}\n```\n",
      { "/docs/guides/a.js": "zero\none\ntwo\n" },
      block("one"),
    ],
    [
      "a program of mdBook's playground",
      "gitbook",
      "{{#playground a.js editable}}\n",
      { "/docs/guides/a.js": "one\n" },
      block("one"),
    ],
    [
      "Markdown of mdBook, whose links are the page's",
      "gitbook",
      "{{#include ../b.md:2:}}\n",
      { "/docs/b.md": "Zero.\nSee [b](b.md).\n" },
      "<p>See <a href=/guides/b>b</a>.</p>",
    ],
    [
      "the text of a file",
      "docusaurus",
      "import A from '!!raw-loader!../../src/a.js';\n\n<CodeBlock language=\"js\">{A}</CodeBlock>\n",
      { "/src/a.js": "one" },
      block("one"),
    ],
    [
      "a file above the repository",
      "vitepress",
      "One.\n\n<<< ../../../../etc/passwd\n",
      { "/etc/passwd": "root" },
      "<p>One.</p>",
    ],
  ])("%s", async (...[, dialect, source, files, expected]) => {
    expect(await outline(dialect, source, { files })).toBe(expected);
  });

  test("a file that includes itself ends, and is reported", async () => {
    const page = await render("vitepress", "<!--@include: ./a.md-->\n", {
      files: { "/docs/guides/a.md": "One.\n\n<!--@include: ./a.md-->\n" },
    });
    expect(page.warnings).toEqual([
      {
        path: null,
        line: 1,
        code: "snippet",
        message: "./a.md is not included: a page includes at most 100 files, 12 deep, with 2 MB in all.",
      },
    ]);
  });
});

test("an unknown component is reported once, and shows its content", async () => {
  const page = await render("starlight", "<Own>\n\nOne.\n\n</Own>\n\n<Own>\n\nTwo.\n\n</Own>\n", { format: "mdx" });
  expect([page.text, page.warnings.map(({ line }) => line)]).toEqual(["One.\nTwo.", [1]]);
});

test("imports of a tool's packages, images and HTML comments are no errors in Docusaurus", async () => {
  const source =
    "import Tabs from '@theme/Tabs'; import { a } from 'b';\nimport Picture from './p.png';\n\n## A {#b}\n\n<!-- note -->\n\n<img src={Picture} alt=\"\" /> <img src={require('./q.png').default} alt=\"\" />\n";
  const page = await render("docusaurus", source);
  expect([page.warnings, page.anchors, page.images.map(({ src }) => src)]).toEqual([[], ["b"], ["/guides/p.png", "/guides/q.png"]]); // oxfmt-ignore
});

test("Docusaurus reads the id of a heading that has code in it", async () => {
  const page = await render("docusaurus", "## Set `a` {#b}\n\n`{#c}` {'{'}#d{'}'}\n", { format: "mdx" });
  expect([page.warnings, page.anchors]).toEqual([[], ["b"]]);
});

test("Fumadocs has ids and marks at the end of headings", async () => {
  const source = "## Set `a` [#b]\n\n### One [step]\n\n### Two [!toc]\n\n### [Three](/x) [x]\n";
  const page = await render("fumadocs", source, { format: "mdx" });
  expect([page.warnings, page.anchors, page.text]).toEqual([[], ["b", "one", "two", "three-x"], "Set a\nOne\nTwo\nThree [x]"]); // oxfmt-ignore
});

test("VitePress reads the id of a heading that has code in it, between the delimiters of Vue's repositories", async () => {
  expect((await render("vitepress", "## Set `a` %{#b}%\n")).anchors).toEqual(["b"]);
});

test("a definition for Next.js that cannot be evaluated is no problem of a page", async () => {
  const source = "export const getStaticProps = load('a')\n\nexport const other = load('b')\n\nOne.\n";
  const page = await render("nextra", source, { format: "mdx" });
  expect(page.warnings.map(({ line }) => line)).toEqual([3]);
});

test("code with twoslash is shown without what is only for its compiler", async () => {
  const page = await render("vitepress", "```ts twoslash [a.ts]\nlet b = 1\n// ---cut---\nlet c = b\n```\n");
  expect(page.text).toBe("a.ts\nlet c = b");
});

test("a picture is imported by a name for its folder", async () => {
  const source = "import door from '@pictures/door.png'\n\n<Image src={door} alt='' />\n";
  const page = await render("starlight", source, { format: "mdx" });
  expect([page.warnings, page.images.map(({ src }) => src)]).toEqual([[], ["/guides/@pictures/door.png"]]);
});

test("a list of contents is left out of a Docusaurus page, which has it at its side", async () => {
  const page = await render("docusaurus", "<TOCInline toc={toc} maxHeadingLevel={2} />\n\nOne.\n", { format: "mdx" });
  expect([page.warnings, page.text]).toEqual([[], "One."]);
});

test("a heading may differ from the title in tools that use the title for menus", async () => {
  const source = "---\ntitle: Doors | Guide\n---\n# All doors\n";
  const warned = async (dialect: DialectName) => (await render(dialect, source)).warnings.length;
  expect([await warned("vitepress"), await warned("starlight")]).toEqual([0, 1]);
});

test("Vue literals are text, and Vue scripts are left out", async () => {
  const source =
    "---\ntitle: A_b\n---\n<script setup>\nimport a from 'b'\n</script>\n\n{{ $frontmatter.title }} {{ 'c*' }} `{{ d }}`\n";
  expect(await outline("vitepress", source)).toBe("<p>A_b c* <code>{{ d }}</code></p>");
});

test("warnings and links have line numbers of the page's file", async () => {
  const source = ":::note\nSee [a](./a.md).\n:::\n\n<Gone>[b](./b.md)</Gone>\n";
  const page = await render("docusaurus", source);
  expect(page.links.map(({ href, line }) => [href, line])).toEqual([["/guides/a", 2], ["/guides/b", 5]]); // oxfmt-ignore
  expect(page.warnings.map(({ code, line }) => [code, line])).toEqual([["unknown_component", 5]]);
});

test("the title of an admonition without one is in the language of the page", async () => {
  const { text } = await render("starlight", ":::caution\nOne.\n:::\n", { language: "de" });
  expect(text.replaceAll(/\s+/g, " ").trim()).toBe("Warnung One.");
});

test("commands for npm2yarn are a group with other package managers, in a list and after a move too", async () => {
  const source =
    "1. a\n\n   ```bash npm2yarn\n   npm install --save-dev a\n   ```\n\n````md\n```bash npm2yarn\nnpm i b\n```\n````\n";
  const shown = (await outline("docusaurus", source)).replaceAll(/<span[^>]*>|<\/span>/g, "");
  expect([...shown.matchAll(/<label.tab-label>(\w+)<\/label>/g)].map(([, name]) => name)).toEqual(["npm", "Yarn", "pnpm", "Bun"]); // oxfmt-ignore
  for (const command of ["npm install --save-dev a", "yarn add --dev a", "pnpm add --save-dev a", "bun add --dev a"])
    expect(shown).toContain(`<code.language-bash>${command}</code>`);
  expect(shown).toContain("</ol><figure");
  expect(shown).toContain("npm2yarn");
});

test("the ids of headings do not depend on tabs above", async () => {
  const { headings } = await render(
    "docusaurus",
    '<Tabs>\n<TabItem label="Use">\n\nOne.\n\n</TabItem>\n</Tabs>\n\n## Use\n',
    { format: "mdx" },
  );
  expect(headings).toEqual([{ depth: 2, text: "Use", id: "use" }]);
});

test.each([
  ["a variable", 'export const code = `const a = 1;`;\n\n<Code code={code} lang="js" />\n', "const a = 1;"],
  [
    "a variable between tags",
    '<Card title="A">\n\nexport const code = `b()`;\n\n<Code code={code} lang="js" />\n\n</Card>\n',
    "A b()",
  ],
  [
    "the name of a file in an emptied head",
    "```astro\n---\n// src/A.astro\n---\n\n<p>A</p>\n```\n",
    "src/A.astro <p>A</p>",
  ],
  ["the comment of an inner block", "````md\n```js\n// a.js\n```\n````\n", "```js // a.js ```"],
  ["colors of a terminal", "```ansi\n\u001B[31mRed\u001B[0m\n```\n", "Red"],
])("a block of code in Starlight shows %s", async (_name, source, expected) => {
  const { text } = await render("starlight", source, { format: "mdx" });
  expect(text.replaceAll(/\s+/g, " ").replace("Copy ", "").trim()).toBe(expected);
});

test.each([
  [`<img :src="withBase('/a.png')" alt="A">\n`, '<img src="/a.png" alt="A">\n'],
  [
    "A <b\n  :title='\"B > c\"' :src=\"'/a.png'\">d</b> :src=\"'/a.png'\"\n",
    "A <b\n  title='B > c' src=\"/a.png\">d</b> :src=\"'/a.png'\"\n",
  ],
  ["`<img :src=\"'/a.png'\">`\n", "`<img :src=\"'/a.png'\">`\n"],
])("an attribute that Vue binds to a literal has its value, also after a move: %j", async (source, expected) => {
  expect((await moved("vitepress", source)).text).toBe(expected);
  const { images } = await render("vitepress", source);
  expect(images.map(({ src }) => src)).toEqual(expected.startsWith("<img") ? ["/a.png"] : []);
});
