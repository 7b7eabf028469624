import { describe, expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { outline } from "#docs/dialects/dialect.contract.ts";
import { loadDocs } from "#docs/tree/page-tree.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

type Files = Record<string, string>;

/** One edit: the file that it changes, before and after, and the navigation that is read from the result. */
interface Example {
  name: string;
  chore: [string, Record<string, unknown>];
  before: string;
  after: string;
  navigation?: string;
}

async function run(files: Files, [name, input]: Example["chore"]) {
  const bench = createAgentBench(createAgentTools(), files);
  const result = await bench.run(name, input);
  return { result, files: await bench.contents(), docs: await loadDocs(bench.tree), broken: await bench.brokenLinks() };
}

const MKDOCS_PAGES = {
  "docs/index.md": "# Home\n",
  "docs/guides/a.md": "# A\n\nSee [B](b.md).\n\n## X\n",
  "docs/guides/b.md": "# B\n",
  "docs/ref/c.md": "# C\n\nSee [A](../guides/a.md#x) and [home](/).\n",
};

const HEAD = "site_name: T # the name\n\ntheme: {name: material}\n";
const TAIL =
  "\nextra:\n  key: !ENV [KEY, 'x']\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n";

describe("mkdocs.yml", () => {
  const nav = `nav:
  # The start
  - Home: index.md
  - Guides:   # for users
      - "First": guides/a.md # keep
      - 'Second': 'guides/b.md'
  - Reference:
    - ref/c.md
`;
  const config = (middle: string) => HEAD + middle + TAIL;
  const examples: Example[] = [
    {
      name: "gets a page at the end of a group, titled and quoted as the others are",
      chore: ["add_page", { title: "New: page", text: "See [B](b.md).", group: "Guides" }],
      before: nav,
      after: nav.replace("'guides/b.md'\n", "'guides/b.md'\n      - 'New: page': 'guides/new-page.md'\n"),
      navigation: "Home(/) Guides[First(/guides/a) Second(/guides/b) New: page(/guides/new-page)] Reference[C(/ref/c)]",
    },
    {
      name: "gets a page after another one, without a title where the others have none",
      chore: ["add_page", { title: "New", text: "x", after: "docs/ref/c.md" }],
      before: nav,
      after: nav.replace("    - ref/c.md\n", "    - ref/c.md\n    - ref/new.md\n"),
    },
    {
      name: "gets a page at the top, next to the home page",
      chore: ["add_page", { title: "News", text: "x", path: "news" }],
      before: nav,
      after: `${nav}  - News: news.md\n`,
    },
    {
      name: "keeps its entry for a page that moves",
      chore: ["move_page", { page: "docs/guides/b.md", to: "guides/deep/b2" }],
      before: nav,
      after: nav.replace("'guides/b.md'", "'guides/deep/b2.md'"),
    },
    {
      name: "has a page in another group",
      chore: ["move_page", { page: "docs/guides/a.md", group: "Reference" }],
      before: nav,
      after: nav
        .replace('      - "First": guides/a.md # keep\n', "")
        .replace("    - ref/c.md\n", "    - ref/c.md\n    - First: guides/a.md\n"),
    },
    {
      name: "loses a page, and the group that held nothing else",
      chore: ["remove_page", { page: "docs/ref/c.md" }],
      before: nav,
      after: nav.replace("  - Reference:\n    - ref/c.md\n", ""),
      navigation: "Home(/) Guides[First(/guides/a) Second(/guides/b)]",
    },
    {
      name: "has a group with another title",
      chore: ["rename_group", { group: "guides", to: "How to" }],
      before: nav,
      after: nav.replace("Guides:   #", "How to:   #"),
    },
    {
      name: "has a title in quotes where YAML 1.1 would read something else",
      chore: ["rename_group", { group: "Guides", to: "Yes" }],
      before: nav,
      after: nav.replace("Guides:   #", '"Yes":   #'),
    },
    {
      name: "has its groups in another order",
      chore: ["move_group", { group: "Reference", position: "first" }],
      before: nav,
      after: `nav:
  # The start
  - Reference:
    - ref/c.md
  - Home: index.md
  - Guides:   # for users
      - "First": guides/a.md # keep
      - 'Second': 'guides/b.md'
`,
    },
    {
      name: "has the new title of a page",
      chore: ["move_page", { page: "docs/guides/b.md", title: "It's second" }],
      before: nav,
      after: nav.replace("'Second': 'guides/b.md'", "'It''s second': 'guides/its-second.md'"),
    },
  ];
  it.each(examples)("$name", async ({ chore, before, after, navigation }) => {
    for (const end of ["\n", "\r\n"]) {
      const written = (text: string) => config(text).replaceAll("\n", end);
      const { result, files, docs, broken } = await run({ ...MKDOCS_PAGES, "mkdocs.yml": written(before) }, chore);
      expect(result).toMatchObject({ ok: true });
      expect(files["mkdocs.yml"]).toBe(written(after));
      expect(broken).toEqual([]);
      expect(outline(docs.navigation)).toContain(navigation ?? "");
      expect(docs.problems.filter(({ severity }) => severity === "error")).toEqual([]);
    }
  });

  const redirects = (maps: string) => `plugins:\n  - search\n${maps}  - tags\n`;
  it.each<Example>([
    {
      name: "after the others",
      chore: ["add_redirect", { from: "/old", to: "guides/a" }],
      before: redirects("  - redirects:\n      redirect_maps: # here\n        'x.md': index.md\n"),
      after: redirects(
        "  - redirects:\n      redirect_maps: # here\n        'x.md': index.md\n        old.md: guides/a.md\n",
      ),
    },
    {
      name: "in an empty map",
      chore: ["add_redirect", { from: "/old", to: "https://example.com/x" }],
      before: redirects("  - redirects:\n      redirect_maps: {}\n"),
      after: redirects("  - redirects:\n      redirect_maps:\n        old.md: https://example.com/x\n"),
    },
    {
      name: "to a plugin without options",
      chore: ["add_redirect", { from: "/old", to: "guides/a" }],
      before: redirects("  - redirects\n"),
      after: redirects("  - redirects:\n      redirect_maps:\n        old.md: guides/a.md\n"),
    },
    {
      name: "for a page that moved, and lets the earlier one lead to its new place",
      chore: ["move_page", { page: "docs/guides/b.md", to: "guides/z" }],
      before: redirects("  - redirects:\n      redirect_maps:\n        x.md: guides/b.md#top\n"),
      after: redirects(
        "  - redirects:\n      redirect_maps:\n        x.md: guides/z.md#top\n        guides/b.md: guides/z.md\n",
      ),
    },
    {
      name: "for a page that gave way to another one",
      chore: ["remove_page", { page: "docs/guides/b.md", redirectTo: "docs/guides/a.md" }],
      before: redirects("  - redirects:\n      redirect_maps:\n        x.md: index.md\n"),
      after: redirects(
        "  - redirects:\n      redirect_maps:\n        x.md: index.md\n        guides/b.md: guides/a.md\n",
      ),
    },
  ])("gets a redirect $name", async ({ chore, before, after }) => {
    const { result, files, docs } = await run({ ...MKDOCS_PAGES, "mkdocs.yml": config(before) }, chore);
    expect(result).toMatchObject({ ok: true });
    expect(files["mkdocs.yml"]).toBe(config(after));
    expect(docs.redirects.size).toBeGreaterThan(0);
  });

  it("loses a redirect, and keeps an empty map", async () => {
    const before = redirects("  - redirects:\n      redirect_maps:\n        x.md: index.md\n");
    const { files } = await run({ ...MKDOCS_PAGES, "mkdocs.yml": config(before) }, ["remove_redirect", { from: "/x" }]);
    expect(files["mkdocs.yml"]).toBe(config(redirects("  - redirects:\n      redirect_maps: {}\n")));
  });

  it.each<[string, string, Example["chore"], string]>([
    [
      "a list in brackets",
      "nav: [index.md, guides/a.md]\n",
      ["add_page", { title: "N", text: "x", path: "n" }],
      "mkdocs.yml:4",
    ],
    [
      "an alias",
      "x: &l [guides/a.md]\nnav:\n  - index.md\n  - G: *l\n",
      ["move_page", { page: "docs/guides/a.md", to: "z" }],
      "mkdocs.yml:7",
    ],
    ["a file that is not YAML", "nav:\n  - A: [\n", ["rename_group", { group: "A", to: "B" }], "mkdocs.yml"],
    [
      "redirects in braces",
      "plugins:\n  - redirects: {redirect_maps: {a.md: index.md}}\n",
      ["add_redirect", { from: "/o", to: "/" }],
      "mkdocs.yml:5",
    ],
  ])("stays as it is with %s, and the refusal names the place", async (_what, middle, chore, place) => {
    const before = { ...MKDOCS_PAGES, "mkdocs.yml": config(middle) };
    const { result, files } = await run(before, chore);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining(place) as string });
    expect(files).toEqual(before);
  });

  it("is repaired: entries without a file go, and pages without an entry are named or added", async () => {
    const nav = "nav:\n  - index.md\n  - Guides:\n      - guides/a.md\n      - Gone: guides/gone.md\n";
    const files = { ...MKDOCS_PAGES, "mkdocs.yml": config(nav) };
    const report = await run(files, ["orphan_report", {}]);
    expect(report.result).toMatchObject({
      summary: "2 pages not in the navigation, 1 entry without a page",
      content: { orphans: ["docs/guides/b.md", "docs/ref/c.md"], dead: ["docs/guides/gone.md"] },
    });
    const repaired = await run(files, ["repair_navigation", {}]);
    expect(repaired.files["mkdocs.yml"]).toBe(config(nav.replace("      - Gone: guides/gone.md\n", "")));
    const added = await run(files, ["repair_navigation", { addOrphans: true }]);
    expect(added.files["mkdocs.yml"]).toBe(config(`${nav}      - B: guides/b.md\n`));
  });

  it("is left alone where the navigation is generated from the folders", async () => {
    const before = { ...MKDOCS_PAGES, "mkdocs.yml": HEAD };
    const { files, result } = await run(before, ["add_page", { title: "New", text: "x", group: "guides" }]);
    expect(result).toMatchObject({ ok: true });
    expect(files).toEqual({ ...before, "docs/guides/new.md": "# New\n\nx\n" });
    const moved = await run(before, ["move_page", { page: "docs/guides/a.md", to: "ref/a" }]);
    expect(moved.files["docs/ref/c.md"]).toContain("[A](a.md#x)");
    expect(moved.files["docs/ref/a.md"]).toContain("[B](../guides/b.md)");
    expect(moved.broken).toEqual([]);
  });
});

