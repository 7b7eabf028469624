import { expect, it, test } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { problemLines, reportOf, versionOf } from "#testing/reports.ts";
import { sharedContent } from "#testing/shared-content.ts";
import { markdownOf } from "./markdown-page.ts";

test("the report gives positions in the page's file, and names an unknown component once", async () => {
  const page = "# A\n\n:::note\nSee [b](./gone.md) and [c](./c.md#d).\n:::\n\n<Own>Text.</Own>\n";
  const files = { "docs.json": "{}", "a.md": page, "b.md": page, "c.md": "# C\n\n## E {#d}\n" };
  expect(problemLines(await reportOf(files, "docusaurus")).filter((line) => !line.includes("docs.json"))).toEqual([
    "a.md:4 error broken_link: ./gone.md is broken: there is no such page.",
    "a.md:7 warning unknown_component: <Own> is not a component of this site. Its content is shown. It is on 2 pages.",
    "b.md:4 error broken_link: ./gone.md is broken: there is no such page.",
  ]);
});

test("the report names the text in attributes of unknown components, once per page and component", async () => {
  const command = '<Cmd npm="npm install kiwi" yarn={`yarn add kiwi`} id="two words" />\n';
  const page = `# A\n\n${command}\n${command}\n<Cmd title="Setup" />\n`;
  const table = '<Fields name="user" to="/a" rows={[{ name: "id", about: "Its id" }]} at="2024-05-06" wide={7} />';
  const files = {
    "docs.json": "{}",
    "a.mdx": page,
    "b.mdx": page,
    "c.mdx": `# C\n\n${table}\n\n<Own color="red sky" />\n`,
  };
  const lost =
    "a.mdx:3 warning left_out: <Cmd> is not a component of this site. Its content is shown; the text in its attributes npm, yarn is not.";
  expect(problemLines(await reportOf(files, "docusaurus")).filter((line) => !line.includes("docs.json"))).toEqual([
    lost,
    lost.replace("a.mdx", "b.mdx"),
    "c.mdx:3 warning left_out: <Fields> is not a component of this site. Its content is shown; the text in its attribute rows is not.",
    "c.mdx:5 warning unknown_component: <Own> is not a component of this site. Its content is shown.",
  ]);
});

test("a link to a draft is broken, and the report says why", async () => {
  const start = "# A\n\n[by file](./b.md) [by address](/docs/b) [gone](/docs/c)\n";
  const files = {
    "docusaurus.config.js": 'export default { title: "A", presets: [["classic", {}]] };',
    "docs/a.md": start,
    "docs/b.md": "---\ndraft: true\n---\n# B\n",
  };
  const why = "is broken: its page is a draft, which is not published.";
  expect(problemLines(await reportOf(files))).toEqual([
    `docs/a.md:3 error broken_link: ./b.md ${why}`,
    `docs/a.md:3 error broken_link: /docs/b ${why}`,
    "docs/a.md:3 error broken_link: /docs/c is broken: there is no such page. Did you mean /docs/a?",
  ]);
});

test.each([
  ["Docusaurus", { "docusaurus.config.js": 'export default { title: "A", presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };', "sidebars.js": 'module.exports = { docs: ["a", "guides/b", "b"] };', "docs/a.md": "# A\n", "docs/guides/b.md": "---\ndraft: true\n---\n# B\n" }],
  ["Starlight", { "astro.config.mjs": 'import starlight from "@astrojs/starlight"; export default { integrations: [starlight({ sidebar: ["a", { slug: "guides/b" }, { slug: "b" }] })] };', "src/content/docs/a.md": "# A", "src/content/docs/guides/b.md": "---\ntitle: B\ndraft: true\n---\n" }],
])("a draft in the navigation of %s is called a draft", async (_, files) => {
  expect(problemLines(await reportOf(files))).toEqual([
    expect.stringContaining('The navigation names "guides/b", which is a draft: readers do not get it.'),
    expect.stringContaining('The navigation names "b", which is not a page of this site.'),
  ]);
}); // oxfmt-ignore

