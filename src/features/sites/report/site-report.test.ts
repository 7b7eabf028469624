import { afterAll, expect, it } from "vitest";
import type { MarkdownParser } from "#docs/parser.ts";
import { createPageHeads } from "#docs/tree/page-tree.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { LFS_POINTER } from "#testing/sample-files.ts";
import { AppError } from "#lib/app-error.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import { loadSiteVersion } from "#features/sites/site-version.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { createSiteReport } from "./site-report.ts";

const content = sharedContent();
afterAll(() => content[Symbol.asyncDispose]());

const rendered: string[] = [];
/** How many more times the renderer is too busy for a page. */
let busyTimes = 0;
const parsed: string[] = [];
const { apiDocuments } = content;
const contents = createPageContents({
  logger: silentLogger,
  maxCharacters: 0,
  readsLinks: true,
  contentProcess: {
    apiDocuments,
    render(input) {
      rendered.push(input.path);
      if (busyTimes > 0) {
        busyTimes -= 1;
        return Promise.reject(new AppError("unavailable", "Too busy."));
      }
      return content.render(input);
    },
  },
});
const parserFor = (owner: string): MarkdownParser => ({
  parse(source, format) {
    parsed.push(source);
    return content.parserFor(owner).parse(source, format);
  },
});
const report = createSiteReport({ contents, parserFor });
const project = newProjectId();

async function reportOf(files: Record<string, string>, options = {}) {
  const snapshot = createTestSnapshot(files);
  const heads = createPageHeads();
  const version = await loadSiteVersion({ apiDocuments, heads }, { commit: null, snapshot, project: { id: project } });
  return await report({ project, version }, options);
}

const briefly = ({ problems }: Awaited<ReturnType<typeof reportOf>>) =>
  problems.map(
    ({ path, line, column, severity, code }) =>
      `${path}:${line}${column === undefined ? "" : `:${column}`} ${severity} ${code}`,
  );

const configOf = (more: object) =>
  JSON.stringify({ name: "Harbor", navigation: { pages: ["index"] }, ...more }, null, 1);
const INDEX = { "docs.json": configOf({}), "index.mdx": "# Start\n" };
const API = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Boats", version: "1" },
  paths: {
    "/boats": { get: { summary: "List boats", responses: { 200: { description: "All of them" } } } },
    "/crew": { get: { responses: { 200: { $ref: "https://elsewhere.example/x.json" } } } },
  },
});

