import { LFS_POINTER, PNG } from "#testing/sample-files.ts";
import type { TestFile } from "#testing/repositories.ts";
import { createRandom } from "./random.ts";

/** What readers get of one thing that an author wrote, where the report does not name it. */
export interface Expected {
  kind:
    | "title"
    | "heading"
    | "description"
    | "text"
    | "attribute"
    | "picture"
    | "file"
    | "link"
    | "entry"
    | "api"
    | "comment";
  /** What the author wrote, for the message of a failure. */
  what: string;
  /** What the report would name of it: an attribute, a page of the navigation. */
  name?: string;
  /** The file that the report would name. */
  path: string;
  /** Address on the site. */
  address: string;
  /** What its answer holds, or must not hold if it is a comment; null: it is any answer with 200. */
  holds: string | null;
}

/** The address of a search; the answer is JSON. */
export const searchFor = (query: string) => `/_docent/search?limit=50&q=${encodeURIComponent(query)}`;

const MCP = "/mcp#";
/** The address that stands for a call of a tool of the site's MCP server. */
export const callTool = (name: string, input: object) => `${MCP}${JSON.stringify({ name, arguments: input })}`;
/** The call that an address stands for; null: it is a plain address. */
export const calledTool = (address: string) => (address.startsWith(MCP) ? address.slice(MCP.length) : null);

export interface GeneratedRepository {
  files: Record<string, TestFile>;
  expected: Expected[];
}

/** Scalars as people write them, that YAML makes something else of. */
const SCALARS = [
  "4.10",
  "007",
  "1e3",
  "0x1F",
  "3.0",
  "1_000",
  "2026-01-15",
  "12:30",
  "yes",
  "+15550100",
  ".5",
  "1.50e2",
  "00501",
];
const NUMBERS = [
  "9223372036854775807",
  "-9223372036854775808",
  "9007199254740993",
  "10.00",
  "0.10",
  "1050201062612639744",
  "1.0",
  "42",
];
const NAMES = ["guide", "Über uns", "café", "入门", "read me", "v1.10", "a&b", "UPPER"];
const FILE_TYPES = [
  ".pdf",
  ".txt",
  ".csv",
  ".json",
  ".zip",
  ".svg",
  ".css",
  ".js",
  ".html",
  ".tar.gz",
  ".ipynb",
  ".PDF",
  "",
];
/** Attributes that pages may have, and some that they may not: readers get the first, the report names the rest. */
const ATTRIBUTES: [tag: string, attribute: string, value?: string][] = [
  ["td", "colspan", "7"], ["abbr", "title"], ["ol", "start", "7"], ["time", "datetime"], ["p", "lang"], ["p", "dir", "rtl"],
  ["span", "slot"], ["li", "value", "7"], ["div", "contenteditable"], ["details", "name"], ["p", "is"],
  ["svg", "viewBox", "0 0 7 7"], ["div", "itemid"], ["a", "href", "https://elsewhere.example"], ["a", "download"],
  ["img", "align"], ["img", "role"], ["ul", "type"],
]; // oxfmt-ignore

/** Where a block of code may stand: the last one needs MDX, where Markdown may begin below a tag. */
const CODE_AROUND: ((code: string) => string)[] = [
  (code) => code,
  (code) => `<Note>\n\n${code}\n\n</Note>`,
  (code) => `1. One\n\n${code.replaceAll(/^/gm, "   ")}`,
  (code) => `> One\n>\n${code.replaceAll(/^/gm, "> ")}`,
  (code) => `<Tabs>\n  <Tab title="One">\n${code.replaceAll(/^/gm, "    ")}\n  </Tab>\n</Tabs>`,
];

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/**
 * A docs repository of pages, pictures and descriptions of APIs, in the spellings and encodings that people use, and what
 * each scalar, attribute, file and entry of it must come to.
 */