test("the report groups links to pages that a plugin probably generates, and no others", async () => {
  const links = Array.from({ length: 10 }, (_, index) => `[${index}](/docs/api/js/n${index}#x)\n`);
  const config = (base: string) => `export default { title: "A", baseUrl: "${base}", presets: [["classic", {}]] };`;
  const page = `# A\n\n[gone](/docs/gone) [gone](./missing.md)\n\n${links.join("\n")}`;
  const files = { "docusaurus.config.js": config("/"), "docs/a.md": page };
  const expected = [
    "docs/a.md:3 error broken_link: /docs/gone is broken: there is no such page.",
    "docs/a.md:3 error broken_link: ./missing.md is broken: there is no such page.",
    "docs/a.md:5 warning broken_link: 10 links, this one first, lead to /docs/api or below, where this site has no page. If a plugin generates these pages, readers do not get them here.",
  ];
  expect(problemLines(await reportOf(files))).toEqual(expected);
  const native = { "docs.json": "{}", "a.md": links.join("\n") };
  expect((await reportOf(native)).errors).toBe(10);
});

test.each<[string, Record<string, string>, string, string[], string]>([
  [
    "VitePress",
    { ".vitepress/config.js": "export default {}" },
    "",
    ["titleTemplate: :title", "head: []"],
    '"head", "titleTemplate"',
  ],
  [
    "Starlight",
    {
      "astro.config.mjs": 'import s from "@astrojs/starlight";\nexport default { integrations: [s({ title: "A" })] };',
    },
    "src/content/docs/",
    ["next: { link: /b, label: B }", "editUrl: https://a.example", "lastUpdated: 2026-01-02", "pagefind: false"],
    '"editUrl", "lastUpdated", "next"',
  ],
  ["Material", { "mkdocs.yml": "site_name: A\n" }, "docs/", ["subtitle: B", "authors: [c]"], '"authors", "subtitle"'],
])("the report names front matter of %s without effect once for the site", async (_, config, folder, keys, named) => {
  const page = `---\n${keys.join("\n")}\n---\n# A\n`;
  const { problems } = await reportOf({ ...config, [`${folder}a.md`]: page, [`${folder}b.md`]: page });
  const lines = problems.map(({ path, message }) => `${path} ${message}`).toSorted();
  expect(lines).toEqual(
    named.split(", ").map((key) => `${folder}a.md ${key} in the front matter has no effect. It is on 2 pages.`),
  );
});

test("the Markdown of a page contains the files that it includes", async () => {
  const files = { "docs/docs.json": "{}", "docs/a.md": '# A\n\n--8<-- "part.md"\n', "part.md": "Two.\n" };
  const { apiDocuments } = sharedContent();
  const version = await versionOf(files, { apiDocuments, project: newProjectId(), dialect: "mkdocs" });
  const page = version.docs.pages.get("/a");
  expect(page && (await markdownOf(version, page))).toBe("# A\n\nTwo.\n");
});

test("the report names a logo, a favicon and redirects of another tool that lead nowhere", async () => {
  const files = {
    "mkdocs.yml":
      "site_name: A\ntheme: { logo: no.svg, favicon: no.png }\nplugins:\n  - redirects:\n      redirect_maps: { a.md: no.md, b.md: c.md, c.md: b.md }\n",
    "docs/index.md": "# A\n",
    "docs/_redirects": "/*.txt /:splat.md 301\n/d /llms.txt\n/e /index.md\n/f /no/rss.xml\n",
  };
  expect(problemLines(await reportOf(files))).toEqual([
    'mkdocs.yml error missing_file: "logo" names /no.svg, and there is no such file.',
    'mkdocs.yml error missing_file: "favicon" names /no.png, and there is no such file.',
    "mkdocs.yml error redirect: The redirect from /b goes in a circle.",
    "mkdocs.yml error redirect: The redirect from /c goes in a circle.",
    "mkdocs.yml warning redirect: The redirect from /a leads to /no, which does not exist.",
    "mkdocs.yml warning redirect: The redirect from /*.txt is left out: `*` is allowed only at the end of an address or of one of its segments.",
    "mkdocs.yml warning redirect: The redirect from /f leads to /no/rss.xml, which does not exist.",
  ]);
});

