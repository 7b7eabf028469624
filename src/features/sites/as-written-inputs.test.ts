import { afterAll, beforeAll, expect, it } from "vitest";
import { loadDocs } from "#docs/tree/page-tree.ts";
import { LFS_POINTER, PNG } from "#testing/sample-files.ts";
import { shownPage } from "#testing/moved-site.ts";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { problemLines, reportOf } from "#testing/reports.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

// Further inputs for what `as-written.test.ts` protects.

const TITLES = { octal: "007", exponent: "1e3", hex: "0x1F", plus: "+1.0", underscores: "1_000", date: "2026-11-28", yes: "yes", empty: "~x" }; // oxfmt-ignore
const SNIPPET = (number: number) => `import Part from "/snippets/part-${number}.mdx"\n\n<Part />\n`;
const NFD = (text: string) => text.normalize("NFD");
const be = (text: string) => Buffer.from(text, "utf16le").swap16();

const FILES = {
  "docs.json": JSON.stringify({
    name: "Harbor",
    variables: { ship: "Ever & Given", berth: "0042", "v.next": "2.0" },
    navigation: {
      groups: [
        { group: "Berth {{berth}}", pages: ["index", ...Object.keys(TITLES), "vars", "media"] },
        { group: "Routes", openapi: "häfen.json" },
        { group: "Coasts", openapi: "küsten" },
      ],
    },
    redirects: [
      { source: "/plain", destination: "/vars" },
      { source: "/anchored", destination: "/vars?a=1#part" },
      { source: "/away", destination: "https://example.com/x?a=1" },
    ],
  }),
  "index.md": `# Start\n\n[A](/${"niño"}) [B](/${"한국어"}) ![C](/${"naïve"}.png)\n\n<video src="/film.mp4"></video>\n\n[PDF](/paper.pdf)\n`,
  ...Object.fromEntries(
    Object.entries(TITLES).map(([name, title]) => [`${name}.md`, `---\ntitle: ${title}\n---\nBody\n`]),
  ),
  "vars.mdx":
    '---\ntitle: Berth {{ berth }}\nsidebarTitle: "{{ship}}"\n---\n\n<Card title="{{ship}}">{{v.next}}</Card>\n\n| {{berth}} |\n|---|\n| {{ship}} |\n',
  "media.md":
    '<img alt="a" src="/a.png" srcset="/a.png 480w, /b.png 800w" sizes="(max-width: 600px) 480px, 800px">\n\n<picture><source type="image/webp" srcset="/b.png 1x,/a.png 2x"><img alt="b" src="/a.png"></picture>\n\n<img alt="c" src="/a.png" srcset="https://example.com/a,b.png 2x">\n',
  "a.png": PNG,
  "b.png": PNG,
  "nested.mdx": `# Nested\n\n${SNIPPET(1)}`,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((depth) => [`snippets/part-${depth}.mdx`, depth === 6 ? "The innermost words.\n" : SNIPPET(depth + 1)])), // oxfmt-ignore
  "many.mdx": `# Many\n\n${Array.from({ length: 70 }, (_, at) => `import S${at} from "/snippets/s-${at}.mdx"\n`).join("")}\n${Array.from({ length: 70 }, (_, at) => `<S${at} />\n`).join("\n")}`,
  ...Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`snippets/s-${at}.mdx`, `Words of snippet ${at}.\n`])),
  [`${NFD("niño")}.md`]: "# El niño\n",
  [`${NFD("한국어")}.md`]: "# Korean\n",
  [`${NFD("naïve")}.png`]: PNG,
  [`snippets/${NFD("größe")}.mdx`]: "Words of the snippet.\n",
  "parts.mdx": `# Parts\n\nimport Part from "/snippets/größe.mdx"\n\n<Part />\n\n## ${NFD("Größe")}\n\n[A](#größe) [B](/parts#${NFD("größe")})\n`,
  [NFD("häfen.json")]:
    '{"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"summary": "List ports", "responses": {}}}}}',
  [NFD("küsten.json")]:
    '{"openapi": "3.1.0", "info": {"title": "C", "version": "1"}, "paths": {"/c": {"get": {"summary": "List coasts", "responses": {}}}}}',
  "ids.mdx": `# Ids\n\n## Explicit {#${NFD("möwe")}}\n\n<div id="${NFD("küste")}">\n\nText\n\n</div>\n`,
  "film.mp4": LFS_POINTER,
  "paper.pdf": LFS_POINTER,
  "utf16be.md": Buffer.concat([be("\uFEFF# Vierzig Überläufe\n")]),
  "unmarked.md": Buffer.from("# Fünf\n\nWords\n", "utf16le"),
  "unmarked-be.md": be("# Plain\n\nWords\n"),
  "unmarked-rule.md": Buffer.from("# Line ─ here\n\nĀ　b\n", "utf16le"),
  "unmarked-be-rule.md": be("# Line ─ here\n\nĀ　b\n"),
  "japanese.md": Buffer.from([0x23, 0x20, 0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea, 0x0a]), // Shift JIS
  "bom.md": "\uFEFF---\ntitle: With a mark\n---\nBody\n",
  "quotes.md": Buffer.from("# Berth \x93seven\x94 \x80 5\n", "latin1"),
};

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite(FILES);
});
afterAll(() => site[Symbol.asyncDispose]());
const text = async (path: string) => (await site.request(path)).text();

