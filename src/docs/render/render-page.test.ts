import { beforeAll, describe, expect, test } from "vitest";
import type { MarkdownFormat } from "#docs/parser.ts";
import { loadParser } from "./fast-parser.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "./render-page.ts";

let deps: RenderDeps;
beforeAll(async () => {
  deps = await createRenderDeps(() => 0); // no page runs out of time
});

async function render(source: string, format: MarkdownFormat = "mdx", snippets: Record<string, string> = {}) {
  const read = (path: string) => Promise.resolve(snippets[path] ?? null);
  return renderPage(deps, { path: "guides/page.mdx", source, format, variables: {}, read });
}

/** HTML without drawings and line ends, which do not matter in these tests. */
async function html(source: string, format: MarkdownFormat = "mdx"): Promise<string> {
  return (await render(source, format)).html
    .replace(/<svg class="content-icon".*?<\/svg>/g, "*")
    .replace(/\n/g, "")
    .trim();
}

describe("Markdown", () => {
  test.each<[name: string, source: string, expected: string, format?: MarkdownFormat]>([
    ["a tight list", "- a\n- b\n", "<ul><li>a</li><li>b</li></ul>"],
    ["a loose list", "- a\n\n- b\n", "<ul><li><p>a</p></li><li><p>b</p></li></ul>"],
    ["a numbered list from 3", "3. a\n", '<ol start="3"><li>a</li></ol>'],
    [
      "a table",
      "|a|b|\n|-|:-:|\n|1|2|\n",
      '<div class="table-scroll"><table><thead><tr><th scope="col">a</th><th scope="col" class="align-center">b</th></tr></thead><tbody><tr><td>1</td><td class="align-center">2</td></tr></tbody></table></div>',
    ],
    ["an undefined reference", "[a][b]\n", "<p>[a][b]</p>"],
    [
      "an external link",
      "[a](https://a.example)\n",
      '<p><a href="https://a.example" rel="noopener nofollow">a</a></p>',
    ],
    [
      "raw HTML around Markdown",
      '<div align="center">\n\n**a**\n\n</div>\n',
      '<div align="center"><p><strong>a</strong></p></div>',
      "md",
    ],
    ["a list without end tags", "<ul><li>a<li>b</ul>\n", "<ul><li>a</li><li>b</li></ul>", "md"],
    ["braces in plain Markdown", "{a} <b>c</b>\n", "<p>{a} <b>c</b></p>", "md"],
    [
      "a GitHub alert",
      "> [!TIP]\n> a\n",
      '<aside class="callout callout-tip" role="note" aria-label="Tip"><div class="callout-icon">*</div><div class="callout-body"><p>a</p></div></aside>',
      "md",
    ],
    [
      "a directive",
      ":::warning Mind\na\n:::\n",
      '<aside class="callout callout-warning" role="note" aria-label="Warning"><div class="callout-icon">*</div><div class="callout-body"><p class="callout-title">Mind</p><p>a</p></div></aside>',
      "md",
    ],
    ["a directive that never ends", ":::note\n\na\n", "<p>:::note</p><p>a</p>", "md"],
  ])("%s", async (...[, source, expected, format]) => {
    expect(await html(source, format)).toBe(expected);
  });

  test.each([
    ["- ```sh\n  npm i\n  ```\n"],
    ["10. ```sh\n    npm i\n    ```\n"],
    ["-   ```sh\n    npm i\n    ```\n"],
    ["```sh\n- ```\nnpm i\n```\n"],
  ])("a directive after a fence on a list marker: %j", async (list) => {
    expect(await html(`${list}\n:::note T\nIn note\n:::\n`, "md")).toMatch(/<p>In note<\/p><\/div><\/aside>$/);
  });

  test("two directives inside each other", async () => {
    const page = await render("::::note\n:::tip\na\n:::\nb\n::::\n", "md");
    expect(page.html.replace(/\n/g, "")).toMatch(
      /callout-note.*callout-tip.*<p>a<\/p><\/div><\/aside>.*<p>b<\/p><\/div><\/aside>$/,
    );
  });

  test("headings link to themselves", async () => {
    expect(await html("## Über *uns* {#about}\n", "md")).toBe(
      '<h2 id="about">Über <em>uns</em><a class="heading-anchor" href="#about" aria-label="Link to this section: Über uns"></a></h2>',
    );
  });

  test("every footnote of a page is shown", async () => {
    const numbers = Array.from({ length: 1_200 }, (_, index) => index);
    const source = `${numbers.map((each) => `a[^${each}]`).join(" ")}\n\n${numbers.map((each) => `[^${each}]: note`).join("\n\n")}\n`;
    expect(await html(source)).toContain('<li id="footnote-1200"><p>note ');
  });

  test("footnotes are at the end, in the order of their first use", async () => {
    expect(await html("a[^y] b[^x]\n\n[^x]: one\n[^y]: two\n", "md")).toBe(
      '<p>a<sup class="footnote-reference"><a href="#footnote-1" id="footnote-reference-1" aria-label="Footnote 1">1</a></sup> ' +
        'b<sup class="footnote-reference"><a href="#footnote-2" id="footnote-reference-2" aria-label="Footnote 2">2</a></sup></p>' +
        '<section class="footnotes" aria-label="Footnotes"><hr><ol><li id="footnote-1"><p>two <a class="footnote-back" href="#footnote-reference-1" aria-label="Back to the text">↩</a></p></li>' +
        '<li id="footnote-2"><p>one <a class="footnote-back" href="#footnote-reference-2" aria-label="Back to the text">↩</a></p></li></ol></section>',
    );
  });
});