const BOOK = {
  "README.md": "# Welcome\n",
  "guides/README.md": "# Guides\n",
  "guides/one.md": "# One\n",
  "ref/two.md": "# Two\n\n[one](../guides/one.md)\n",
};

describe("SUMMARY.md", () => {
  const summary = `# Table of contents

* [Welcome](README.md)
* [Guides](guides/README.md)
  * [One \\[1\\]](<guides/one.md> "mention")

## Reference

- [Two](ref/two.md)
`;
  it.each<Example>([
    {
      name: "gets a page below another one's last page",
      chore: ["add_page", { title: "Three [3]", text: "x", group: "Guides" }],
      before: summary,
      after: summary.replace('"mention")\n', '"mention")\n  * [Three \\[3\\]](guides/three-3.md)\n'),
      navigation:
        "Welcome(/) Guides(/guides)[One [1](/guides/one) Three [3](/guides/three-3)] Reference[Two(/ref/two)]".replaceAll(
          "[1]",
          "[1]",
        ),
    },
    {
      name: "gets a page below a heading, with its kind of bullets",
      chore: ["add_page", { title: "Four", text: "x", group: "Reference" }],
      before: summary,
      after: `${summary}- [Four](ref/four.md)\n`,
    },
    {
      name: "gets a page at the top, before the first heading",
      chore: ["add_page", { title: "News", text: "x", path: "news" }],
      before: summary,
      after: summary.replace("\n\n## Ref", "\n* [News](news.md)\n\n## Ref"),
    },
    {
      name: "keeps its entry for a page that moves",
      chore: ["move_page", { page: "guides/one.md", to: "ref/uno" }],
      before: summary,
      after: summary.replace("<guides/one.md>", "ref/uno.md"),
    },
    {
      name: "loses a page, and the heading that held nothing else",
      chore: ["remove_page", { page: "ref/two.md" }],
      before: summary,
      after: summary.replace("## Reference\n\n- [Two](ref/two.md)\n", ""),
    },
    {
      name: "has a heading with another title",
      chore: ["rename_group", { group: "Reference", to: "API" }],
      before: summary,
      after: summary.replace("## Reference", "## API"),
    },
  ])("$name", async ({ chore, before, after, navigation }) => {
    for (const end of ["\n", "\r\n"]) {
      const written = (text: string) => text.replaceAll("\n", end);
      const { result, files, docs, broken } = await run(
        { ...BOOK, ".gitbook.yaml": "root: ./\n", "SUMMARY.md": written(before) },
        chore,
      );
      expect(result).toMatchObject({ ok: true });
      expect(files["SUMMARY.md"]).toBe(written(after));
      expect(broken).toEqual([]);
      expect(outline(docs.navigation)).toContain(navigation ?? "");
    }
  });

  it("keeps the entry of a page that has others below it, and names its place", async () => {
    const files = { ...BOOK, "SUMMARY.md": summary };
    const { result, files: after } = await run(files, ["remove_page", { page: "guides/README.md" }]);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("SUMMARY.md:4") as string });
    expect(after).toEqual(files);
  });

  it("goes with .gitbook.yaml, which gets the redirect of a moved page", async () => {
    const files = {
      ...BOOK,
      "SUMMARY.md": summary,
      ".gitbook.yaml": "root: ./ # here\n\nstructure:\n  readme: README.md\n",
    };
    const { files: after, docs } = await run(files, ["move_page", { page: "guides/one.md", to: "ref/uno" }]);
    expect(after[".gitbook.yaml"]).toBe(
      "root: ./ # here\n\nstructure:\n  readme: README.md\nredirects:\n  guides/one: ref/uno.md\n",
    );
    expect(docs.redirects.match("/guides/one")?.location).toBe("/ref/uno");
  });
});

