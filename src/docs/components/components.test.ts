import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { beforeAll, describe, expect, test } from "vitest";
import { shownSpans } from "#chores/edits/terms/visible-text.ts";
import { anchorsOf } from "#docs/links/headings.ts";
import { extractLinks } from "#docs/links/link-extraction.ts";
import type { MarkdownFormat } from "#docs/parser.ts";
import { createRenderDeps, type RenderDeps, renderPage } from "#docs/render/render-page.ts";
import { attributeExamples, componentPage } from "#testing/component-examples.ts";
import type { Attribute, Component } from "./component.ts";
import { COMPONENTS } from "./registry.ts";

let deps: RenderDeps;
beforeAll(async () => {
  deps = await createRenderDeps(() => 0); // no page runs out of time
});

async function render(source: string, format: MarkdownFormat = "mdx") {
  return renderPage(deps, { path: "page.mdx", source, format, variables: {}, read: () => Promise.resolve(null) });
}

function parse(source: string, format: MarkdownFormat = "mdx") {
  const outcome = deps.parser.parse(source, format);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.root;
}

const HOSTILE = `"><img src=x onerror=alert(1)>'&lt;script&gt;`;

const cases = COMPONENTS.flatMap((component) => component.names.map((name) => ({ name, component })));
/** Attributes that are shown as text; those of an image are its `alt`. */
const shown = ({ tag, attributes = {} }: Component) =>
  Object.entries(attributes)
    .filter(([, { kind }]) => tag !== "img" && ["words", "literal", "list"].includes(kind))
    .map(([name]) => name);

function elementsOf(node: DefaultTreeAdapterTypes.Node): DefaultTreeAdapterTypes.Element[] {
  const inside = "childNodes" in node ? node.childNodes.flatMap(elementsOf) : [];
  return "tagName" in node ? [node, ...inside] : inside;
}