describe("code", () => {
  test("colors are classes, marks are lines, the title is above", async () => {
    expect(await html("```ts src/a.ts {1}\nconst a = 1;\nb(); // [!code ++]\n```\n")).toBe(
      '<figure class="code-block" data-language="ts"><figcaption class="code-title">src/a.ts</figcaption><button class="code-copy" type="button" data-copy hidden>Copy</button>' +
        '<pre class="code" tabindex="0"><code class="language-ts"><span class="line line-highlight"><span class="token-keyword">const </span><span class="token-constant">a </span><span class="token-keyword">= </span><span class="token-constant">1</span>;</span>' +
        '<span class="line line-added"><span class="token-function">b</span>();</span></code></pre></figure>',
    );
  });

  test("an unknown language is shown without colors", async () => {
    expect(await html("```klingon\na < b\n```\n")).toContain(
      '<code class="language-klingon"><span class="line">a &lt; b</span></code>',
    );
  });

  test.each([
    "mindmap\n  a",
    "---\ntitle: T\n---\narchitecture-beta\n",
    "%% nothing\n",
    "sequenceDiagram\n  A->>B hi\n",
    `graph LR\n${"a-->b\n".repeat(9_000)}`,
  ])("a diagram that cannot be drawn is a warning", async (source) => {
    const page = await render(`\`\`\`mermaid\n${source}\n\`\`\`\n`);
    expect(page.html).toContain(
      '<figure class="diagram-undrawn" data-note="This diagram cannot be drawn. This is its source."><pre class="mermaid"',
    );
    expect(page.warnings[0]?.message).toMatch(/^A diagram is shown as its source: /);
  });

  test("a diagram keeps its source for the site's script", async () => {
    expect(await html("```mermaid\npie\n```\n")).toBe(
      '<figure class="diagram"><pre class="mermaid" tabindex="0"><code>pie</code></pre></figure>',
    );
  });
});