it.each(Object.entries(TITLES))(
  "a title that YAML reads as something else is shown as written: %s",
  async (name, title) => {
    expect(await text(`/${name}`)).toContain(`${title}</h1>`);
    expect(await text(`/${name}.md`)).toBe(`# ${title}\n\nBody\n`);
    expect(await text("/llms.txt")).toContain(`[${title}](`);
  },
);

it("entries of a navigation in YAML have the titles that their author wrote", async () => {
  const names = ["1.10", "007", "1e3", "2.0", "True", "FALSE", "Null", "~"];
  await using releases = await createTestSite({
    "mkdocs.yml": `site_name: 3.10\nnav:\n  - Start: index.md\n${names.map((name, at) => `  - ${name}: v${at}.md\n`).join("")}`,
    "docs/index.md": "# Start\n",
    ...Object.fromEntries(names.map((_, at) => [`docs/v${at}.md`, "Words\n"])),
  });
  const list = await (await releases.request("/llms.txt")).text();
  for (const each of ["# 3.10\n", ...names.map((name) => `[${name}](`)]) expect(list).toContain(each);
});

it("a configuration is put together from files with decomposed names", async () => {
  const problems = await reportOf({
    "docs.json": '{"name": "T", "navigation": {"$ref": "./größe.json"}}',
    [NFD("größe.json")]: '{"pages": ["index"]}',
    "index.md": "# Start\n",
  });
  expect(problemLines(problems)).toEqual([]);
});

it.each([
  ["/vars", ["Berth 0042</h1>", "Ever &amp; Given", "2.0", ">0042</th>", "Berth 0042</"]],
  ["/vars.md", ["# Berth 0042", 'title="Ever & Given"', "| 0042 |"]],
  ["/llms.txt", ["[Berth 0042]("]],
])("variables with digits, dots and special characters are replaced at %s", async (path, expected) => {
  const answer = await text(path);
  for (const each of expected) expect(answer).toContain(each);
  expect(answer).not.toContain("{{");
});

