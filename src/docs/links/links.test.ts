import { describe, expect, it } from "vitest";
import { createTestSnapshot } from "#testing/snapshot.ts";
import { createInProcessParser } from "#docs/in-process-parser.ts";
import { dialectParser } from "#testing/moved-site.ts";
import { checkLinks, type Link } from "./links.ts";
import { createLinkCache } from "./parsed-file.ts";
import { loadDocs } from "#docs/tree/page-tree.ts";
import type { MarkdownParser } from "#docs/parser.ts";

type Files = Parameters<typeof createTestSnapshot>[0];

async function check(
  files: Files,
  options: { parser?: MarkdownParser; cache?: ReturnType<typeof createLinkCache> } = {},
) {
  const snapshot = createTestSnapshot(files);
  const docs = await loadDocs(snapshot);
  return checkLinks({ snapshot, docs, parser: createInProcessParser(), ...options });
}

const brief = (link: Link) => {
  const suggestions = link.suggestions.map(({ url, reason }) => `${url} (${reason})`).join(", ");
  return `${link.path}:${link.line} ${link.url} ${link.broken ?? link.target?.kind}${suggestions && ` -> ${suggestions}`}`;
};

it("suggests a moved asset once, even if it has two addresses", async () => {
  const { broken } = await check({ "a.md": "![x](/old/logo.png)", "public/logo.png": "x" });
  expect(broken.map(brief)).toEqual(["a.md:1 /old/logo.png no_asset -> /logo.png (moved)"]);
});

it("lead to the first page at /, to which the site redirects", async () => {
  const { links } = await check({ "a.md": "[x](/) ![y](/)" });
  expect(links.map(({ broken }) => broken)).toEqual([null, "no_asset"]);
});

it("are not said to mean a heading that the suggested page does not have", async () => {
  const files = { "a.md": "[x](/old/b#one) [y](/old/b#two)", "new/b.md": "# B\n\n## Two\n" };
  const { broken } = await check(files);
  expect(broken.map(brief)).toEqual([
    "a.md:1 /old/b#one no_page -> /new/b (similar)",
    "a.md:1 /old/b#two no_page -> /new/b#two (moved)",
  ]);
});

it("lead to headings of VitePress 2 by any text with the same id, and by the usual id beside one of its configuration", async () => {
  const files = {
    "package.json": '{ "dependencies": { "vitepress": "2.0.0-alpha.19" } }',
    ".vitepress/config.js": 'export default { markdown: { anchor: { slugify: (s) => s.replace(/\\s+/g, "_") } } };',
    "a.md":
      '# A\n\n## Set Up\n\n[a](#Set%20Up) [a](#Set_Up) [a](#set-up) <a href="#set-up">b</a> <a href="#set_up">b</a> [c](#other)',
  };
  const { links } = await check(files, { parser: dialectParser });
  expect(links.map(({ url, broken }) => [url, broken])).toEqual([
    ["#Set%20Up", null],
    ["#Set_Up", null],
    ["#set-up", null],
    ["#set-up", null],
    ["#set_up", "no_anchor"],
    ["#other", "no_anchor"],
  ]);
});

it("of another tool are relative to the folder of the page if they name a file, else also to its address", async () => {
  const { links } = await check({
    "docusaurus.config.js": 'export default { presets: ["classic"] };',
    "docs/b.md": "# B",
    "docs/deep/a.md": "---\nslug: /\n---\n\n[b](./b.md) [b](../b.md) [b](./b)",
  });
  expect(links.map(({ url, broken }) => [url, broken])).toEqual([
    ["./b.md", "no_page"],
    ["../b.md", null],
    ["./b", null],
  ]);
});

it.each<[string, Files, string, string]>([
  [
    "MkDocs",
    { "mkdocs.yml": "site_name: T\n", "docs/g/users.md": "# Users\n\n## Add\n" },
    "docs/index.md",
    "/old/users -> /g/users, /old/users/#add -> /g/users/#add, old/users.md#add -> g/users.md#add",
  ],
  [
    "Starlight",
    {
      "astro.config.mjs":
        'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "T" })] };\n',
      "src/content/docs/g/users.md": "---\ntitle: Users\n---\n\n## Add\n",
    },
    "src/content/docs/index.md",
    "/old/users -> /g/users, /old/users/#add -> /g/users/#add, old/users.md#add -> g/users.md#add",
  ],
  [
    "Docusaurus",
    {
      "docusaurus.config.js": 'export default { presets: ["classic"] };',
      "docs/02-g/01-users.md": "# Users\n\n## Add\n",
    },
    "docs/index.md",
    "/old/users -> /docs/g/users, /old/users/#add -> /docs/g/users/#add, old/users.md#add -> 02-g/01-users.md#add",
  ],
])("suggests on a site of %s the address of a moved page, or its file", async (_tool, files, page, expected) => {
  const { broken } = await check({
    ...files,
    [page]: "---\ntitle: Home\n---\n\n[a](/old/users) [b](/old/users/#add) [c](old/users.md#add)\n",
  });
  const found = broken.map(({ url, suggestions }) => `${url} -> ${suggestions.map((each) => each.url).join(" ")}`);
  expect(found.join(", ")).toBe(expected);
});