describe("components", () => {
  test.each([
    [
      "a card with a link",
      '<Card title="A" icon="rocket" href="./b">c</Card>',
      '<div class="card card-link"><div class="card-icon">*</div><div class="card-content"><p class="card-title"><a href="/guides/b">A</a></p><div class="card-body"><p>c</p></div></div></div>',
    ],
    ["a grid", "<CardGroup cols={3}>a</CardGroup>", '<div class="card-grid card-grid-3">a</div>'],
    [
      "a step",
      '<Steps><Step title="A">b</Step></Steps>',
      '<div class="steps" role="list"><div class="step" role="listitem" id="a"><div class="step-marker" aria-hidden="true"></div><div class="step-content"><p class="step-title">A<a class="heading-anchor" href="#a" aria-label="Link to this part"></a></p><p>b</p></div></div></div>',
    ],
    [
      "an accordion",
      '<Accordion title="A" defaultOpen>b</Accordion>',
      '<details class="accordion" id="a" open><summary><span class="accordion-title">A</span></summary><div class="accordion-body"><p>b</p></div></details>',
    ],
    [
      "tabs",
      '<Tabs><Tab title="A">a</Tab><Tab title="B">b</Tab></Tabs>',
      '<div class="tabs" role="group" data-tabs><input class="tab-input" type="radio" name="group-1" id="group-1-1" checked data-tab="A"><label class="tab-label" for="group-1-1">A</label><div class="tab-panel" id="a"><p>a</p></div><input class="tab-input" type="radio" name="group-1" id="group-1-2" data-tab="B"><label class="tab-label" for="group-1-2">B</label><div class="tab-panel" id="b"><p>b</p></div></div>',
    ],
    [
      "a parameter",
      '<ParamField query="n" type="number" required default={10}>a</ParamField>',
      '<div class="field" id="n"><div class="field-head" id="param-n"><code class="field-name">n</code> <span class="field-type">number</span> <span class="field-place">query</span> <span class="field-required">required</span> <span class="field-default">default: <code>10</code></span></div><div class="field-body"><p>a</p></div></div>',
    ],
    [
      "a frame",
      '<Frame caption="A"><img src="a.png" alt="b" /></Frame>',
      '<figure class="image-frame"><div class="image-frame-body"><img alt="b" src="/guides/a.png" loading="lazy" decoding="async"></div><figcaption>A</figcaption></figure>',
    ],
    ["a badge in a sentence", 'a <Badge color="green">b</Badge>', '<p>a <span class="badge badge-green">b</span></p>'],
    [
      "badges alone, on two lines",
      "<Badge>a</Badge> <Badge>b</Badge>\n<Badge>c</Badge>",
      '<p><span class="badge badge-gray">a</span> <span class="badge badge-gray">b</span> <span class="badge badge-gray">c</span></p>',
    ],
    [
      "a tooltip",
      'a <Tooltip tip="b">c</Tooltip>',
      '<p>a <span class="tooltip" tabindex="0">c<span class="tooltip-text" role="tooltip">b</span></span></p>',
    ],
    ["an icon that no set has", '<Icon icon="no-such-icon" />', ""],
    [
      "text and blocks mixed",
      "<Note>a <b>b</b><Card>c</Card>d</Note>",
      '<aside class="callout callout-note" role="note" aria-label="Note"><div class="callout-icon">*</div><div class="callout-body"><p>a <b>b</b></p><div class="card"><div class="card-content"><div class="card-body"><p>c</p></div></div></div><p>d</p></div></aside>',
    ],
    [
      "a block in a paragraph",
      "a <Note>b</Note> c",
      '<div class="paragraph">a <aside class="callout callout-note" role="note" aria-label="Note"><div class="callout-icon">*</div><div class="callout-body"><p>b</p></div></aside> c</div>',
    ],
    ["what is for agents only", '<Visibility for="agents">a</Visibility>b', '<div class="paragraph">b</div>'],
    ["an unknown component", "<Nothing>a *b*</Nothing>", "a <em>b</em>"],
    [
      "a frame of another site",
      '<iframe src="https://a.example/x" title="A" />',
      '<iframe class="embed" src="https://a.example/x" title="A" sandbox="allow-scripts allow-same-origin allow-popups allow-forms allow-presentation" loading="lazy" referrerpolicy="strict-origin-when-cross-origin"></iframe>',
    ],
    [
      "a harmless style",
      '<span style={{ color: "red", fontSize: 12 }}>a</span>',
      '<p><span style="color:red;font-size:12px">a</span></p>',
    ],
  ])("%s", async (_name, source, expected) => {
    expect(await html(source)).toBe(expected);
  });

  test("a code group is tabs, named by title or language", async () => {
    const page = await html("<CodeGroup>\n```bash npm\na\n```\n```python\nb\n```\n</CodeGroup>\n");
    expect([...page.matchAll(/<label[^>]*>([^<]*)</g)].map(([, label]) => label)).toEqual(["npm", "python"]);
    expect(page).not.toContain("code-title");
  });

  test("tabs can choose the open tab, and opt out of synchronization", async () => {
    const page = await html(
      '<Tabs defaultTabIndex={1} sync={false}><Tab title="A">a</Tab><Tab title="B">b</Tab></Tabs>',
    );
    expect(
      [...page.matchAll(/<input([^>]*)>/g)].map(([, rest]) => [
        / checked/.test(rest ?? ""),
        /data-tab/.test(rest ?? ""),
      ]),
    ).toEqual([
      [false, false],
      [true, false],
    ]);
  });

  test("an unknown component is a warning, and its content is shown", async () => {
    const page = await render("x\n\n<Nothing />\n");
    expect(page.warnings).toMatchObject([
      { line: 3, message: "<Nothing> is not a component of this site. Its content is shown." },
    ]);
  });
});

