import { afterAll, beforeAll, expect, it } from "vitest";
import { LFS_POINTER, PNG } from "#testing/sample-files.ts";
import { problemLines, reportOf } from "#testing/reports.ts";
import { createTestSite, type TestSite } from "#testing/site.ts";

// Everything that an author writes reaches readers on every surface, or the report names it.

const NFD = (text: string) => text.normalize("NFD");

const FILES = {
  "docs/docs.json": JSON.stringify({
    name: "{{product}} docs",
    variables: { product: "Zedonk: a", ver: "9.10" },
    navigation: {
      groups: [
        {
          group: "{{product}} guides",
          pages: ["index", "numbers", "var", "café/über", "latin1", "utf16", "pictures", "two-titles"],
        },
      ],
    },
    redirects: [{ source: "/old", destination: "/var?tab=2" }],
  }),
  "docs/index.md":
    "# Start\n\n[Cafe](/café/über) ![plan](/docs/images/a.png) [with base](/docs/var#install-zedonk-a)\n\n![big](/big.png)\n",
  "docs/numbers.md": "---\ntitle: 4.10\nsidebarTitle: 3.0\ndescription: 1.20\n---\nBody\n",
  "docs/var.mdx":
    '---\ntitle: "Install {{product}}"\ndescription: {{product}} {{ver}}\n---\n\n## Install {{product}}\n\n`{{ver}}` of {{product}} and {{unknown}}\n\n[x](#install-zedonk-a)\n',
  [`docs/${NFD("café/über")}.md`]: `---\ntitle: Über\n---\n![bild](./${"bildä"}.png)\n`,
  [`docs/${NFD("café/bildä")}.png`]: PNG,
  "docs/images/a.png": PNG,
  "docs/big.png": LFS_POINTER,
  "docs/latin1.md": Buffer.from("---\ntitle: Caf\xe9\n---\nD\xe9j\xe0 vu\n", "latin1"),
  "docs/utf16.md": Buffer.from("\uFEFF---\ntitle: Vier\n---\nZehn Überläufe\n", "utf16le"),
  "docs/pictures.md": [
    "# Pictures",
    '<picture>\n<source media="(prefers-color-scheme: dark)" srcset="dark.png">\n<img alt="logo" src="images/a.png" srcset="https://example.com/l2.png 2x, images/a.png 1x" onclick="x()" foo="bar">\n</picture>',
  ].join("\n\n"),
  "docs/two-titles.md": "---\ntitle: The overview\n---\n# Something else\n",
  "docs/linked.md": { linkTo: "index.md" },
};

let site: TestSite;
beforeAll(async () => {
  site = await createTestSite(FILES);
});
afterAll(() => site[Symbol.asyncDispose]());

const text = async (path: string) => (await site.request(path)).text();

it("titles that look like numbers are shown as written", async () => {
  const page = await text("/numbers");
  expect(page).toContain("<title>4.10");
  expect(page).toMatch(/<h1[^>]*>4\.10<\/h1>/);
  expect(page).toContain('content="1.20"');
  expect(page).toMatch(/href="\/numbers"[^>]*>[^<]*3\.0/);
  expect(await text("/llms.txt")).toContain("[4.10](");
  expect(await text("/numbers.md")).toBe("# 4.10\n\n> 1.20\n\nBody\n");
});

it.each([
  [
    "/var",
    [
      "<title>Install Zedonk: a",
      "Install Zedonk: a</h1>",
      "Zedonk: a guides",
      'content="Zedonk: a 9.10"',
      "Zedonk: a docs",
    ],
  ],
  ["/var.md", ["# Install Zedonk: a\n", "> Zedonk: a 9.10", "`9.10` of Zedonk: a and {{unknown}}"]],
  ["/llms.txt", ["Zedonk: a docs", "[Install Zedonk: a](", "Zedonk: a 9.10"]],
  ["/llms-full.txt", ["Install Zedonk: a", "`9.10` of Zedonk: a"]],
])("variables are replaced at %s", async (path, expected) => {
  const answer = await text(path);
  for (const each of expected) expect(answer).toContain(each);
  expect(answer).not.toMatch(/\{\{(?:product|ver)\}\}/);
});