test("the report names a file of another tool that is too large to read, and redirects beyond the limit", async () => {
  const line = (index: number) => `/old/${index} /a\n`;
  const files = {
    "docs/.vitepress/config.js": "export default {}",
    "docs/a.md": "# A\n",
    "docs/public/_redirects": Array.from({ length: 10_001 }, (_, index) => line(index)).join(""),
  };
  expect(problemLines(await reportOf(files))).toEqual([
    "docs/.vitepress/config.js error configuration: Of 10001 redirects the first 10000 are read.",
  ]);
  expect(problemLines(await reportOf({ ...files, "docs/public/_redirects": `#${" ".repeat(1_048_576)}` }))).toEqual([
    "docs/public/_redirects error configuration: The file is not read: it is larger than 1 MB.",
  ]);
});

const PARTS = "docs/.parts # ours";
test.each([
  [
    "lists",
    { "mkdocs.yml": `      base_path:\n      - ${PARTS}\n      - 'parts'\n      auto_append:\n      - words.txt\n` },
  ],
  ["lists on one line", { "mkdocs.yml": '      auto_append: [words.txt]\n      base_path: ["docs/.parts", parts]\n' }],
  [
    "line ends of Windows",
    { "mkdocs.yml": "      base_path: [docs/.parts, parts]\r\n      auto_append:\r\n        - words.txt\r\n" },
  ],
  ["one folder", { "mkdocs.yml": "      base_path: parts\n      auto_append: [../docs/.parts/words.txt]\n" }],
  [
    "folders from the configuration",
    {
      "mkdocs.yml":
        "      base_path: [!relative $config_dir/parts, !relative $docs_dir/.parts]\n      auto_append: [words.txt]\n",
    },
  ],
  [
    "another configuration",
    { "mkdocs.yml": null, "base.yml": "      base_path: [docs/.parts, parts]\n      auto_append: [words.txt]\n" },
  ],
])(
  "a page has the snippets of the folders that an mkdocs.yml names, and the files that it appends: %s",
  async (_name, options) => {
    const [[file, written]] = Object.entries(options).toReversed() as [[string, string]];
    const extensions = `markdown_extensions:\n  - mdx_include:\n      base_path: other\n  - pymdownx.snippets:\n# Ours:\n${written}  - toc\n`;
    const files = {
      "site/mkdocs.yml": "site_name: A\nINHERIT: base.yml\n",
      [`site/${file}`]: `site_name: A\n${extensions}`,
      "site/docs/index.md": '# A\n\n--8<-- "b.md"\n',
      "site/docs/.parts/words.txt": "*[API]: Interface\n",
      "site/parts/b.md": "The API.\n",
      "site/other/b.md": "other\n",
      "site/b.md": "above\n",
    };
    const { apiDocuments } = sharedContent();
    const version = await versionOf(files, { apiDocuments, project: newProjectId() });
    expect(await markdownOf(version, version.docs.pages.get("/")!)).toBe("# A\n\nThe API.\n\n*[API]: Interface\n");
    expect(problemLines(await reportOf(files))).toEqual([]);
  },
);

const HOME = `---
layout: home
hero: { name: Trains, text: Run on time, image: { src: /logo.svg, alt: A train }, tagline: "Fast &amp; <b>safe</b>", actions: [{ theme: brand, text: Get started, link: /start }, { text: 3 }] }
features: [{ icon: "🚂", title: Engines, details: Speed < 300 <a href="/km">km/h</a>., link: /start, linkText: Read on }, { icon: { src: /7.svg }, title: 7 }, nonsense]
---

Below.
`;

