import { describe, expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { isSection, trailTo, type NavigationNode } from "./navigation.ts";
import { createPageHeads, loadDocs } from "./page-tree.ts";

type Files = Parameters<typeof createTestSnapshot>[0];
const load = (files: Files, options: { contentRoot?: string } = {}) => loadDocs(createTestSnapshot(files), options);

function outline(nodes: readonly NavigationNode[]): string {
  return nodes
    .map((node) => {
      if (node.kind === "page") return `${node.title}(${node.route})`;
      if (node.kind === "link") return node.href;
      return `${node.title}[${outline(node.children)}]`;
    })
    .join(" ");
}

describe("a docs.json", () => {
  it("excludes files by the patterns of a .gitignore, from pages and from what is served", async () => {
    const exclude = ["/src/", "*.ts", "!keep.ts", "/notes.md"];
    const docs = await load({
      "docs.json": JSON.stringify({ exclude }),
      "index.md": "# Start",
      "notes.md": "# Notes",
      "guides/notes.md": "# Notes",
      "src/a.png": "",
      "b/config.ts": "",
      "b/keep.ts": "",
    });
    expect([...docs.pages.keys()].toSorted()).toEqual(["/", "/guides/notes"]);
    expect([...docs.assets.keys()]).toEqual(["/b/keep.ts"]);
    expect(docs.problems).toEqual([]);
  });

  it("does not show a page that is for groups of readers, and says so", async () => {
    const docs = await load({
      "docs.json": JSON.stringify({ navigation: { pages: ["index", "admin"] } }),
      "index.md": "# Start",
      "admin.md": "---\ngroups: [admin, staff]\n---\n# Secret",
      "one.md": "---\ngroups: admin\n---\n# Secret",
      "all.md": "---\ngroups: []\n---\n# All",
    });
    expect([...docs.pages.keys()].toSorted()).toEqual(["/", "/all"]);
    expect(docs.problems).toMatchObject([
      {
        path: "admin.md",
        severity: "error",
        code: "left_out",
        message: expect.stringContaining("admin, staff") as string,
      },
      { path: "one.md", severity: "error", code: "left_out" },
      { path: "docs.json", code: "navigation" },
    ]);
  });

  it("leads from the entry of a page with a url to that address", async () => {
    const docs = await load({
      "docs.json": JSON.stringify({ navigation: { pages: ["index", "npm", "script"] } }),
      "index.md": "# Start",
      "npm.md": "---\ntitle: Package\nurl: https://npm.example/package\n---\n",
      "script.md": "---\ntitle: Script\nurl: javascript:alert(1)\n---\n",
    });
    expect(outline(docs.navigation)).toBe("Start(/) https://npm.example/package Script(/script)");
  });

  it("reports patterns that it cannot use, because files are served that should not be", async () => {
    const { problems } = await load({ "docs.json": '{"exclude": "src"}', "index.md": "# Start" });
    expect(problems).toMatchObject([{ path: "docs.json", line: 1, severity: "error" }]);
  });

  it("has links and labels of languages in its navigation, as they are written", async () => {
    const pages = ["index", { link: "Forum", href: "https://forum.example" }, { link: "Bad", href: "javascript:x" }];
    const navigation = { languages: [{ language: "pt-BR", label: "Português", pages }] };
    const docs = await load({ "docs.json": JSON.stringify({ navigation }), "index.md": "# Start" });
    expect(outline(docs.navigation)).toBe("Português[Start(/) https://forum.example]");
    expect(docs.navigation[0]).toMatchObject({ kind: "language", language: "pt-BR" });
    expect(docs.problems).toHaveLength(1);
  });
});

describe("a repository without a configuration", () => {
  it("shows its folders as groups, index and README first, in natural order", async () => {
    const docs = await load({
      "zebra.md": "# Zebra",
      "README.md": "# Welcome\n\ntext",
      "10-last.md": "no heading",
      "2-second.md": "Setext title\n===\n",
      "guides/install.md": "---\ntitle: Installation\n---\n# Other",
      "guides/index.md": "## Only a second level",
      "guides/advanced/01_deep_dive.md": "",
      "guides/first.md": "---\ntitle: First\nsidebar_position: 1\n---",
      "guides/draft.md": "---\ndraft: true\n---",
    });
    expect(outline(docs.navigation)).toBe(
      "Welcome(/) Setext title(/2-second) Last(/10-last) Zebra(/zebra) " +
        "Guides[Only a second level(/guides) First(/guides/first) Installation(/guides/install) " +
        "Advanced[Deep dive(/guides/advanced/01_deep_dive)]]",
    );
    expect(docs.pages.get("/guides/draft")).toMatchObject({ hidden: true, path: "guides/draft.md" });
  });

  it("ignores hidden files, packages, parts of pages and symbolic links", async () => {
    const docs = await load({
      "a.md": "# A",
      ".github/PULL_REQUEST_TEMPLATE.md": "x",
      "node_modules/x/README.md": "x",
      "snippets/part.mdx": "x",
      "_partials/x.md": "x",
      "guides/_part.md": "x",
      "AGENTS.md": "x",
      "guides/CLAUDE.md": "x",
      "guides/snippets/of-code.md": "# Snippets",
      "link.md": { linkTo: "/etc/passwd" },
      "picture.png": { linkTo: "../../secret.png" },
    });
    expect([...docs.pages.keys()]).toEqual(["/a", "/guides/snippets/of-code"]);
    expect(docs.assets.size).toBe(0);
  });

  it("treats the snippets of a language as snippets", async () => {
    const languages = ["fr", "de"].map((language) => ({ language, pages: [`${language}/a`] }));
    const docs = await load({
      "docs.json": JSON.stringify({
        navigation: { languages: [...languages, { language: "it", pages: ["it/snippets/b"] }] },
      }),
      "fr/a.md": "# A",
      "de/a.md": "# A",
      "fr/snippets/part.mdx": "x",
      "it/snippets/b.md": "# B",
      "go/snippets/c.md": "# C",
    });
    expect([...docs.pages.keys()].toSorted()).toEqual(["/de/a", "/fr/a", "/go/snippets/c", "/it/snippets/b"]);
  });

  it("publishes media and documents, but no source code", async () => {
    const files = { "README.md": "x", "img/ä b.png": "x", "main.ts": "x", "deploy.yaml": "x", ".env": "x" };
    expect([...(await load(files)).assets.keys()]).toEqual(["/img/%C3%A4%20b.png"]);
    const declared = await load({ ...files, "docs.json": "{}" });
    expect([...declared.assets.keys()].sort()).toEqual(["/deploy.yaml", "/img/%C3%A4%20b.png", "/main.ts"]);
  });

  it.each([{}, { "main.c": "int main;" }])("is empty, not an error, when there are no pages: %j", async (files) => {
    const docs = await load(files);
    expect([docs.pages.size, docs.navigation, docs.problems]).toEqual([0, [], []]);
  });

  it("also serves the files of public/ and static/ at the root, like the tools that use those folders", async () => {
    const docs = await load({
      "a.md": "# A",
      "public/logo.svg": "x",
      "static/img/b.png": "x",
      "public/taken.png": "x",
      "taken.png": "x",
      "guides/public/c.png": "x",
    });
    expect(Object.fromEntries([...docs.assets].map(([route, { path }]) => [route, path]))).toEqual({
      "/guides/public/c.png": "guides/public/c.png",
      "/public/logo.svg": "public/logo.svg",
      "/public/taken.png": "public/taken.png",
      "/static/img/b.png": "static/img/b.png",
      "/taken.png": "taken.png",
      "/logo.svg": "public/logo.svg",
      "/img/b.png": "static/img/b.png",
    });
  });

  it("can be restricted to a folder", async () => {
    const docs = await load({ "README.md": "# No", "docs/a.md": "# A", "docs/x.yaml": "x" }, { contentRoot: "docs" });
    expect(outline(docs.navigation)).toBe("A(/a)");
    expect(docs.assets.get("/x.yaml")?.path).toBe("docs/x.yaml");
  });
});

describe("a repository with docs.json", () => {
  it("finds the pages that are named in any of the usual ways", async () => {
    const docs = await load({
      "docs/docs.json": JSON.stringify({
        navigation: {
          groups: [
            {
              group: "Start",
              root: "overview",
              pages: ["index", "/guides/intro", "guides/setup.mdx", "guides/README"],
            },
            { group: "Parts", pages: ["snippets/shown", "über uns"] },
            { group: "Gone", pages: ["nowhere"] },
          ],
        },
      }),
      "docs/index.mdx": "---\ntitle: Home\nsidebarTitle: Start here\n---",
      "docs/overview.mdx": "# Overview",
      "docs/guides/intro.mdx": "# Intro",
      "docs/guides/setup.mdx": "# Set up",
      "docs/guides/README.md": "# Guides",
      "docs/snippets/shown.mdx": "# Shown",
      "docs/snippets/part.mdx": "# Part",
      "docs/über uns.md": "# Über uns",
      "docs/unlisted.md": "# Unlisted",
      "elsewhere.md": "# Not a page",
    });
    expect(outline(docs.navigation)).toBe(
      "Start[Start here(/) Intro(/guides/intro) Set up(/guides/setup) Guides(/guides)] " +
        "Parts[Shown(/snippets/shown) Über uns(/%C3%BCber%20uns)]",
    );
    const [start] = docs.navigation;
    expect(start && isSection(start) ? start.route : null).toBe("/overview");
    expect(docs.pages.get("/unlisted")?.hidden).toBe(true);
    expect(docs.pages.has("/elsewhere")).toBe(false);
    expect(docs.problems).toMatchObject([
      { severity: "warning", path: "docs/docs.json", line: 1, message: expect.stringContaining('"nowhere"') as string },
    ]);
    expect(trailTo(docs.navigation, "/guides/setup")?.map((section) => section.title)).toEqual(["Start"]);
  });

  it.each(["{ broken", "[]", '{"navigation": 3}', '{"navigation": {"pages": ["gone"]}}'])(
    "shows the folders and an error when it is %s",
    async (config) => {
      const docs = await load({ "docs.json": config, "a.md": "# A", "b/c.md": "# C" });
      expect(outline(docs.navigation)).toBe("A(/a) B[C(/b/c)]");
      expect(docs.problems.some((problem) => problem.severity === "error")).toBe(true);
      expect(docs.pages.get("/a")?.hidden).toBe(false);
    },
  );

  it("reports 50,000 missing pages without listing each", async () => {
    const pages = Array.from({ length: 50_000 }, (_, index) => `missing-${index}`);
    const docs = await load({ "docs.json": JSON.stringify({ navigation: { pages: ["a", ...pages] } }), "a.md": "" });
    expect(outline(docs.navigation)).toBe("A(/a)");
    expect(docs.problems).toHaveLength(101);
    expect(docs.problems.at(-1)?.message).toBe("And 49900 more problems.");
  });
});

describe("titles", () => {
  it.each([
    ["---\ntitle: 'It''s \"here\"'\n---\n# No", 'It\'s "here"'],
    ["---\ntitle: 2026\n---", "2026"],
    ["---\ntitle: >\n  Folded\n  text\n---", "Folded text"],
    ["---\ntitle: Use: this\n---", "Use: this"],
    ["---\ntitle: [a]\n---\n# Heading", "Heading"],
    ["\uFEFF---\ntitle: Mark\n---", "Mark"],
    ["```sh\n# not me\n```\n\n# `code` and **bold** [link](x) ##", "code and bold link"],
    ["~~~\n# no\n```\n# no\n~~~\n## Second\n# First", "First"],
    ['<h1 align="center">Kysely</h1>', "Kysely"],
    ["import X from '#docs/x.mdx'\n\n# Title {#custom}", "Title"],
    ["#no heading\n\ntext", "My page"],
    ["# snake_case_name", "snake_case_name"],
    ["# 导入", "导入"],
  ])("of %j is %s", async (source, title) => {
    const docs = await load({ "my-page.mdx": source });
    expect(docs.pages.get("/my-page")?.title).toBe(title);
  });

  it("are read once per file version", async () => {
    const heads = createPageHeads();
    const before = createTestSnapshot({ "a.md": "# A", "b.md": "# B" });
    await loadDocs(before, { heads });
    const after = createTestSnapshot({ "a.md": "# A", "b.md": "# B2" });
    await loadDocs(after, { heads });
    expect([...after.reads.keys()]).toEqual(["b.md"]);
  });
});