it("a page whose file name has decomposed accents is at the address that people type", async () => {
  const page = await site.request("/café/über");
  expect(page.status).toBe(200);
  expect(await page.text()).toMatch(/src="\/caf%C3%A9\/bild%C3%A4.png\?v=/);
  expect((await site.request("/caf%C3%A9/bild%C3%A4.png")).status).toBe(200);
  expect((await site.request(NFD("/café/über"))).status).toBe(200);
  expect(await text("/")).toContain('href="/caf%C3%A9/%C3%BCber"');
});

it("decodes Latin-1 and UTF-16 files", async () => {
  expect(await text("/latin1")).toContain("Déjà vu");
  expect(await text("/latin1.md")).toContain("# Café\n\nDéjà vu");
  expect(await text("/utf16")).toContain("Zehn Überläufe");
  expect(await text("/llms.txt")).toContain("[Vier](");
});

it("pictures keep their sources, and the link to the large one wraps the whole", async () => {
  const page = await text("/pictures");
  expect(page).toContain('<source media="(prefers-color-scheme: dark)" srcset="/dark.png">');
  expect(page).toContain('srcset="https://example.com/l2.png 2x, /images/a.png 1x"');
  expect(page).toMatch(/<a class="site-zoom" href="\/images\/a\.png[^>]*><picture>[^]*<\/picture><\/a>/);
});

it("resolves pictures and links that begin with the base path of another address", async () => {
  expect(await text("/")).toMatch(/src="\/images\/a\.png\?v=[^"]*" width="1" height="1"/);
  const answer = await site.request("/docs/var?x=1");
  expect([answer.status, answer.headers.get("location")]).toEqual([307, "/var?x=1"]);
  expect((await site.request("/docs/images/none.png")).status).toBe(404);
});

it("appends the query of the request to that of a redirect", async () => {
  expect((await site.request("/old?z=3&tab=9&z=4")).headers.get("location")).toBe("/var?tab=2&z=3&z=4");
});

it("the report names content that readers do not get, and content that differs from its appearance", async () => {
  expect(problemLines(await reportOf(FILES))).toEqual([
    "docs/big.png error missing_file: Git LFS keeps this file elsewhere and only a pointer is in the repository: readers get nothing. Commit the file itself.",
    "docs/index.md:3 warning redirect: 2 links and images, this one first, begin with /docs, the base path of another address of the site. They are resolved without it.",
    "docs/latin1.md:1 warning encoding: The file is not UTF-8. It is read as Windows-1252, which is wrong for text of other encodings, and agent jobs cannot edit it. Save it as UTF-8.",
    "docs/linked.md warning missing_file: A symbolic link is not followed: readers get nothing at its address. Commit a copy of the file.",
    "docs/pictures.md:3 warning left_out: The event handler onclick of <img> is left out: pages may not have it.",
    "docs/pictures.md:3 warning left_out: The attribute foo of <img> is left out: pages may not have it.",
    "docs/pictures.md:4 error missing_file: dark.png is broken: there is no such file.",
    expect.stringMatching(
      /^docs\/two-titles.md:4 warning left_out: The page shows its heading "Something else"; its title "The overview" /,
    ),
    "docs/utf16.md:1 warning encoding: The file is UTF-16 text: it is shown, and agent jobs cannot edit it. Save it as UTF-8.",
    expect.stringMatching(/^docs\/var.mdx:8 warning expression: /),
  ]);
});

it("shows every page of an API, however many API descriptions a site has", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `p${index + 1}`);
  const description = (name: string) =>
    `openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {/${name}: {get: {summary: Thing ${name}, responses: {"200": {description: ok}}}}}\n`;
  await using sixty = await createTestSite({
    "docs.json": JSON.stringify({ name: "Sixty", navigation: { pages: names } }),
    ...Object.fromEntries(names.map((name) => [`openapi/${name}.yaml`, description(name)])),
    ...Object.fromEntries(
      names.map((name) => [`${name}.mdx`, `---\nopenapi: openapi/${name}.yaml GET /${name}\n---\n`]),
    ),
  });
  for (const name of ["p1", "p50", "p51", "p60"])
    expect(await (await sixty.request(`/${name}.md`)).text()).toContain(`GET /${name}\``);
});