describe("expressions", () => {
  test.each([
    ["literals", '{1 + 2} {"a"} {`b${3}`} {true} {null} {/* c */}.', "3 a b3 ."],
    ["lists", "{[1, 2, 3].filter((x) => x > 1).map((x) => x * 2).join('-')}", "4-6"],
    ["objects", "export const o = { a: { b: ['x'] } };\n\n{o.a.b[0]}{o.gone?.more}{Object.keys(o).length}", "x1"],
    ["conditions", "export const on = false;\n\n{on ? 'a' : 'b'}{on || 'c'}{on && 'd'}{undefined ?? 'e'}", "bce"],
    ["text methods", "{'  Abc '.trim().toUpperCase().replaceAll('B', '-').split('-').length}", "2"],
    [
      "functions with statements",
      "export function f({ n = 1, ...rest }) {\n  const m = n + 1;\n  if (m > 2) return `big ${rest.x}`;\n  return 'small';\n}\n\n{f({})} {f({ n: 2, x: 'y' })}",
      "small big y",
    ],
    [
      "components of the page",
      "export const P = ({ children, tone = 'gray' }) => <Badge color={tone}>{children}!</Badge>;\n\n<P>a</P> <P tone=\"red\">b</P>",
      "a! b!",
    ],
    [
      "a component named like ours",
      "export const Note = ({ children }) => <b>own {children}</b>;\n\n<Note>a</Note>",
      "own a",
    ],
    ["a list of elements", "{['a', 'b'].map((x) => <li key={x}>{x}</li>)}", "a\nb"],
    ["spread attributes", "export const p = { title: 'T' };\n\n<Card {...p}>x</Card>", "T\nx"],
  ])("%s", async (_name, source, text) => {
    const page = await render(source);
    expect(page.warnings).toEqual([]);
    expect(page.text).toBe(text);
  });

  test("source that cannot be evaluated stays visible", async () => {
    const page = await render("Set {VALUE} first.\n");
    expect(page.text).toBe("Set {VALUE} first.");
    expect(page.warnings).toMatchObject([
      { line: 1, message: "{VALUE} is shown as text: VALUE is not defined in this page." },
    ]);
  });

  test("prose that starts with import is text", async () => {
    const page = await render("import things from elsewhere.\n");
    expect(page.text).toBe("import things from elsewhere.");
  });
});

describe("snippets", () => {
  test("props, exports, JSON and snippets inside snippets", async () => {
    const page = await render(
      'import Hello, { greeting } from "/snippets/hello.mdx"\nimport data from "/snippets/data.json"\n\n<Hello name="Ada" /> {greeting} {data.version} <Snippet file="hello.mdx" name="Bo" />\n',
      "mdx",
      {
        "snippets/hello.mdx":
          'import { mark } from "./mark.jsx"\n\nexport const greeting = "hey";\n\nHello {name}<>{mark}</>',
        "snippets/mark.jsx": 'export const mark = "?";',
        "snippets/data.json": '{"version": 3}',
      },
    );
    expect(page.warnings).toEqual([]);
    expect(page.text.replaceAll("\n", " ")).toBe("Hello Ada? hey 3 Hello Bo?");
    expect(page.includes).toEqual(["snippets/hello.mdx", "snippets/data.json", "snippets/mark.jsx"]);
  });

  test("a page's own headings keep their ids whatever a snippet above them contains", async () => {
    const page = await render('<Snippet file="a.mdx" />\n\n## Setup\n', "mdx", { "snippets/a.mdx": "## Setup\n" });
    expect(page.headings.map(({ id }) => id)).toEqual(["setup-1", "setup"]);
  });
});

describe("an attribute that only looks harmless", () => {
  test.each([
    ["a style that loads", '<span style="background:url(//evil.example/x)">a</span>', "<p><span>a</span></p>"],
    ["an id with a space", '<span id="a b">a</span>', "<p><span>a</span></p>"],
    ["an id with a quote", `<span id='a"b'>a</span>`, "<p><span>a</span></p>"],
    ["an id with an apostrophe", `<span id="a'b">a</span>`, "<p><span>a</span></p>"],
  ])("is left out: %s", async (_name, source, expected) => {
    expect(await html(source, "md")).toBe(expected);
  });

  test("a fill of a drawing is removed if it loads something, and kept if it refers to the drawing", async () => {
    const drawing = await html('<svg><rect fill="url(//evil.example/x)" stroke="url(#own)" /></svg>');
    expect(drawing).not.toContain("evil.example");
    expect(drawing).toContain('stroke="url(#own)"');
  });
});

describe("an expression", () => {
  test("calls the page's own function even if it has the name of a built-in one", async () => {
    expect(await html("export const String = (value) => value + '!'\n\n{String('a')}\n")).toContain("a!");
    expect(await html("{String(12)}\n")).toContain("12");
  });

  test("cannot grow a text without limit by replacing", async () => {
    const long = (letter: string) => `"${letter.repeat(90_000)}"`;
    const source = `Before {${long("a")}.replaceAll("a", ${long("b")}).length} after\n`;
    const page = await render(source);
    expect(page.html).toContain("Before");
    expect(JSON.stringify(page.warnings)).toContain("100,000 characters");
  });
});