const SITE = {
  "docusaurus.config.ts":
    'export default { title: "T", presets: [["classic", { docs: { sidebarPath: "./sidebars.ts" } }]] };\n',
  "docs/intro.md": "---\nid: start\n---\n\n# Intro\n\n[One](./guides/one.md) and [two](/docs/guides/two)\n",
  "docs/guides/one.md": "# One\n",
  "docs/guides/02-two.md": "# Two\n",
  "docs/api/call.md": "# Call\n",
};

describe("sidebars.ts", () => {
  const sidebars = `import type { SidebarsConfig } from "@docusaurus/plugin-content-docs";

const sidebars: SidebarsConfig = {
  docs: [
    'start', // first
    {
      type: 'category',
      label: 'Guides',
      items: ['guides/one', "guides/two"],
    },
    { Reference: [{ type: 'autogenerated', dirName: 'api' }] },
  ],
};
export default sidebars;
`;
  it.each<Example>([
    {
      name: "gets a page in a category",
      chore: ["add_page", { title: "New", text: "x", group: "Guides" }],
      before: sidebars,
      after: sidebars.replace('"guides/two"]', "\"guides/two\", 'guides/new']"),
      navigation:
        "Intro(/docs/start) Guides[One(/docs/guides/one) Two(/docs/guides/two) New(/docs/guides/new)] Reference[Call(/docs/api/call)]",
    },
    {
      name: "gets a page after one with a comment",
      chore: ["add_page", { title: "New", text: "x", path: "new", after: "docs/intro.md" }],
      before: sidebars,
      after: sidebars.replace("// first\n", "// first\n    'new',\n"),
    },
    {
      name: "stays as it is for a page in a folder whose pages are listed by the tool",
      chore: ["add_page", { title: "Second call", text: "x", path: "api/second", group: "Reference" }],
      before: sidebars,
      after: sidebars,
    },
    {
      name: "keeps its entry for a page that moves, also with a number in its name",
      chore: ["move_page", { page: "docs/guides/02-two.md", to: "guides/last" }],
      before: sidebars,
      after: sidebars.replace('"guides/two"', '"guides/last"'),
    },
    {
      name: "keeps its entry for a page with an id that moves, whose links lead from its new folder",
      chore: ["move_page", { page: "docs/intro.md", to: "guides/intro" }],
      before: sidebars,
      after: sidebars.replace("'start'", "'guides/start'"),
    },
    {
      name: "loses a page",
      chore: ["remove_page", { page: "docs/api/call.md" }],
      before: sidebars,
      after: sidebars,
    },
    {
      name: "has a category with another title",
      chore: ["rename_group", { group: "Guides", to: "It's how" }],
      before: sidebars,
      after: sidebars.replace("'Guides'", "'It\\'s how'"),
    },
    {
      name: "has its categories in another order",
      chore: ["move_group", { group: "Guides", after: "Reference" }],
      before: sidebars,
      after: sidebars
        .replace("    { Reference: [{ type: 'autogenerated', dirName: 'api' }] },\n", "")
        .replace(
          "    {\n      type: 'category'",
          "    { Reference: [{ type: 'autogenerated', dirName: 'api' }] },\n    {\n      type: 'category'",
        ),
    },
  ])("$name", async ({ chore, before, after, navigation }) => {
    const { result, files, docs, broken } = await run({ ...SITE, "sidebars.ts": before }, chore);
    expect(result).toMatchObject({ ok: true });
    expect(files["sidebars.ts"]).toBe(after);
    expect(broken).toEqual([]);
    expect(outline(docs.navigation)).toContain(navigation ?? "");
    expect(docs.problems).toEqual([]);
  });

  it("stays as it is where a program makes the entries, and the refusal names the place", async () => {
    const files = { ...SITE, "sidebars.ts": 'export default { docs: [...more("guides/one"), "start"] };\n' };
    const { result, files: after } = await run(files, ["move_page", { page: "docs/guides/one.md", to: "uno" }]);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("sidebars.ts:1") as string });
    expect(after).toEqual(files);
  });
});

