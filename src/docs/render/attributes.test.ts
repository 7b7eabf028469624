import { beforeAll, expect, it } from "vitest";
import type { MarkdownFormat } from "#docs/parser.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "./render-page.ts";

// What authors paste from READMEs, players and drawing programs is shown or reported; nothing else is reported.

let deps: RenderDeps;
beforeAll(async () => {
  deps = await createRenderDeps(() => 0);
});

async function render(source: string, format: MarkdownFormat = "md") {
  const read = () => Promise.resolve(null);
  const page = await renderPage(deps, { path: "page.mdx", source, format, variables: {}, read });
  return { html: page.html, messages: page.warnings.map(({ message }) => message), page };
}

it.each<[name: string, source: string, shown: string, format?: MarkdownFormat]>([
  ["a link", '<a href="https://a.example" target="_blank">a</a>', 'href="https://a.example"'],
  ["a link in JSX", '<a className="x" href={"/b"}>a</a>', '<a href="/b" class="x">', "mdx"],
  ["a download", '<a href="/a.pdf" download="plan.pdf">a</a>', 'href="/a.pdf" download="plan.pdf"'],
  ["a picture beside the text", '<img src="/a.png" align="right" hspace="8">', 'align="right" hspace="8"'],
  ["a picture that is not read aloud", '<img src="/a.png" aria-hidden="true">', 'aria-hidden="true"'],
  ["a picture's width with its unit", '<img src="/a.png" width="120px" height="auto">', 'width="120" src'],
  [
    "a player",
    '<iframe src="https://v.example" allow="autoplay; fullscreen *" webkitallowfullscreen></iframe>',
    'allow="autoplay; fullscreen *"',
  ],
  ["a video with a frame's attributes", '<video src="/a.mp4" frameborder="0" allowfullscreen></video>', "<video"],
  [
    "a drawing's styles",
    '<svg><path d="M0" style="fill:#fff;enable-background:new" xml:space="a"/></svg>',
    "fill:#fff",
  ],
  ["a drawing's own units", '<svg><mask maskUnits="userSpaceOnUse"/></svg>', 'maskUnits="userSpaceOnUse"'],
  ["a drawing's filter", '<svg><feFlood flood-color="red"/></svg>', "<feFlood"],
  [
    "classes with variants",
    `<p class="[&>p]:mt-0 before:content-['x']">a</p>`,
    'class="[&amp;&gt;p]:mt-0 before:content-[',
  ],
  ["many declarations", `<p style="${"margin: 1px; ".repeat(45)}color: red">a</p>`, "color:red"],
  [
    "many sizes of a picture",
    `<img src="/a.png" srcset="${Array.from({ length: 60 }, (_, index) => `/a.png ${index + 1}w`).join(", ")}">`,
    "/a.png 60w",
  ],
  ["the title of a link", '[a](/b "What b is")', '<a href="/b" title="What b is">a</a>'],
  ["the title of a link by its label", '[a][b]\n\n[b]: /b "What b is"', '<a href="/b" title="What b is">a</a>'],
  ["a colored text", '<font color="red" size="2">a</font>', '<font color="red" size="2">a</font>'],
  [
    "an icon's own look",
    '<Icon icon="flag" size={32} color="#dc2626" className="inline" />',
    '<svg class="content-icon inline" color="#dc2626" viewBox="0 0 24 24" width="32" height="32"',
    "mdx",
  ],
  ["the color of a card's icon", '<Card icon="flag" color="#dc2626" />', 'class="content-icon" color="#dc2626"', "mdx"],
  ["the type of a card", '<Card title="a" type="warning" />', 'class="card card-typed callout-warning"', "mdx"],
  ["the look of a badge", '<Badge size="lg" shape="pill" stroke>a</Badge>', "badge-lg badge-pill badge-stroke", "mdx"],
  ["a drawing's part by its old name", '<svg><use xlink:href="#a"/></svg>', '<use href="#a"'],
])("%s is shown as written", async (_name, source, shown, format) => {
  const { html, messages } = await render(source, format);
  expect(html).toContain(shown);
  expect(messages).toEqual([]);
});

it.each([
  ['<img src="/a.png" width="5em">', "The width 5em of <img> is left out: it is neither pixels nor a percentage."],
  [
    '<iframe src="https://v.example" allow="camera; autoplay"></iframe>',
    "The allow of <iframe> is sent without camera: pages may not grant it.",
  ],
  [
    '<p style="position: fixed; color: red">a</p>',
    "The style of <p> is shown without position: fixed: pages may not have it.",
  ],
  ['<div class="tab-panel lead">a</div>', "The class of <div> is shown without tab-panel: pages may not have it."],
  ['<svg><use xlink:href="/b.svg#a"/></svg>', "The attribute xlink:href of <use> is left out: pages may not have it."],
  ["<p class='a{b} c'>a</p>", "The class of <p> is shown without a{b}: pages may not have it."],
  [
    `<p style="${Array.from({ length: 8 }, (_, index) => `position: p${index}`).join(";")}">a</p>`,
    "The style of <p> is shown without position: p0; position: p1; position: p2; position: p3; position: p4 and 3 more: pages may not have it.",
  ],
  ["<button>Buy</button>", "<button> is not an HTML tag that pages may use; what it contains is shown."],
  [
    '<Card titel="a">b</Card>',
    'The attribute titel of <Card> is left out: the component does not have it. Did you mean "title"?',
  ],
  ['<Card className="x">b</Card>', "The attribute className of <Card> is left out: the component does not have it."],
  ['<Icon icon="flag" color="url(#a)" />', "The color url(#a) of <Icon> is left out: it is not a color of CSS."],
  // JSX in plain Markdown is one finding, not one for each of its pieces.
  ["<p style={{ width: 100 + '%', margin: 0 }}>a</p>", "The style of <p> is shown without {{: pages may not have it."],
])("%s is reported once", async (source, message) => {
  expect((await render(source)).messages).toEqual([message]);
});