it("the report names variables whose value or name is shown as text", async () => {
  const variables = {
    port: "Kiel",
    quay: "{{port}} quay",
    count: 4,
    "pier head": "P1",
    größe: "XL",
    ["long".repeat(26)]: "L",
    own: "{{unknown}}",
  };
  const config = JSON.stringify({ name: "T", variables, navigation: { pages: ["index"] } });
  const { problems } = await reportOf({ "docs.json": config, "index.md": "# Start\n\n{{quay}}\n" });
  const messages = problems.filter(({ path }) => path === "docs.json").map(({ message }) => message);
  expect(messages).toEqual([
    "The variable count is left out: write its value in quotation marks.",
    ...["pier head", "größe", "long".repeat(26).slice(0, 100)].map(
      (name) =>
        `The variable ${name} has no effect: a name consists of up to 100 letters from A to Z, digits, _, . and -.`,
    ),
    "The value of the variable quay contains the name of a variable, which is shown as text: write the value of that variable instead.",
  ]);
});

it.each([
  'srcset="/a.png 480w, /b.png 800w"',
  'sizes="(max-width: 600px) 480px, 800px"',
  'type="image/webp" srcset="/b.png 1x, /a.png 2x"',
  'srcset="https://example.com/a%2Cb.png 2x"',
])("pictures keep %s", async (attribute) => {
  expect(await text("/media")).toContain(attribute);
});

it.each(["/niño", "/한국어", "/naïve.png"])("a file whose name is decomposed is served at %s", async (path) => {
  expect((await site.request(path)).status).toBe(200);
});

it.each([
  ["/parts", ["Words of the snippet.", ' id="größe"', 'href="#gr%C3%B6%C3%9Fe"', 'href="/parts#gr%C3%B6%C3%9Fe"']],
  ["/parts.md", ["Words of the snippet."]],
  ["/ids", [' id="möwe"', ' id="küste"']],
  ["/llms.txt", ["[List ports](", "[List coasts]("]],
])("what an author names composed and the repository decomposed is found: %s", async (path, expected) => {
  const answer = await text(path);
  for (const each of expected) expect(answer).toContain(each);
});

it("an API description with a decomposed name is read again when it changes", async () => {
  const api = (title: string) => `{"openapi": "3.1.0", "paths": {"/a": {"get": {"summary": "${title}"}}}}`;
  const config = '{"name": "T", "navigation": {"groups": [{"group": "A", "openapi": "häfen.json"}]}}';
  await using changed = await createTestSite({ "docs.json": config, [NFD("häfen.json")]: api("List ports") });
  expect(await (await changed.request("/llms.txt")).text()).toContain("[List ports](");
  await changed.push({ [NFD("häfen.json")]: api("List harbors") });
  changed.passTime(250);
  expect(await (await changed.request("/llms.txt")).text()).toContain("[List harbors](");
});

it("checks before publishing see the snippets with decomposed names", async () => {
  const snapshot = createTestSnapshot({
    "parts.mdx": 'import Part from "/snippets/größe.mdx"\n\n<Part />\n',
    [`snippets/${NFD("größe")}.mdx`]: "Words of the snippet.\n",
  });
  expect((await shownPage(await loadDocs(snapshot), snapshot, "/parts"))?.text).toContain("Words of the snippet.");
});

it("reports nothing about names and anchors with decomposed accents", async () => {
  const lines = problemLines(await reportOf(FILES)).filter((line) =>
    /größe|häfen|^parts/.test(String(line).normalize("NFC")),
  );
  expect(lines).toEqual([]);
});

it.each([
  ["/utf16be.md", "# Vierzig Überläufe"],
  ["/unmarked.md", "# Fünf\n\nWords"],
  ["/unmarked-be.md", "# Plain\n\nWords"],
  ["/unmarked-rule.md", "# Line ─ here\n\nĀ　b"],
  ["/unmarked-be-rule.md", "# Line ─ here\n\nĀ　b"],
  ["/bom.md", "# With a mark\n\nBody"],
  ["/quotes.md", "# Berth “seven” € 5"],
])("decodes %s", async (path, expected) => {
  expect(await text(path)).toContain(expected);
});