describe("generated sidebars of Docusaurus", () => {
  it("keep a link to a file, which is relative to the folder of a page, not to its address", async () => {
    const page = "---\nslug: /\n---\n\n# Intro\n\n[One](./guides/one.md)\n";
    const { files } = await run({ ...SITE, "docs/intro.md": page }, [
      "move_page",
      { page: "docs/intro.md", to: "guides/intro" },
    ]);
    expect(files["docs/guides/intro.md"]).toContain("[One](./one.md)");
  });

  it("have a folder with another title in its _category_ file", async () => {
    const category = '{\n    "position": 3,\n    "label": "How to"\n}\n';
    for (const [written, group, to] of [
      [undefined, "guides", '{\n  "label": "Manual"\n}\n'],
      [category, "How to", category.replace("How to", "Manual")],
    ]) {
      const files = { ...SITE, ...(written !== undefined && { "docs/guides/_category_.json": written }) };
      const { result, files: after, docs } = await run(files, ["rename_group", { group, to: "Manual" }]);
      expect(result).toMatchObject({ ok: true });
      expect(after["docs/guides/_category_.json"]).toBe(to);
      expect(outline(docs.navigation)).toContain("Manual[");
    }
  });

  it("have a new page after another one with a position", async () => {
    const files = { ...SITE, "docs/guides/one.md": "---\nsidebar_position: 1\n---\n\n# One\n" };
    const add = { title: "New", text: "x", path: "guides/new", after: "docs/guides/one.md" };
    const { files: after, docs } = await run(files, ["add_page", add]);
    expect(after["docs/guides/new.md"]).toBe("---\ntitle: New\nsidebar_position: 1.5\n---\n\nx\n");
    expect(outline(docs.navigation)).toContain("One(/docs/guides/one) New(/docs/guides/new) Two(/docs/guides/two)");
  });

  it("list a new page in the folder of its group", async () => {
    const { docs } = await run(SITE, ["add_page", { title: "New", text: "x", group: "guides" }]);
    expect(docs.pagesByPath.get("docs/guides/new.md")?.route).toBe("/docs/guides/new");
  });
});