test("a home page in the front matter of VitePress has its title, words, links and cards, in Markdown too", async () => {
  const files = { ".vitepress/config.js": "export default {}", "guide/index.md": HOME, "start.md": "# Start" };
  const content = sharedContent();
  const version = await versionOf(files, { apiDocuments: content.apiDocuments, project: newProjectId(), dialect: "vitepress" }); // oxfmt-ignore
  const page = version.docs.pages.get("/guide")!;
  expect(page.title).toBe("Trains");
  expect(await markdownOf(version, page)).toBe(
    "# Trains\n\nRun on time\n\nFast &amp; <b>safe</b>\n\n[Get started](/start) · 3\n\n" +
      '- [**🚂 Engines**](/start): Speed < 300 <a href="/km">km/h</a>.\n- **7**\n\nBelow.\n',
  );
  const { html, links, text } = await content.render({ owner: "home", path: "/guide/index.md", source: HOME, format: "md", dialect: "vitepress", isColoured: false, readInclude: () => Promise.resolve(null) }); // oxfmt-ignore
  expect(text.replaceAll(/\s+/g, " ").trim()).toBe(
    "Trains Run on time Fast & safe Get started 3 A train 🚂 Engines Speed < 300 km/h. Read on 7 Below.",
  );
  expect(html.match(/class="card[ "]/g)).toHaveLength(2);
  expect(html).toMatch(/^<div class="home-hero"><div><h1[^>]*>Trains</);
  expect(html).toContain(
    '<p class="home-actions"><a href="/start" class="link-button-primary">Get started</a> <span>3</span> </p>',
  );
  expect(links.map(({ href }) => href)).toEqual(["/start", "/start", "/km"]);
  expect(html).toContain('src="/7.svg"');
});

test("a page of Starlight shows its banner, and the words of its hero with their links", async () => {
  const source =
    '---\ntitle: A\nbanner: { content: "New: <a href=\'/b\'>B</a>" }\nhero: { title: "All < of A", tagline: "See <a href=\'/c\'>C</a>." }\n---\n\nBelow.\n';
  const content = sharedContent();
  const { title, text, links } = await content.render({ owner: "hero", path: "/a.md", source, format: "md", dialect: "starlight", isColoured: false, readInclude: () => Promise.resolve(null) }); // oxfmt-ignore
  expect(title).toBe("A");
  expect(text.replaceAll(/\s+/g, " ").trim()).toBe("All < of A See C. New: B Below.");
  expect(links.map(({ href }) => href)).toEqual(["/c", "/b"]);
});

const IN_TOOLS: [tool: string, files: Record<string, string>, problem: string][] = [
  ["MkDocs", { "mkdocs.yml": "site_name: A\nnav:\n  - index.md\n  - Gone: gone.md\n", "docs/index.md": "# A" }, "mkdocs.yml"],
  ["Docusaurus", { "docusaurus.config.js": 'module.exports = { presets: [["classic", { docs: { sidebarPath: "./sidebars.js" } }]] };', "sidebars.js": 'module.exports = { docs: ["index", { type: "doc", id: "gone.md" }] };', "docs/index.md": "# A" }, "docusaurus.config.js"],
  ["Starlight", { "astro.config.mjs": 'import starlight from "@astrojs/starlight"; export default { integrations: [starlight({ sidebar: ["index", { slug: "gone.md" }] })] };', "src/content/docs/index.md": "# A" }, "astro.config.mjs"],
  ["GitBook", { "SUMMARY.md": "# Summary\n\n* [A](README.md)\n* [Gone](gone.md)\n", ".gitbook.yaml": "", "README.md": "# A" }, "SUMMARY.md:4"],
  ["Nextra", { "next.config.js": 'require("nextra")', "pages/_meta.json": '{ "index": "A", "gone.md": "Gone" }', "pages/index.md": "# A" }, "next.config.js"],
  ["Fumadocs", { "source.config.ts": "", "content/docs/meta.json": '{ "pages": ["index", "gone.md"] }', "content/docs/index.md": "# A" }, "source.config.ts"],
]; // oxfmt-ignore
it.each(IN_TOOLS)("an entry of the navigation of %s without a page is named", async (_, files, place) => {
  expect(problemLines(await reportOf(files))).toEqual([
    `${place} warning navigation: The navigation names "gone.md", which is not a page of this site.`,
  ]);
});