it.each<[what: string, files: Record<string, string>, problems: string[]]>([
  ["nothing", { "index.mdx": "# Start\n\n[Here](#start)\n" }, []],
  ["a docs.json that is no JSON", { "docs.json": '{\n "name": Harbor\n}' }, ["docs.json:2 error configuration"]],
  [
    "an entry without a page",
    { "docs.json": '{\n"navigation": {"pages": ["index",\n"gone"]}}' },
    ["docs.json:3 warning navigation"],
  ],
  ["two pages of one address", { "index.md": "# Other" }, ["index.md:null warning duplicate_address"]],
  [
    "redirects in a circle and to nowhere",
    {
      "docs.json": configOf({
        redirects: [
          { source: "/a", destination: "/b" },
          { source: "/b", destination: "/a" },
          { source: "/c/:slug*", destination: "/c/:slug*" },
          { source: "/d", destination: "/gone" },
          { source: "/e", destination: "/" },
          { source: "/f", destination: "/boats.csv" },
        ],
      }),
      "boats.csv": "name\n",
    },
    [
      "docs.json:9 error redirect",
      "docs.json:13 error redirect",
      "docs.json:17 error redirect",
      "docs.json:21 warning redirect",
    ],
  ],
  ["a logo that is not there", { "docs.json": configOf({ logo: "/logo.svg" }) }, ["docs.json:8 error missing_file"]],
  [
    "icons of no set",
    {
      "docs.json": configOf({ navigation: { groups: [{ group: "A", icon: "no-such", pages: ["index"] }] } }),
      "index.mdx": '---\ntitle: Start\nicon: no-such\n---\n\n<Icon icon="no-such" />\n',
    },
    ["docs.json:7 warning unknown_icon", "index.mdx:3 warning unknown_icon", "index.mdx:6 warning unknown_icon"],
  ],
  [
    "a description of an API with a reference that is not followed",
    {
      "docs.json": configOf({
        navigation: {
          groups: [
            { group: "A", pages: ["index"] },
            { group: "API", openapi: "api.json" },
          ],
        },
      }),
      "api.json": API,
    },
    ["api.json:1 warning api_description"],
  ],
  [
    "front matter that is no YAML",
    { "index.mdx": "---\ntitle: A\nb: c: d\n---\n" },
    ["index.mdx:3 error front_matter"],
  ],
  [
    "front matter that is shown as text",
    {
      "index.mdx": "---\ntitle: A\n\nText\n",
      "late.md": "\n---\ntitle: A\n---\n\nText\n",
      "toml.md": '+++\ntitle = "A"\n+++\n\nText\n',
      "rule.md": "---\n\nText below a line, with a note: a word\n",
      "two-rules.md": "\n---\n\nText\n\n---\n",
      "rule-and-note.md": "---\nNote: words below a line\n",
      "rules-and-note.md": "\n---\nPlease note: words\n\n---\n\nText\n",
    },
    ["index.mdx:1 error front_matter", "late.md:1 error front_matter", "toml.md:1 error front_matter"],
  ],
  [
    "files of Git LFS in place of pages, snippets and the configuration",
    {
      "index.mdx": 'import S from "/snippets/s.mdx"\n\n<S />\n\n[x](/big)\n',
      "snippets/s.mdx": LFS_POINTER,
      "big.md": LFS_POINTER,
      "AGENTS.md": LFS_POINTER,
    },
    ["big.md:null error missing_file", "snippets/s.mdx:null error missing_file"],
  ],
  [
    "a configuration in Git LFS",
    { "docs.json": LFS_POINTER },
    ["docs.json:null error missing_file", "docs.json:1 error configuration"],
  ],
  [
    "redirects with a colon",
    {
      "docs.json": configOf({
        redirects: [
          { source: "/time/12:30", destination: "/index" },
          { source: "/old-:n", destination: "/index?n=:n" },
          { source: "/a", destination: "/b" },
          { source: "/b", destination: "/a" },
        ],
      }),
    },
    ["docs.json:13 warning redirect", "docs.json:17 error redirect", "docs.json:21 error redirect"],
  ],
  [
    "links, behind front matter and with Windows' line ends",
    { "index.mdx": "---\r\ntitle: A\r\n---\r\n\r\nSee [x](/gone) and\r\n[y](#gone), ![z](/z.png).\r\n" },
    ["index.mdx:5:9 error broken_link", "index.mdx:6:5 warning broken_anchor", "index.mdx:6:18 error missing_file"],
  ],
  [
    "what stands in a snippet, once for all pages that take it in",
    {
      "docs.json": configOf({ navigation: { pages: ["index", "b"] } }),
      "index.mdx": 'import S from "/snippets/s.mdx"\n\n<S />\n',
      "b.mdx": 'Text\n\n<Snippet file="s.mdx" />\n\n<Snippet file="gone.mdx" />\n',
      "snippets/s.mdx": "Text\n\n<Unknown>a</Unknown>\n\n[x](/gone) {nothing}\n",
      "snippets/unused.mdx": "[x](/gone)\n",
    },
    [
      "b.mdx:5 error snippet",
      "snippets/s.mdx:3 warning unknown_component",
      "snippets/s.mdx:5 warning expression",
      "snippets/s.mdx:5:5 error broken_link",
    ],
  ],
  [
    "a repaired page",
    { "index.mdx": "# A\n\nIf a <b then\n" },
    ["index.mdx:3 error not_rendered", "index.mdx:3 warning syntax"],
  ],
  [
    "the links of a page that does not parse",
    { "index.mdx": '# A\n\n<Tabs><Tab title="a">b</Tabs>\n\n[gone](/nowhere)\n' },
    [
      "index.mdx:3 error not_rendered",
      "index.mdx:3 error not_rendered",
      "index.mdx:3 error not_rendered",
      "index.mdx:3 warning syntax",
      "index.mdx:5:8 error broken_link",
    ],
  ],
  [
    "an export that is not JavaScript",
    { "index.mdx": "# A\n\nexport const a = {\n" },
    ["index.mdx:3 error not_rendered"],
  ],
  [
    "an import without its last quote",
    { "index.mdx": 'import X from "./x.jsx\n\n# A\n' },
    ["index.mdx:1 error not_rendered"],
  ],
  ["a sentence that begins like code", { "index.mdx": "# A\n\nexport your data\n" }, ["index.mdx:3 warning syntax"]],
  [
    "a template's tags",
    { "index.mdx": "# A\n\n{% include x %}\n" },
    ["index.mdx:3 error not_rendered", "index.mdx:3 warning syntax"],
  ],
  [
    "a code block that is not closed",
    { "index.mdx": "# A\n\n```js\na()\n\n[x](/gone)\n" },
    ["index.mdx:3 warning syntax"],
  ],
  [
    "pictures for link previews that are missing, and tags that pages set themselves",
    {
      "docs.json": configOf({
        seo: { metatags: { "og:image": "/gone.png", referrer: "origin", robots: "noarchive" } },
      }),
      "index.mdx": '---\ntitle: A\n"twitter:image": gone.png\nog:image: https://cdn.example/a.png\n---\nText\n',
    },
    ["docs.json:10 error missing_file", "docs.json:11 warning left_out", "index.mdx:3 error missing_file"],
  ],
  ["a page that cannot be read", { "index.mdx": `# A\n\n${"[".repeat(900)}\n` }, ["index.mdx:null error not_rendered"]],
])("reports %s", async (_, files, problems) => {
  expect(briefly(await reportOf({ ...INDEX, ...files }))).toEqual(problems);
});