describe("links with a target", () => {
  const site = {
    "docs.json": JSON.stringify({
      navigation: { pages: ["index", "guides/start"] },
      redirects: [{ source: "/old/:slug*", destination: "/guides/:slug*" }],
    }),
    "index.mdx": "# Home\n\n## Set up\n\n## Set up\n\n<Step title='First step'>x</Step>\n\n<a id='explicit' />",
    "guides/index.md": "# Guides",
    "guides/start.mdx": "# Start",
    "guides/ü x.md": "# Ü",
    "img/a b.png": "x",
    "files/x.pdf": "x",
    "files/x.html": "x",
    "files/x.md": "x",
  };

  it.each([
    ["/", "page"],
    ["/guides", "page"],
    ["/guides/", "page"],
    ["/guides/index", "page"],
    ["index.md", "page"],
    ["./start", "page"],
    ["start.mdx", "page"],
    ["start.md", "page"],
    ["../index.mdx", "page"],
    ["..", "page"],
    ["/guides/start?x=1", "page"],
    ["%C3%BC%20x.md", "page"],
    ["/#set-up", "page"],
    ["/#set-up-1", "page"],
    ["../#first-step", "page"],
    ["/#explicit", "page"],
    ["#here", "page"],
    ["#top", "page"],
    ["#:~:text=x", "page"],
    ["/guides/start.html", "page"],
    ["start.htm#top", "page"],
    ["/guides/index.html", "page"],
    ["/index.html#set-up", "page"],
    ["/files/x.pdf", "asset"],
    ["/files/x.html", "asset"],
    ["../img/a%20b.png", "asset"],
    ["/llms.txt", "site"],
    ["/old/start", "redirect"],
  ])("%s is a %s", async (url, kind) => {
    const report = await check({ ...site, "guides/page.md": `# Here\n\n[x](${url})` });
    expect(report.links.map((link) => link.target?.kind)).toEqual([kind]);
    expect(report.broken).toEqual([]);
  });

  it.each(["https://x.example", "mailto:a@b.example", "//cdn.example/x", "javascript:alert(1)"])(
    "%s is not a link of the site",
    async (url) => {
      expect((await check({ "a.md": `[x](${url})` })).links).toEqual([]);
    },
  );

  it("suggests replacing a link that relies on a redirect", async () => {
    const report = await check({ ...site, "a.md": "[x](/old/start#start)" });
    expect(report.links.map(brief)).toEqual(["a.md:1 /old/start#start redirect -> /guides/start#start (redirect)"]);
  });
});

describe("broken links", () => {
  it.each([
    ["[x](/missing-everything)", "no_page", []],
    ["[x](../outside.md)", "no_page", []],
    ["[x](/Guides/Start)", "no_page", ["/guides/start (case)"]],
    ["[x](./start.md)", "no_page", ["./guides/start.mdx (moved)"]],
    ["[x](/elsewhere/start)", "no_page", ["/guides/start (moved)"]],
    ["[x](/guides/strat)", "no_page", ["/guides/start (similar)"]],
    ["[x](guides/start#Set_Up)", "no_anchor", ["guides/start#set-up (case)"]],
    ["[x](guides/start.mdx#setp-up)", "no_anchor", ["guides/start.mdx#set-up (similar)"]],
    ["[x](#hme)", "no_anchor", ["#home (similar)"]],
    ["[x](#quite-different)", "no_anchor", []],
    ["![x](/logo.png)", "no_asset", ["/img/logo.png (moved)"]],
    ["![x](img/lgoo.png)", "no_asset", ["img/logo.png (similar)"]],
    ["![x](/pictures/none.webp)", "no_asset", []],
    ["[x](/files/gone.pdf)", "no_asset", []],
    ['<Card href="/guides/strat" />', "no_page", ["/guides/start (similar)"]],
    ["<img src='img/lgoo.png' />", "no_asset", ["img/logo.png (similar)"]],
  ])("%s: %s", async (markdown, reason, suggestions) => {
    const report = await check({
      "index.mdx": `# Home\n\n${markdown}`,
      "guides/start.mdx": "# Start\n\n## Set up",
      "img/logo.png": "x",
    });
    expect(report.broken.map((link) => link.broken)).toEqual([reason]);
    const [link] = report.broken;
    expect(link?.suggestions.map((suggestion) => `${suggestion.url} (${suggestion.reason})`)).toEqual(suggestions);
  });
});

