import fc from "fast-check";

/** Files of a documentation repository by path. */
export type Files = Record<string, string>;

const WORDS = [
  "search", "Search", "SEARCH", "searches", "Acmesearch", "research", "search.js", "search-box", "search's", "“search”", "(search)",
  "the", "a", "quick", "über", "API", "Docent", "Setup", "*search*", "**search**", "`search`", "``a ` search``", "\\*search\\*",
  "https://search.dev/search", "me@search.dev", "/search/path", "search,", "search.", "[search](/guides/one)",
  "[the search](../guides/one#search-1)", "![search](/images/search.png)", "&nbsp;search",
]; // oxfmt-ignore
const words = (max = 8) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: max }).map((all) => all.join(" "));
const plain = fc
  .array(fc.constantFrom("search", "Search", "Acmesearch", "quick", "Setup", "the", "API", "searches"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.join(" "));
const level = fc.constantFrom("##", "###");

const block = fc.oneof(
  { weight: 4, arbitrary: words() },
  { weight: 3, arbitrary: fc.tuple(level, plain).map(([marks, text]) => `${marks} ${text}`) },
  fc.tuple(words(), words()).map(([one, two]) => `${one}\n${two}`),
  fc.array(words(4), { minLength: 1, maxLength: 3 }).chain((items) =>
    fc.constantFrom("-", "*", "+").map((marker) => items.map((item) => `${marker} ${item}`).join("\n")),
  ),
  fc.array(words(4), { minLength: 1, maxLength: 3 }).map((items) => items.map((item, n) => `${n + 1}. ${item}`).join("\n")),
  words().map((text) => `> ${text}`),
  fc.constantFrom("```", "~~~").map((fence) => `${fence}js title="search"\nconst search = 1;\n\n# search\n- search\n${fence}`),
  plain.map((text) => `| ${text} | search |\n| --- | :-: |\n| \`search\` | ${text} |`),
  fc.tuple(plain, words(4)).map(([title, text]) => `<Card title="${title}" href="/guides/one" icon="search">\n  ${text}\n</Card>`),
  fc.tuple(plain, words(4)).map(([title, text]) => `<Note>\n  ${text}\n\n  <Badge label='search' id="search">${title}</Badge>\n</Note>`),
  fc.constant("<img src=\"/images/search.png\" />"),
  fc.constant("[search][ref]\n\n[ref]: /guides/one"),
  { weight: 2, arbitrary: fc.constantFrom("## Search", "The quick search finds every page. And more.") },
  fc.constant("[one](/Guides/one) and [two](./two.md)"),
  fc.constant("A search[^1].\n\n[^1]: The search"),
); // oxfmt-ignore
const mdxBlock = fc.constantFrom(
  'import Search from "/snippets/search.mdx"',
  "{/* search */}",
  "export const search = 'search';",
  "The {search} and {`search`}",
);
const mdBlock = fc.constantFrom(
  "<!-- search -->",
  "Code:\n\n    search",
  "## Search {#search}",
  "a < b search { } search",
);

const entry = fc.oneof(
  plain.map((text) => `description: ${text}`),
  plain.map((text) => `description: "${text}" # search`),
  plain.map((text) => `description: >-\n  ${text}\n  and search`),
  plain.map((text) => `description: |\n  ${text}\n  --- search`),
);
const further = fc.constantFrom(
  "# search in a comment", "keywords: [search, 'a search']", "keywords:\n  - search\n  - quick", "tags:\n- search\n\n- quick # search",
  "icon: search", "sidebarTitle: 'Search it'", '"og:title": search', "base: &search\n  search: 1\ncopy: *search", "api: GET /search",
  "empty:", "nested:\n    title: search\n    search: title", "mode: wide   ", "list: [\n  search,\n  quick\n]", "keywords: search, quick",
); // oxfmt-ignore
const head = fc
  .record({
    title: fc.option(
      fc.oneof(
        plain,
        plain.map((text) => `'${text}'`),
      ),
    ),
    description: fc.option(entry),
    further: fc.uniqueArray(further, { maxLength: 3, selector: (text) => text.replace(/:.*/s, "") }),
  })
  .map(({ title, description, further: more }) => {
    const lines = [...(title === null ? [] : [`title: ${title}`]), ...more.slice(0, 1)];
    return [...lines, ...(description === null ? [] : [description]), ...more.slice(1)].join("\n");
  });

const page = (format: "md" | "mdx") =>
  fc
    .record({
      head: fc.option(head, { freq: 6 }),
      blocks: fc.array(fc.oneof({ weight: 8, arbitrary: block }, format === "md" ? mdBlock : mdxBlock), {
        maxLength: 7,
      }),
      end: fc.constantFrom("\n", "", "\n\n", "  \n"),
      newline: fc.constantFrom("\n", "\n", "\r\n"),
      mark: fc.constantFrom("", "", "", "\uFEFF"),
      isBroken: fc.integer({ min: 0, max: 11 }).map((n) => n === 0),
    })
    .map(({ head: yaml, blocks, end, newline, mark, isBroken }) => {
      const front = yaml === null ? "" : `---\n${yaml}${yaml === "" ? "" : "\n"}---\n\n`;
      const broken = isBroken && format === "mdx" ? `\n\n<Card title="search">\n\n{search\n` : "";
      const text = front + [...new Set(blocks)].join("\n\n") + broken + end;
      return mark + text.replaceAll("\n", newline);
    });

/**
 * A configuration as an editor leaves it: one object on a line of its own, where a program would format it like the
 * rest.
 */
export const layOut = (config: object, layout: string): string =>
  `${JSON.stringify(config, null, layout)}\n`.replace(
    /\{\s*("label": "search"),\s*("href": "[^"]*")\s*\}/,
    "{ $1,  $2 }",
  );

const API = {
  openapi: "3.1.0",
  info: { title: "Search", version: "1" },
  paths: { "/search": { get: { tags: ["Search"], summary: "Search", responses: { 200: { description: "Found" } } } } },
};
const PAGES = ["index.mdx", "guides/one.mdx", "guides/two.md", "guides/search.mdx", "reference/api.md"] as const;

/**
 * Repositories of five pages with everything that breaks careless edits: a term in every kind of place, front matter
 * with comments, block scalars, anchors and lists, byte order marks, CRLF, pages that do not parse, and a `docs.json`
 * in several layouts.
 */
export const arbitraryRepository: fc.Arbitrary<Files> = fc
  .record({
    pages: fc.tuple(page("mdx"), page("mdx"), page("md"), page("mdx"), page("md")),
    layout: fc.constantFrom("  ", "\t", "    "),
    newline: fc.constantFrom("\n", "\r\n"),
    redirects: fc.boolean(),
  })
  .map(({ pages, layout, newline, redirects }) => {
    const config = {
      name: "Acme search",
      navigation: {
        groups: [
          { group: "Search guides", icon: "search", pages: ["index", "guides/one", "guides/search", "guides/gone"] },
          { group: "Reference", pages: ["reference/api"] },
        ],
      },
      ...(redirects && { redirects: [{ source: "/search", destination: "/guides/search" }] }),
      footer: { links: [{ label: "search", href: "https://search.dev" }] },
    };
    const files: Files = {
      "docs.json": layOut(config, layout).replaceAll("\n", newline),
      "images/search.png": "png",
      "snippets/search.mdx": "A search\n",
      "terms.yml": "terms:\n  - use: lookup\n    not: [search]\n",
      "openapi.json": JSON.stringify(API),
    };
    for (const [index, path] of PAGES.entries()) files[path] = pages[index] ?? "";
    return files;
  });