it("accepts anchors that exist only in the rendered page", async () => {
  const { problems, links } = await reportOf({
    ...INDEX,
    "index.mdx":
      'export const all = ["a", "b"]\n\n{all.map((each) => <h2 id={each}>{each}</h2>)}\n\n[a](#a) [b](#b) [c](#c)\n',
  });
  expect(problems.map(({ message }) => message)).toEqual(["#c is broken: its page has no such heading."]);
  expect(links).toEqual({ checked: 3, broken: 1 });
});

it("says that a site whose configuration is in Git LFS is shown without it", async () => {
  const { problems } = await reportOf({ "docs.json": LFS_POINTER, "index.md": "# Start\n" });
  expect(problems.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("the site has no configuration"),
  );
});

it("retries a page that could not be rendered on a busy machine", async () => {
  busyTimes = 2;
  expect(briefly(await reportOf({ ...INDEX, "index.mdx": "# Rendered at the third try\n" }))).toEqual([]);
});

it("counts problems that it does not list, and lists errors first", async () => {
  const page = `${"<Unknown />\n\n".repeat(30)}[x](/gone)\n`;
  const { problems, errors, warnings, leftOut } = await reportOf({ ...INDEX, "index.mdx": page }, { maxListed: 3 });
  expect(problems.map(({ severity }) => severity)).toEqual(["warning", "warning", "error"]);
  expect({ errors, warnings, leftOut }).toEqual({ errors: 1, warnings: 30, leftOut: 28 });
});

it("renders only pages that changed since the last report", async () => {
  const pages = { "docs.json": configOf({ navigation: { pages: ["index", "a", "b"] } }), "index.mdx": "# Start\n" };
  const files = { ...pages, "a.mdx": '<Snippet file="s.mdx" />', "b.mdx": "<Unknown />", "snippets/s.mdx": "Text" };
  const first = await reportOf(files);
  rendered.length = 0;
  const second = await reportOf({ ...files, "snippets/s.mdx": "<Unknown />" });
  expect(rendered).toEqual(["a.mdx"]);
  expect(briefly(first)).toEqual(["b.mdx:1 warning unknown_component"]);
  expect(briefly(second)).toEqual(["b.mdx:1 warning unknown_component", "snippets/s.mdx:1 warning unknown_component"]);
});

it("does not parse a page again for its links, unless positions would differ", async () => {
  parsed.length = 0;
  const marked = "\uFEFF[a](/gone)\n";
  const filled = "{{name}} [b](/gone)\n";
  const files = {
    "docs.json": configOf({
      navigation: { pages: ["index", "marked", "filled"] },
      variables: { name: "A long value" },
    }),
    "index.mdx": 'import S from "/snippets/s.mdx"\n\n# Start\n\n<S />\n\n[x](/gone) [y](#start) [z](#there)\n',
    "marked.md": marked,
    "filled.mdx": filled,
    "snippets/s.mdx": "## There\n",
  };
  expect(briefly(await reportOf(files))).toEqual([
    "filled.mdx:1:14 error broken_link",
    "index.mdx:7:5 error broken_link",
    "marked.md:1:6 error broken_link",
  ]);
  expect(parsed.toSorted((a, b) => a.localeCompare(b))).toEqual(
    [files["snippets/s.mdx"], filled, marked].toSorted((a, b) => a.localeCompare(b)),
  );
});