describe("suggestions", () => {
  const suggested = async (from: string, url: string, files: Record<string, string>) => {
    const { broken } = await check({ ...files, [from]: `[x](${url})` });
    return broken.flatMap((link) => link.suggestions.map((suggestion) => `${suggestion.url} (${suggestion.reason})`));
  };

  it("stay in the language of the page that links", async () => {
    const files = { "a.mdx": "", "start/setup.mdx": "", "fr/a.mdx": "", "fr/debut/setup.mdx": "" };
    expect(await suggested("fr/b.mdx", "/setup", files)).toEqual(["/fr/debut/setup (similar)"]);
    expect(await suggested("b.mdx", "/setup", files)).toEqual(["/start/setup (similar)"]);
    expect(await suggested("fr/b.mdx", "/start/setpu", { ...files, "fr/debut/setup.mdx": "", "fr/z.mdx": "" })).toEqual(
      [],
    );
  });

  it("are guesses where only the name is the same", async () => {
    const files = { "docs/tools/dashboard.md": "", "docs/guides/updater.md": "", "docs/a.md": "", "img/a.png": "x" };
    const of = (url: string) => suggested("docs/b.md", url, files);
    expect(await of("/dashboard")).toEqual(["/docs/tools/dashboard (similar)"]);
    expect(await of("/docs/dashboard")).toEqual(["/docs/tools/dashboard (similar)"]);
    expect(await of("/docs/reference/js/updater")).toEqual(["/docs/guides/updater (similar)"]);
    expect(await of("/docs/reference/updater")).toEqual(["/docs/guides/updater (moved)"]);
    expect(await of("./old/js/updater.md")).toEqual(["./guides/updater.md (moved)"]);
  });

  it("replace a folder by its overview", async () => {
    const files = { "guides/overview.mdx": "", "guides/start.mdx": "", "start.mdx": "" };
    expect(await suggested("b.mdx", "/guides", files)).toEqual(["/guides/overview (moved)"]);
    expect(await suggested("b.mdx", "/Guides/", files)).toEqual(["/guides/overview (moved)"]);
  });

  it("prefer the nearest page with the same name to pages with a similar spelling", async () => {
    const files = {
      "api/v1/limits.mdx": "",
      "api/v2/limits.mdx": "",
      "guides/limits.mdx": "",
      "api/v1/users/limit.mdx": "",
    };
    expect(await suggested("b.mdx", "/api/v1/users/limits", files)).toEqual([
      "/api/v1/limits (similar)",
      "/api/v2/limits (similar)",
      "/guides/limits (similar)",
    ]);
  });
});

describe("snippets", () => {
  it("add their anchors to the pages that include them, and their own root-absolute links are checked", async () => {
    const report = await check({
      "a.mdx":
        'import S from "/snippets/s.mdx"\n\n# A\n\n<S />\n\n[in](#from-snippet) [twice](#from-snippet-1) [no](#nowhere-at-all)',
      "snippets/s.mdx":
        "## From snippet\n\n[abs](/gone-for-good) [rel](./depends-on-the-page)\n\n<Snippet file='deep.mdx' />",
      "snippets/deep.mdx": "## Deep",
      "b.md": "[x](/a#deep)",
    });
    expect(report.broken.map(brief)).toEqual([
      "a.mdx:7 #nowhere-at-all no_anchor",
      "snippets/s.mdx:3 /gone-for-good no_page",
    ]);
  });
});

it("reports files that cannot be parsed, and does not check anchors in them", async () => {
  const report = await check({ "a.md": "[x](b#anything)", "b.mdx": "# B\n\n{ unclosed" });
  expect(report.broken).toEqual([]);
  expect(report.unparsed).toMatchObject([{ path: "b.mdx" }]);
});

it("parses each file version once", async () => {
  const inner = createInProcessParser();
  let parses = 0;
  const parser: MarkdownParser = {
    parse: (source, format) => {
      parses += 1;
      return inner.parse(source, format);
    },
  };
  const cache = createLinkCache();
  await check({ "a.md": "[b](b)", "b.md": "# B" }, { parser, cache });
  const second = await check({ "a.md": "[b](b)", "b.md": "# B2", "c.md": "[a](a)" }, { parser, cache });
  expect(parses).toBe(4);
  expect(second.links).toHaveLength(2);
});