const VITEPRESS = {
  "docs/index.md": "# Home\n\n[A](./guide/a) and [B](/guide/b.html#x)\n",
  "docs/guide/index.md": "# Guide\n",
  "docs/guide/a.md": "# A\n",
  "docs/guide/b.md": "# B\n\n## X\n",
};

it.each([
  ["docs/.vitepress/config.mts", "sidebar: side()"],
  ["docs/.vitepress/config.mts", "sidebar: { '/guide/': side() }"],
])("says that a page is not in a navigation that %s computes: %s", async (path, sidebar) => {
  const config = `import { side } from "./side";\nexport default { themeConfig: { ${sidebar} } };\n`;
  const added: Example["chore"] = ["add_page", { title: "New", path: "docs/guide/new.md" }];
  const { result } = await run({ ...VITEPRESS, [path]: config }, added);
  const notes = [expect.stringContaining(`It was not added to the navigation, which \`${path}\` computes`)];
  expect(result).toMatchObject({ content: { notes } });
  const withoutSidebar = await run({ ...VITEPRESS, [path]: "export default {};\n" }, added);
  expect(withoutSidebar.result).toMatchObject({ content: { notes: [] } });
});

describe("a sidebar of VitePress", () => {
  const config = `import { defineConfig } from "vitepress";
export default defineConfig({
  head: [["script", {}, "x()"]],
  themeConfig: {
    sidebar: [
      { text: "Start", link: "/" },
      { text: "Guide", link: "/guide/", items: [
        { text: "A", link: "/guide/a" }, // the first
        { text: "B", link: "/guide/b.md" },
      ] },
    ],
  },
});
`;
  it.each<Example>([
    {
      name: "gets a page in a group",
      chore: ["add_page", { title: "New", text: "x", group: "Guide", after: "docs/guide/a.md" }],
      before: config,
      after: config.replace("// the first\n", '// the first\n        { text: "New", link: "/guide/new.md" },\n'),
      navigation: "Start(/) Guide(/guide)[A(/guide/a) New(/guide/new) B(/guide/b)]",
    },
    {
      name: "keeps its entry for a page that moves",
      chore: ["move_page", { page: "docs/guide/b.md", to: "b" }],
      before: config,
      after: config.replace('"/guide/b.md"', '"/b.md"'),
    },
    {
      name: "loses a page",
      chore: ["remove_page", { page: "docs/guide/b.md", redirectTo: "docs/guide/a.md" }],
      before: config,
      after: config.replace('        { text: "B", link: "/guide/b.md" },\n', ""),
    },
    {
      name: "has a group with another title",
      chore: ["rename_group", { group: "Guide", to: "Manual" }],
      before: config,
      after: config.replace('text: "Guide"', 'text: "Manual"'),
    },
  ])("$name", async ({ chore, before, after, navigation }) => {
    const { result, files, docs, broken } = await run({ ...VITEPRESS, "docs/.vitepress/config.mts": before }, chore);
    expect(result).toMatchObject({ ok: true });
    expect(files["docs/.vitepress/config.mts"]).toBe(after);
    expect(broken).toEqual([]);
    expect(outline(docs.navigation)).toContain(navigation ?? "");
  });

  it("is next to other links, which are named when their page moves, and keep it from being removed", async () => {
    const written = config.replace("sidebar:", 'nav: [{ text: "B", link: "/guide/b" }],\n    sidebar:');
    const files = { ...VITEPRESS, "docs/.vitepress/config.mts": written };
    const moved = await run(files, ["move_page", { page: "docs/guide/b.md", to: "b" }]);
    expect(JSON.stringify(moved.result)).toContain("Left the address `/guide/b` at `docs/.vitepress/config.mts:5`");
    const bare = { ...files, "docs/index.md": "# Home\n" };
    const { result } = await run(bare, ["remove_page", { page: "docs/guide/b.md" }]);
    expect(result).toMatchObject({ ok: false, message: expect.stringContaining("config.mts:5") as string });
  });

  it("is edited below the path that it is shown at", async () => {
    const lists =
      "export default { themeConfig: { sidebar: { '/guide/': [{ text: 'A', link: '/guide/a' }], '/': [] } } };\n";
    const files = { ...VITEPRESS, "docs/.vitepress/config.mts": lists };
    const { result, files: after } = await run(files, ["add_page", { title: "New", text: "x", path: "guide/new" }]);
    expect(result).toMatchObject({ ok: true });
    expect(after["docs/.vitepress/config.mts"]).toBe(
      lists.replace("'/guide/a' }", "'/guide/a' }, { text: 'New', link: '/guide/new' }"),
    );
  });
});