test.each(["useState", "React.useState"])("a component with %s is shown as on its first render", async (hook) => {
  const page = await render(
    `import React, { useState, useEffect } from "react"\n\nexport const Counter = ({ from }) => {\n  const [count, setCount] = ${hook}(from);\n  const [isOpen] = ${hook}(false);\n  useEffect(() => { document.title = "x" }, []);\n  return <p onClick={() => setCount(count + 1)}>Count: {count}{isOpen && <b>open</b>}</p>;\n}\n\n<Counter from={3} />\n`,
  );
  expect(page.html).toContain("Count: 3");
  expect(page.html).not.toMatch(/open|onClick/);
  expect(page.warnings.map(({ message }) => message)).toContain(
    "The event handler onClick of <p> is left out: pages may not have it.",
  );
});

test("a component with code for later, such as event handlers, is shown", async () => {
  const page = await render(
    `export const Copy = () => {\n  const names = useMemo(() => ["b", "a"].map((n) => n + "!"), []);\n  const copy = useCallback(async () => { await navigator.clipboard.writeText("x") }, []);\n  const load = async () => { await fetch("/x") };\n  return <p>{names.join(" ")}</p>;\n}\n\n<Copy />\n\nexport const Bad = () => { const load = async () => 1; return <p>{load()}</p> }\n\n<Bad>kept</Bad>\n`,
  );
  expect(page.html).toContain("<p>b! a!</p>");
  expect(page.html).toContain("kept");
  expect(page.warnings.map(({ message }) => message)).toEqual([
    "<Bad> shows only its content: async functions and generators do not run here.",
  ]);
});

test("an unclosed name in angle brackets that is not a tag is text", async () => {
  const page = await render(
    "Send `Bearer` <token> to <my-host>, **<b>bold</b>**, <nobr>as one</nobr> <script>alert(1)</script>\n",
    "md",
  );
  expect(page.html).toContain("&lt;token&gt; to &lt;my-host&gt;, <strong><b>bold</b></strong>, as one");
  expect(page.html).not.toContain("<script");
});

test("<style> applies to the content of its page only, and loads nothing from other sites", async () => {
  const page = await render(
    '<style>{`\n.hero { color: red }\nbody { display: none }\n.a { background: url(https://elsewhere.example/a.png) }\n`}</style>\n\n<div className="hero">Hi</div>\n',
  );
  expect(page.css).toContain(".content .hero{color:red}");
  expect(page.css).not.toMatch(/elsewhere|display:none/);
  expect(page.html).not.toContain("style");
  expect(page.warnings.map(({ line, message }) => [line, message.slice(0, 30)])).toEqual([
    [1, "<style>: a selector reaches ou"],
    [1, "<style>: background is left ou"],
  ]);
});

test.each(["md", "mdx"] as const)(
  "a block of code from a terminal shows its text without escape sequences (%s)",
  async (format) => {
    const { html } = await render("```ansi\n\u001B[1;31mRed\u001B[0m [0m\n```\n", format);
    expect(html).toContain(">Red [0m</");
  },
);

test("a heading has its second id in the page, once", async () => {
  const page = await render("## OAuth 2.0\n");
  expect(page.html).toContain('<h2 id="oauth-20"><span id="oauth-2-0"></span>OAuth 2.0');
  expect(page.html.split("oauth-2-0")).toHaveLength(2);
});

test("a component whose name begins with two capitals is named as it is written", async () => {
  const page = await render(
    "# A <CRoot />\n\n<VPTeamPage>b</VPTeamPage>\n\n<TABLE><tr><td>c</td></tr></TABLE>\n",
    "md",
  );
  expect(page.warnings.map(({ code, message }) => [code, message.split(" ")[0]])).toEqual([
    ["unknown_component", "<CRoot>"],
    ["unknown_component", "<VPTeamPage>"],
  ]);
});

test("a page with formulas is named if the parser that is installed has none", async () => {
  const parser = await loadParser(() => Promise.reject(new Error("no binary")));
  const page = { path: "a.md", format: "md", variables: {}, read: () => Promise.resolve(null) } as const;
  const warned = async (source: string) =>
    (await renderPage({ ...deps, parser }, { ...page, source })).warnings.map(({ message }) => message);
  expect(await warned("$$\na\n$$\n")).toEqual([
    "Formulas are shown as their source: the package satteri is not installed for this system.",
  ]);
  expect(await warned("It costs $5.\n")).toEqual([]);
});