/** Ids in the HTML, without those that connect a tab to its label. */
function printedIds(html: string): string[] {
  return [...html.replace(/<input class="tab-input"[^>]*>/g, "").matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
}

const knownIds = (source: string, format: MarkdownFormat = "mdx") =>
  anchorsOf(parse(source, format)).map(({ id }) => id);

describe.each(cases)("<$name>", ({ name, component }) => {
  const examples = new Map(attributeExamples(component));
  const all = [...examples.values()];

  test.each([
    ["nothing", []],
    ["an id", ['id="my-id"']],
    ["every attribute", all],
    ["every attribute and an id", [...all, 'id="my-id"']],
  ])("with %s has the ids that the link checker knows", async (_what, attributes) => {
    for (const format of ["mdx", "md"] as const) {
      const source = componentPage(
        name,
        attributes.filter((each) => format === "mdx" || !each.includes("{[")),
      );
      const { html, anchors } = await render(source, format);
      expect(printedIds(html).sort()).toEqual(knownIds(source, format).sort());
      expect([...anchors].sort()).toEqual(printedIds(html).sort());
    }
  });

  test("accepts an id, or declares that it has none", async () => {
    const { html } = await render(componentPage(name, ['id="my-id"']));
    expect(printedIds(html)).toEqual(component.anchor === "none" ? [] : ["my-id"]);
  });

  test.each(component.anchor instanceof Object ? [...examples] : [])(
    "gets the same id from its %s when printed and in the link checker",
    async (_attribute, written) => {
      const source = componentPage(name, [written]);
      expect(printedIds((await render(source)).html)).toEqual(knownIds(source));
    },
  );

  test.each(shown(component))("shows the text of its %s, also in plain text", async (attribute) => {
    const inside = component.titlesFor ? "<Tab>a</Tab>" : "";
    const { html, text } = await render(componentPage(name, [examples.get(attribute) ?? "", 'href="/x"'], inside));
    expect(html).toContain(`the ${attribute} word`);
    expect(text).toContain(`the ${attribute} word`);
  });

  test("shows in plain text what the page shows, once", async () => {
    const { html, text } = await render(componentPage(name, all));
    const seen = html
      .replace(/<button.*?<\/button>/gs, "")
      .replace(/<img[^>]* alt="([^"]*)"[^>]*>/g, "$1")
      .replace(/<[^>]*>/g, " ")
      .replace(/&#39;/g, "'")
      .replace(/\s+/g, "");
    expect(text.replace(/\s+/g, "")).toBe(seen);
  });

  test("shows its content, of whatever kind", async () => {
    const isInline = component.isInline === true;
    const inside = isInline ? "firstkept" : "\nfirstkept\n\n<Note>secondkept</Note>\n\nthirdkept\n";
    // Its formula may also be an attribute.
    const attributes = name === "Latex" ? [] : all;
    const { html, text } = await render(`<${name} ${attributes.join(" ")}>${inside}</${name}>`);
    for (const word of isInline ? ["first"] : ["first", "second", "third"]) {
      expect(html.replace(/<[^>]*>/g, "")).toContain(`${word}kept`);
      expect(text).toContain(`${word}kept`);
    }
  });

  test("escapes attributes of a hostile author", async () => {
    const value = HOSTILE.replaceAll('"', "&quot;").replaceAll("<", "&lt;");
    const attributes = Object.keys(component.attributes ?? {}).map((attribute) => `${attribute}="${value}"`);
    const { html } = await render(componentPage(name, [...attributes, `id="${value}"`]));
    const elements = elementsOf(parseFragment(html));
    expect(elements.filter(({ tagName }) => tagName === "script")).toEqual([]);
    expect(elements.flatMap(({ attrs }) => attrs).filter(({ name }) => name.startsWith("on"))).toEqual([]);
    expect(elements.filter(({ attrs }) => attrs.some((each) => each.name === "src" && each.value === "x"))).toEqual([]);
  });

  test("has its words where chores look for words, and its links where the checker looks for links", () => {
    const source = componentPage(name, [...examples.values()]);
    const root = parse(source);
    const seen = shownSpans(source, root).map(({ start, end }) => source.slice(start, end));
    const links = extractLinks(source, root, { path: "page.mdx", dialect: "native" }).links.map(
      ({ url, use }) => `${use} ${url}`,
    );
    const kinds = Object.entries(component.attributes ?? {});
    const all = (kind: Attribute["kind"]) =>
      kinds.flatMap(([attribute, rule]) => (rule.kind === kind ? [attribute] : []));
    expect(seen.filter((words) => words.endsWith(" word"))).toEqual(all("words").map((each) => `the ${each} word`));
    expect(links).toEqual(expect.arrayContaining(all("link").map((each) => `link /the-${each}-target`)));
    expect(links).toEqual(expect.arrayContaining(all("source").map((each) => `source /the-${each}-picture.png`)));
  });
});

test.each(cases)("<$name> loads and links to nothing that the link checker misses", async ({ name, component }) => {
  const source = componentPage(name, attributeExamples(component).map(([, written]) => written)); // oxfmt-ignore
  const seen = extractLinks(source, parse(source), { path: "page.mdx", dialect: "native" }).links.map(({ url }) => url);
  const { links, images } = await render(source);
  const printed = [...links.map(({ href }) => href), ...images.map(({ src }) => src)];
  expect(printed.filter((address) => !seen.includes(address))).toEqual([]);
});

test("every name belongs to one component", () => {
  const names = COMPONENTS.flatMap((component) => component.names);
  expect(names).toHaveLength(new Set(names).size);
});

test.each([
  ["Tabs", '<Tab title="a">item</Tab>'],
  ["CodeGroup", "```js a\nitem\n```"],
  ["RequestExample", "```js a\nitem\n```"],
  ["CodeBlock", "```js a\nitem\n```"],
  ["Steps", '<Step title="a">item</Step>'],
  ["AccordionGroup", '<Accordion title="a">item</Accordion>'],
  ["CardGroup", '<Card title="a">item</Card>'],
  ["Columns", "<Column>item</Column>"],
  ["Tree", '<Tree.File name="item" />'],
  ["Color", '<Color.Item name="item" value="#fff" />'],
])("<%s> shows its items and whatever else stands in it", async (name, item) => {
  const source = `<${name}>\nfirst *kept* words\n\n${item}\n\nsecond *kept* words\n<Note>third kept words</Note>\n</${name}>`;
  const { html, text } = await render(source);
  const shownWords = html.replace(/<[^>]*>/g, "");
  for (const words of ["first kept words", "item", "second kept words", "third kept words"]) {
    expect(shownWords).toContain(words);
    expect(text).toContain(words);
  }
});

test("a color of a row has one value for each mode, and the row its title", async () => {
  const { text } = await render(
    '<Color variant="table"><Color.Row title="Primary"><Color.Item name="ink" value={{ light: "#111111", dark: "#EEEEEE" }} /></Color.Row></Color>',
  );
  expect(text).toBe("Primary\nink #111111 #EEEEEE");
});

test.each([
  ["Frame", "caption"],
  ["Prompt", "description"],
])("<%s %s> may have Markdown, whose links are checked", async (name, attribute) => {
  const source = `<${name} ${attribute}="See **the** [park](/park), not <b>a</b>">\nx\n</${name}>`;
  const { html, links } = await render(source);
  expect(html).toContain('See <strong>the</strong> <a href="/park">park</a>, not &lt;b&gt;a&lt;/b&gt;');
  expect(links).toEqual([{ href: "/park", written: "/park", line: 1 }]);
  const [found] = extractLinks(source, parse(source), { path: "page.mdx", dialect: "native" }).links;
  expect(found).toMatchObject({ url: "/park", line: 1, column: source.indexOf("/park") + 1 });
});

describe("tabs that get their titles from their group", () => {
  test.each([
    ['<Tabs items={["npm", "yarn"]}><Tab>a</Tab><Tab>b</Tab></Tabs>', ["npm", "yarn"]],
    ['<Tabs items={[1, 2]}><Tab title="x">a</Tab></Tabs>', ["x"]],
    ["<Tabs><Tab>a</Tab><div><Tab>b</Tab></div></Tabs>", ["tab-1", "tab-2"]],
    ['<Tabs items={["npm"]}><Tab title="Own">a</Tab><Tab>b</Tab></Tabs>', ["own", "tab-2"]],
  ])("%s", async (source, ids) => {
    expect(printedIds((await render(source)).html)).toEqual(ids);
    expect(knownIds(source)).toEqual(ids);
  });
});

describe("a page's own component", () => {
  const source = [
    'import { Card as Tile, Step as Other, Panel } from "/snippets/Step.jsx"',
    "",
    'export const Note = ({ children }) => <Step title="Inner">{children}</Step>',
    "",
    '<Step title="First">x</Step>',
    '<Panel id="panel">x</Panel>',
    '<Tile id="tile">x</Tile>',
    '<Note title="No anchor">x</Note>',
    '<Card id="card">x</Card>',
  ].join("\n");

  test("is one that the page's code defines, not one that it uses", () => {
    expect(knownIds(source)).toEqual(["first", "panel", "tile", "card"]);
  });
});

describe("a tag that is not a built-in component", () => {
  test.each<[string, MarkdownFormat, string[]]>([
    ['<Nothing id="a">x</Nothing>', "mdx", []],
    ['<my-element id="a">x</my-element>', "mdx", []],
    ['<img id="a" src="/b.png" alt="c" />', "mdx", ["a"]],
    ['<a id="a" name="b">x</a>', "mdx", ["a", "b"]],
    ['<details name="a">x</details>', "mdx", []],
    ['<span id="a b">x</span>', "mdx", []],
    ['<Visibility for="agents">\n## Hidden\n</Visibility>\n\n## Hidden', "mdx", ["hidden"]],
    ['<h2 align="center">\n  Big <em>title</em>\n</h2>\n\n## Big title', "md", ["big-title", "big-title-1"]],
    ['<Step title="Install">x</Step>', "md", ["install"]],
    [
      "A[^1] b[^2].\n\n[^1]: c\n[^2]: d",
      "md",
      ["footnote-1", "footnote-2", "footnote-reference-1", "footnote-reference-2"],
    ],
  ])("%s in %s leads to %j alone", async (source, format, ids) => {
    const { html } = await render(source, format);
    expect(knownIds(source, format).sort()).toEqual(ids);
    const printed = [...html.matchAll(/ (?:id|name)="([^"]*)"/g)].map(([, id = ""]) => id);
    expect([...new Set(printed)].sort()).toEqual(html.includes("<details") ? ["a"] : ids);
  });
});