export function generateRepository(seed: number): GeneratedRepository {
  const next = createRandom(seed);
  const random = {
    below: (limit: number) => Math.floor(next() * limit),
    chance: (share: number) => next() < share,
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
  };
  const files: Record<string, TestFile> = {};
  const expected: Expected[] = [];
  let words = 0;
  const word = () => `w${(words += 1)}x${random.below(1_000_000).toString(36)}`;
  const form = (text: string) => (random.chance(0.4) ? text.normalize("NFD") : text);
  const root = random.pick(["", "docs/"]);
  const product = `${word()}: "q"`;
  const variables = { product, ver: random.pick(SCALARS) };
  const navigation: string[] = [];
  const expect = (kind: Expected["kind"], of: Omit<Expected, "kind" | "what"> & { what?: string }) =>
    expected.push({ kind, what: kind, ...of });

  const pictures = Array.from({ length: 3 }, (_, index) => {
    const name = `${random.pick(NAMES)}${index}.png`;
    const path = `${root}images/${form(name)}`;
    files[path] = random.chance(0.25) ? LFS_POINTER : PNG;
    return { path, address: `/images/${name}` };
  });

  function scalar(): { yaml: string; text: string } {
    const kind = random.below(5);
    if (kind === 0) {
      const text = random.pick(SCALARS);
      return { yaml: text, text };
    }
    if (kind === 1) return { yaml: "{{product}} {{ver}}", text: `${product} ${variables.ver}` };
    if (kind === 2) {
      const text = `${word()} & <${word()}>`;
      return { yaml: JSON.stringify(text), text };
    }
    if (kind === 3) {
      const text = `${word()}: ${word()}`;
      return { yaml: text, text };
    }
    const text = word();
    return { yaml: text, text };
  }

  function attribute(path: string, address: string): string {
    const [tag, name, value = word()] = random.pick(ATTRIBUTES);
    expect("attribute", { what: `attribute ${name} of <${tag}>`, name, path, address, holds: ` ${name}="${value}"` });
    if (tag === "img") return `<img src="https://pictures.example/a.png" ${name}="${value}" />`;
    const rest = name === "download" ? ' href="https://files.example"' : "";
    const open = `<${tag}${rest} ${name}="${value}">`;
    const inner = tag === "svg" ? "" : word();
    const around = tag === "td" ? ["<table><tr>", "</tr></table>"] : tag === "li" ? ["<ul>", "</ul>"] : ["", ""];
    return `${around[0]}${open}${inner}</${tag}>${around[1]}`;
  }

  function page(index: number): void {
    const name = `${random.pick(NAMES)} ${index}`.replaceAll(" ", random.pick([" ", "-"]));
    const folder = random.pick(["", "guides/", "Über/"]);
    const path = `${root}${form(folder + name)}.${random.pick(["md", "mdx"])}`;
    const address = `/${folder}${name}`;
    navigation.push(folder + name);
    const [title, description] = [scalar(), scalar()];
    const [said, coded] = [word(), word()];
    const paragraph = `${said} {{product}}.`;
    const picture = random.pick(pictures);
    const base = random.chance(0.2) && root !== "" ? "/docs" : "";
    const source = word();
    const body = [
      random.chance(0.2) ? `# ${word()}\n` : "",
      `${paragraph}\n`,
      `${random.pick(path.endsWith(".md") ? CODE_AROUND.slice(0, -1) : CODE_AROUND)('````\n```js title="' + word() + '"\n<Card> :::note {% raw %} !!! tip $x$ ' + coded + "\n```\n````")}\n`,
      `![${word()}](<${base}${picture.address}>)\n`,
      `<picture><source media="(min-width: 7px)" srcset="${encodeURI(picture.address)}" /><img src="${encodeURI(picture.address)}" alt="${source}" /></picture>\n`,
      `${attribute(path, address)}\n`,
      random.chance(0.15) && path.endsWith(".mdx") ? `Text {${word()}( <Tabs>\n` : "",
    ].join("\n");
    const text = `---\ntitle: ${title.yaml}\ndescription: ${description.yaml}\n---\n${body}`;
    // Windows-1252 has no Chinese: what it cannot hold is not written in it.
    const encoding = random.pick(["utf8", "utf8", "utf8", "bom", "utf16le", "latin1"]);
    const fits = !/[\u0100-\uffff]/.test(text);
    files[path] =
      encoding === "utf16le" ? Buffer.from(`\uFEFF${text}`, "utf16le")
      : encoding === "latin1" && fits ? Buffer.from(text, "latin1")
      : encoding === "bom" ? `\uFEFF${text}`
      : text; // oxfmt-ignore
    const filled = paragraph.replace("{{product}}", product);
    const inMarkdown = `${address}.md`;
    expect("title", { path, address, holds: `<title>${escaped(title.text)}` });
    expect("description", { path, address, holds: ` content="${escaped(description.text)}"` });
    expect("text", { path, address, holds: escaped(filled) });
    const code = `&lt;Card&gt; :::note {% raw %} !!! tip $x$ ${coded}`;
    expect("text", { what: "code within code", path, address, holds: code });
    expect("text", { what: "code within code in Markdown", path, address: inMarkdown, holds: `tip $x$ ${coded}` });
    for (const each of [said, coded])
      expect("text", {
        what: "a word in the search",
        path,
        address: searchFor(each),
        holds: `"page":"${encodeURI(address)}"`,
      });
    const found = { address: searchFor(said), holds: `"title":${JSON.stringify(title.text)}` };
    expect("title", { what: "title in the search", path, ...found });
    expect("text", {
      what: "text for programs",
      path,
      address: callTool("read_page", { page: address }),
      holds: filled,
    });
    const list = { address: callTool("list_pages", {}), holds: title.text };
    expect("title", { what: "title in the list of pages", path, ...list });
    expect("text", { what: "srcset", path, address, holds: ' srcset="/images/' });
    expect("heading", { what: "title in Markdown", path, address: inMarkdown, holds: title.text });
    expect("text", { what: "text in Markdown", path, address: inMarkdown, holds: filled });
    expect("title", { what: "title in llms.txt", path, address: "/llms.txt", holds: title.text });
    expect("entry", { path, address: "/", holds: ` href="${encodeURI(address).replaceAll("&", "&amp;")}"` });
    expect("picture", { ...picture, holds: null });
  }

  function description(index: number): void {
    const isYaml = random.chance(0.6);
    const [bound, given, text] = [random.pick(NUMBERS), random.pick(NUMBERS), random.pick(SCALARS)];
    const version = random.pick(["1.10", "2.0", "007"]);
    const operation = word();
    const path = `${root}api${index}.${isYaml ? "yaml" : "json"}`;
    const written = isYaml ? text : JSON.stringify(text);
    const of = (more: string) =>
      `{"openapi": "3.1.0", "info": {"title": "T", "version": ${isYaml ? version : JSON.stringify(version)}}, "servers": [{"url": "https://api.example.com"}], "paths": {"/${operation}": {"post": {"summary": "Sum ${operation}", ${more}, "responses": {}}}}}`;
    const parameters = `"parameters": [{"name": "n", "in": "query", "schema": {"type": "number", "maximum": ${bound}}}, {"name": "s", "in": "query", "schema": {"type": "string", "default": ${written}}}]`;
    const content = `"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"s": {"type": "string"}}}, "example": {"n": ${given}, "s": ${written}}}}}`;
    files[path] = of(`${parameters}, ${content}`);
    const page = `${root}op${index}.mdx`;
    files[page] = `---\nopenapi: api${index}.${isYaml ? "yaml" : "json"} POST /${operation}\n---\n`;
    navigation.push(`op${index}`);
    const [address, inMarkdown] = [`/op${index}`, `/op${index}.md`];
    for (const [what, holds] of [
      ["bound", `maximum \`${bound}\``],
      ["default of a string", `default \`${text}\``],
      ["number of an example", `"n": ${given}`],
      ["string of an example", `"s": "${text}"`],
    ] as const)
      expect("api", { what: `${what} of an API`, path, address: inMarkdown, holds });
    expect("api", { what: "number of an example, as a page", path, address, holds: given });
  }

  const pages = 1 + random.below(3);
  for (let index = 0; index < pages; index += 1) page(index);
  for (let index = 0; index < random.below(3); index += 1) description(index);
  if (random.chance(0.3)) {
    const path = `${root}linked${seed}.md`;
    files[path] = { linkTo: "index.md" };
    expect("link", { what: "symbolic link", path, address: `/linked${seed}`, holds: null });
  }
  const file = `${random.pick(["files/", "", "Über/"])}${random.pick(NAMES)}${random.pick(FILE_TYPES)}`;
  const content = word();
  files[root + form(file)] = content;
  expect("file", { path: root + file, address: `/${file}`, holds: content });
  const group = `{{product}} ${word()}`;
  const name = `${word()} {{ver}}`;
  const config = `${root}docs.json`;
  const missing = random.chance(0.2) ? `gone-${word()}` : null;
  const pagesOfGroup = ["index", ...navigation, ...(missing === null ? [] : [missing])];
  files[`${root}index.md`] = "# Home\n";
  files[config] = JSON.stringify({ name, variables, navigation: { groups: [{ group, pages: pagesOfGroup }] } });
  if (missing !== null) {
    expect("entry", { what: `entry ${missing}`, name: missing, path: config, address: `/${missing}`, holds: null });
  }
  const nameOfSite = name.replace("{{ver}}", variables.ver);
  const nameOfGroup = escaped(group.replace("{{product}}", product));
  expect("text", { what: "name of the site", path: config, address: "/llms.txt", holds: nameOfSite });
  expect("text", { what: "name of a group", path: config, address: "/", holds: nameOfGroup });
  return { files, expected };
}