describe("a _redirects file", () => {
  const starlight = {
    "astro.config.mjs":
      'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "T" })] };\n',
    "src/content/docs/index.md": "---\ntitle: Home\n---\n",
    "src/content/docs/a.md": "---\ntitle: A\n---\n",
    "src/content/docs/b.md": "---\ntitle: B\n---\n",
  };
  const vitepress = {
    ".vitepress/config.mjs": 'export default { title: "T" };\n',
    "index.md": "# Home\n",
    "a.md": "# A\n",
    "b.md": "# B\n",
  };
  const docusaurus = {
    "docusaurus.config.js":
      'export default { title: "T", url: "https://x.example", baseUrl: "/", presets: [["classic", { docs: { routeBasePath: "/" } }]] };\n',
    "docs/index.md": "---\nslug: /\n---\n\n# Home\n",
    "docs/a.md": "# A\n",
    "docs/b.md": "# B\n",
  };
  it.each([
    ["Starlight", starlight, "public/_redirects", "src/content/docs/a.md"],
    ["VitePress", vitepress, "public/_redirects", "a.md"],
    ["Docusaurus", docusaurus, "static/_redirects", "docs/a.md"],
  ])("of %s gets the redirect of a page that moves, before the others", async (_tool, repository, file, page) => {
    const before = "# Old addresses\n\n/older /b 302\n/z /b\n";
    const { result, files, docs } = await run({ ...repository, [file]: before }, ["move_page", { page, to: "z" }]);
    expect(result).toMatchObject({ ok: true });
    expect(files[file]).toBe("# Old addresses\n\n/a /z 301\n/older /b 302\n");
    expect(docs.redirects.match("/a")?.location).toBe("/z");
  });

  it("is left alone if the site is below a base path of its host", async () => {
    const site = { ...docusaurus, "docusaurus.config.js": docusaurus["docusaurus.config.js"].replace('baseUrl: "/"', 'baseUrl: "/docs/"') }; // oxfmt-ignore
    const before = "/older /b 302\n";
    const { files } = await run({ ...site, "static/_redirects": before }, [
      "move_page",
      { page: "docs/a.md", to: "z" },
    ]);
    expect(files["static/_redirects"]).toBe(before);
  });
});