it("the report claims of no encoding that its text is shown right, unless it knows the encoding", async () => {
  expect(problemLines(await reportOf(FILES)).filter((line) => /encoding/.test(line as string))).toEqual([
    "japanese.md:1 warning encoding: The file is not UTF-8. It is read as Windows-1252, which is wrong for text of other encodings, and agent jobs cannot edit it. Save it as UTF-8.",
    expect.stringMatching(/^quotes\.md:1 .*It is read as Windows-1252/),
    ...["unmarked-be-rule", "unmarked-be", "unmarked-rule", "unmarked", "utf16be"].map(
      (name) => expect.stringMatching(`^${name}\\.md:1 .* The file is UTF-16 text`) as string,
    ),
  ]);
});

it.each([
  ["/plain?z=3", "/vars?z=3"],
  ["/anchored?z=3", "/vars?a=1&z=3#part"],
  ["/away?z=3&a=2", "https://example.com/x?a=1&z=3"],
])("%s redirects to %s", async (path, expected) => {
  expect((await site.request(path)).headers.get("location")).toBe(expected);
});

it.each([
  ["/nested", "The innermost words."],
  ["/many", "Words of snippet 69."],
])("the snippets of %s are in its HTML and in its Markdown", async (path, words) => {
  expect(await text(path)).toContain(words);
  expect(await text(`${path}.md`)).toContain(words);
});

it("names pointers of Git LFS also behind players and links", async () => {
  const lines = problemLines(await reportOf(FILES)).filter((line) => /LFS/.test(line as string));
  expect(lines).toEqual([
    expect.stringMatching(/^film\.mp4 error missing_file: Git LFS/),
    expect.stringMatching(/^paper\.pdf error missing_file: Git LFS/),
  ]);
});

it("a page of more than five million characters is served whole as Markdown, also in one line", async () => {
  const words = "Some words of a long page. ".repeat(190_000);
  await using large = await createTestSite({ "large.mdx": `# Large\n\n${words}\n\nThe last words.\n` });
  const markdown = await (await large.request("/large.md")).text();
  expect(markdown.length).toBeGreaterThan(5_000_000);
  expect(markdown.endsWith("The last words.\n")).toBe(true);
});

const NUMBERS = Array.from({ length: 60 }, (_, index) => index + 1);
const OPENAPI = (paths: object) => JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, paths });
const GET = (summary: string) => ({ get: { summary, responses: { 200: { description: "ok" } } } });
const ASYNCAPI = (number: number) =>
  JSON.stringify({
    asyncapi: "3.0.0",
    info: { title: "T", version: "1" },
    channels: { c: { address: `thing/${number}`, title: `Thing ${number}`, messages: { m: { payload: {} } } } },
    operations: { s: { action: "send", channel: { $ref: "#/channels/c" } } },
  });

it.each<[what: string, files: Record<string, string>, groups: object[]]>([
  [
    "60 descriptions of groups",
    Object.fromEntries(NUMBERS.map((each) => [`a${each}.json`, OPENAPI({ [`/${each}`]: GET(`Thing ${each}`) })])),
    NUMBERS.map((each) => ({ group: `G${each}`, openapi: `a${each}.json` })),
  ],
  [
    "60 descriptions of channels",
    Object.fromEntries(NUMBERS.map((each) => [`a${each}.json`, ASYNCAPI(each)])),
    NUMBERS.map((each) => ({ group: `G${each}`, asyncapi: `a${each}.json` })),
  ],
  [
    "a description of 600 operations",
    {
      "a.json": OPENAPI(
        Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`/${at + 1}`, GET(`Thing ${at + 1}`)])),
      ),
    },
    [{ group: "All", openapi: "a.json" }],
  ],
])("every page of %s is listed", async (what, files, groups) => {
  const all = {
    "docs.json": JSON.stringify({
      name: "T",
      navigation: { groups: [{ group: "Start", pages: ["index"] }, ...groups] },
    }),
    "index.md": "# Start\n",
    ...files,
  };
  await using many = await createTestSite(all);
  const list = await (await many.request("/llms.txt")).text();
  const count = what.includes("600") ? 600 : 60;
  expect(list.match(/\[Thing \d+\]/g)).toHaveLength(count);
});