it.each<[string, shown: string, message: string]>([
  ['<Badge size="giant">a</Badge>', '<span class="badge badge-gray">', 'The value "giant" of size has no effect: <Badge> has xs, sm, md, lg.'],
  ['<Badge color="#ff0000">a</Badge>', '<span class="badge badge-gray">', 'The value "#ff0000" of color has no effect: <Badge> has gray, green,'],
  ["<Columns cols={8}>a</Columns>", "card-grid-2", 'The value "8" of cols has no effect: <Columns> has 1, 2, 3, 4, 5, 6.'],
  ['<Callout type="dangr">a</Callout>', "callout-plain", 'Did you mean "danger"?'],
  ['<Visibility for="agent">a</Visibility>', "a", 'has agents, humans. Readers and agents both see the content. Did you mean "agents"?'],
  ['<Visibility for="Humans">a</Visibility>', "a", 'The value "Humans" of for has no effect'],
])("a value that a component does not have is reported: %s", async (source, shown, message) => {
  const { html, messages } = await render(source, "mdx");
  expect([html, messages]).toEqual([expect.stringContaining(shown), [expect.stringContaining(message)]]);
}); // oxfmt-ignore

it.each([
  '<Badge color="Red" size="SM">a</Badge>',
  '<Columns cols="3">a</Columns>',
  '<Callout type="Warning">a</Callout>',
  '<Card type="Tip">a</Card>',
  '<Visibility for="agents">a</Visibility>',
])("a value that a component has is not reported: %s", async (source) => {
  expect((await render(source, "mdx")).messages).toEqual([]);
});

it.each([
  ['<ParamField body="id" default={9007199254740993}>a</ParamField>', "default of <ParamField>"],
  ["The id {1050201062612639744}.", "1050201062612639744"],
  ["export const id = 12345678901234567890\n\nThe id {id}.", "12345678901234567890"],
  ["The id {9_007_199_254_740_993}.", "9_007_199_254_740_993"],
  ["The id {0x20000000000001}.", "0x20000000000001"],
  [`The id {${"12345678901234567891".repeat(3)}}.`, "12345678901234567891"],
])("a whole number that JavaScript would round is named, and no other number is shown: %s", async (source, named) => {
  const { html, messages } = await render(source, "mdx");
  expect(html).not.toMatch(/9007199254740992|1050201062612639700|12345678901234567000|e\+/);
  expect(messages.join("\n")).toContain(named);
  expect(messages.join("\n")).toContain("write it in quotation marks");
});

it.each(["9_007_199_254_740_992", "0x20000000000000", "1e21", "017", "0.1", "12345678901234567890.5", "10n"])(
  "a number that is no whole number, or is not rounded, is not named: %s",
  async (number) => expect((await render(`The id {${number}}.`, "mdx")).messages.join("\n")).not.toContain("rounds"),
);

it("a frame's sandbox is reported only if it is stricter than ours", async () => {
  const snippet = "allow-forms allow-modals allow-popups allow-presentation allow-same-origin allow-scripts";
  const frame = (sandbox: string) => render(`<iframe src="https://v.example" sandbox="${sandbox}"></iframe>`);
  expect((await frame(snippet)).messages).toEqual([]);
  expect((await frame("allow-scripts")).messages).toEqual([
    "The attribute sandbox of <iframe> is left out: pages may not have it.",
  ]);
});

it("an anchor in braces after an MDX heading is accepted without a warning", async () => {
  const { html, page } = await render("## Set up {#my-setup}\n\nBut {#not-one} is text.\n", "mdx");
  expect(html).toContain('<h2 id="my-setup">Set up<');
  expect(html).toContain("{#not-one} is text");
  expect(page.warnings.map(({ code, message }) => `${code} ${message}`).slice(1)).toEqual([
    "syntax Repaired for display: {#my-setup} is read as the anchor of its heading.",
    'not_rendered Repaired for display: "{#not-one} is text." is shown as text.',
  ]);
});

it("a problem that a page has hundreds of times does not hide another one", async () => {
  const { messages } = await render(`${"<p foo=a>x</p>\n\n".repeat(150)}<p bar=a>x</p>\n\n<p bar=b>x</p>\n`);
  expect(messages.slice(-2)).toEqual([
    "The attribute bar of <p> is left out: pages may not have it.",
    "The page has at least 51 more warnings.",
  ]);
});

it("an attribute in another tool's page is reported only if it looks mistyped", async () => {
  const page = await renderPage(deps, {
    path: "a.mdx",
    source: '<Card titel="A" kind="x" icon="star">b</Card>\n',
    format: "mdx",
    dialect: "starlight",
    variables: {},
    read: () => Promise.resolve(null),
  });
  expect(page.warnings.map(({ message }) => message)).toEqual([
    'The attribute titel has no effect. Did you mean "title"?',
  ]);
});

it("a description that the page's own heading replaces is reported", async () => {
  const head = "---\ntitle: A\ndescription: About it.\n";
  const message = expect.stringMatching(/^The description of the front matter is not shown/) as unknown;
  expect((await render(`${head}---\n\n# A\n\nText\n`)).messages).toEqual([message]);
  expect((await render(`${head}mode: custom\n---\n\n# A\n\nText\n`)).messages).toEqual([]);
  expect((await render(`${head}---\n\nText\n\n# B\n`)).messages).toEqual([]);
});