describe("a sidebar of Starlight", () => {
  const PAGES = {
    "src/content/docs/index.md": "---\ntitle: Home\n---\n\n[A](guides/a/)\n",
    "src/content/docs/guides/a.md": "---\ntitle: A\n---\n\n[B](../b/#x)\n",
    "src/content/docs/guides/b.md": "---\ntitle: B\n---\n\n## X\n",
    "src/content/docs/ref/c.md": "---\ntitle: C\n---\n",
  };
  const config = `import starlight from "@astrojs/starlight";
export default {
  integrations: [
    starlight({
      title: "T",
      sidebar: [
        { label: "Guides", items: ["guides/a", { label: "The B", slug: "guides/b" }] },
        { label: "Reference", autogenerate: { directory: "ref" } },
      ],
    }),
  ],
};
`;
  it.each<Example>([
    {
      name: "gets a page in a group",
      chore: ["add_page", { title: "New", text: "x", group: "Guides" }],
      before: config,
      after: config.replace('slug: "guides/b" }]', 'slug: "guides/b" }, "guides/new"]'),
      navigation: "Guides[A(/guides/a) The B(/guides/b) New(/guides/new)] Reference[C(/ref/c)]",
    },
    {
      name: "lists a page in a generated group by its folder",
      chore: ["add_page", { title: "D", text: "x", group: "Reference" }],
      before: config,
      after: config,
      navigation: "Guides[A(/guides/a) The B(/guides/b)] Reference[C(/ref/c) D(/ref/d)]",
    },
    {
      name: "keeps its entry for a page that moves",
      chore: ["move_page", { page: "guides/a", to: "start/first" }],
      before: config,
      after: config.replace('"guides/a"', '"start/first"'),
    },
  ])("$name", async ({ chore, before, after, navigation }) => {
    const { result, files, docs, broken } = await run({ ...PAGES, "astro.config.mjs": before }, chore);
    expect(result).toMatchObject({ ok: true });
    expect(files["astro.config.mjs"]).toBe(after);
    expect(broken).toEqual([]);
    expect(outline(docs.navigation)).toContain(navigation ?? "");
  });
});