it("links of a configuration that lead nowhere on the site are named, in the navigation of another tool too", async () => {
  const link = (href: string) => `{ text: "T", link: "${href}" }`;
  const vitepress = `export default { base: "/b/", themeConfig: { sidebar: [${["/a", "/b/a", "/no", "https://a.example/no"].map(link).join(", ")}] } };`;
  const at = "warning navigation: A link of the configuration leads to";
  expect(problemLines(await reportOf({ ".vitepress/config.js": vitepress, "a.md": "# A" }))).toEqual([
    `.vitepress/config.js ${at} /no, which is not on this site.`,
  ]);
  const links = ["/", "/a", "/a.md", "/a#b", "/old", "/p.png", "/llms.txt", "#c", "/no?d"].map((href) => ({
    label: href,
    href,
  }));
  const redirects = [{ source: "/old", destination: "/a" }];
  const settings = { navbar: { links }, redirects, navigation: { groups: [{ group: "G", pages: ["a"] }] } };
  const files = { "docs.json": JSON.stringify(settings, null, 1), "a.md": "# A", "p.png": "x" };
  const line = files["docs.json"].split("\n").findIndex((each) => each.includes('"href": "/no?d"')) + 1;
  expect(problemLines(await reportOf(files))).toEqual([`docs.json:${line} ${at} /no?d, which is not on this site.`]);
});

it("a name that is set twice in one object is named", async () => {
  const files = {
    "docs.json": '{"name": "A", "navigation": {"pages": ["a"],\n "pages": ["b"]}}',
    "a.md": "# A",
    "b.md": "# B",
  };
  expect(problemLines(await reportOf(files))).toContain(
    'docs.json:2 warning configuration: "pages" is set twice in one object. The last one counts.',
  );
});

it("tags for search engines in a configuration reach every page", async () => {
  const robots = `{ name: "robots", content: "noindex" }`;
  for (const files of [
    { "docusaurus.config.js": "module.exports = { noIndex: true };", "docs/a.md": "# A" },
    { "docusaurus.config.js": `module.exports = { themeConfig: { metadata: [${robots}] } };`, "docs/a.md": "# A" },
    { ".vitepress/config.js": `export default { head: [["meta", ${robots}]] };`, "a.md": "# A" },
    {
      "astro.config.mjs": `import starlight from "@astrojs/starlight"; export default { integrations: [starlight({ head: [{ tag: "meta", attrs: ${robots} }] })] };`,
      "src/content/docs/a.md": "# A",
    },
  ])
    // oxfmt-ignore
    expect((await versionAlone(files)).docs.config.seo).toMatchObject({ noindex: true, metatags: { robots: "noindex" } });
  const page = "---\nhead:\n  - - meta\n    - name: robots\n      content: noindex, nofollow\n---\n# A\n";
  const { docs } = await versionAlone({ ".vitepress/config.js": "export default {};", "a.md": page, "b.md": "# B" });
  expect([...docs.pages.values()].map(({ noindex }) => noindex)).toEqual([true, false]);
});

const versionAlone = (files: Record<string, string>) =>
  versionOf(files, { apiDocuments: sharedContent().apiDocuments, project: newProjectId() });