it.each([
  ["id", "docs/intro.md", "docs/welcome.md", "Its entry in the navigation needs no change."],
  ["slug", "docs/guides/one.md", "docs/guides/uno.md", "Updated its entry in the navigation."],
])("move_page says that the address stays with `%s` in the front matter", async (_key, page, to, navigation) => {
  const files = {
    ...SITE,
    "docs/guides/one.md": "---\nslug: /first\n---\n\n# One\n",
    "sidebars.ts": "export default { docs: ['start', 'guides/one'] };\n",
  };
  const bench = createAgentBench(createAgentTools(), files);
  const result = await bench.run("move_page", { page, to });
  expect(JSON.stringify(result)).toContain("because its front matter sets `id` or `slug`.");
  expect(JSON.stringify(result)).toContain(navigation);
});

it("says of a page that a configuration names in another way that no entry could be edited", async () => {
  const config =
    'export default { themeConfig: { sidebar: [{ text: "Start", link: "/" }], nav: [{ text: "One", link: "/one" }] } }\n';
  const { result } = await run({ ".vitepress/config.mts": config, "index.md": "# Start\n", "one.md": "# One\n" }, [
    "move_page",
    { page: "one.md", to: "ref/uno" },
  ]);
  expect(JSON.stringify(result)).toContain("`.vitepress/config.mts` has no entry of it that a chore can edit.");
});
