import { describe, expect, it } from "vitest";
import { dialectContract, load, outline } from "#docs/dialects/dialect.contract.ts";

const CONFIG = `site_name: Trains
site_url: https://docs.example/trains/
repo_url: https://code.example/trains
INHERIT: base.yml
theme:
  name: material
  logo: img/logo.svg
  features: [navigation.indexes, content.action.edit]
plugins:
  - search
  - redirects:
      redirect_maps:
        old.md: guides/doors.md
        gone.md: https://example.com/gone
exclude_docs: |
  drafts/
draft_docs: |
  soon.md
nav:
  - Home: index.md
  - Guides:
      - guides/README.md
      - guides/doors.md
      - The brakes: guides/brakes.md
  - Forum: https://forum.example
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
`;
const FILES = {
  "mkdocs.yml": CONFIG,
  "base.yml":
    "site_name: Base\ntheme:\n  palette:\n    primary: teal\nextra:\n  social:\n    - icon: fontawesome/brands/github\n      link: https://code.example\n",
  "docs/index.md": "# Welcome",
  "docs/README.md": "# For developers",
  "docs/guides/README.md": "# All guides",
  "docs/guides/doors.md": "---\ntitle: Doors\n---\n",
  "docs/guides/brakes.md": "# Brakes",
  "docs/drafts/idea.md": "# An idea",
  "docs/soon.md": "# Soon",
  "docs/img/logo.svg": "<svg/>",
};

dialectContract({
  dialect: "mkdocs",
  files: FILES,
  file: "mkdocs.yml",
  routes: ["/", "/guides", "/guides/doors", "/guides/brakes"],
  navigation: "Home(/) Guides(/guides)[Doors(/guides/doors) The brakes(/guides/brakes)] Forum->https://forum.example",
});

describe("a MkDocs site", () => {
  it("has its settings as those of a docs.json, with those that it inherits", async () => {
    const { config, bases, redirects, assets } = await load(FILES);
    expect(config).toMatchObject({
      name: "Trains",
      logo: { light: "/img/logo.svg" },
      colors: { primary: "#009485" },
      navbar: { links: [{ href: "https://code.example/trains" }] },
      footer: { socials: [{ label: "GitHub", href: "https://code.example" }] },
      suggestsEdits: true,
    });
    expect(bases).toContain("/trains");
    expect(redirects.match("/old")?.location).toBe("/guides/doors");
    expect(redirects.match("/gone")?.location).toBe("https://example.com/gone");
    expect(assets.get("/img/logo.svg")?.path).toBe("docs/img/logo.svg");
  });

  it("is found by a configuration with another name, if it is one of MkDocs", async () => {
    const named = await load({
      "mkdocs-deployment.yml": "kind: Deployment\n",
      "mkdocs-public.yml": "site_name: T\ndocs_dir: pages\n",
      "pages/index.md": "# Home\n\n!!! note\n    A note.\n",
    });
    expect([named.config.dialect, named.config.name, outline(named.navigation)]).toEqual(["mkdocs", "T", "Home(/)"]);
  });

  it("reads nav from a file beside it, and the configuration with an address that inherits another", async () => {
    const docs = await load({
      "mkdocs-common.yml": 'site_name: T\nplugins:\n  exclude: { glob: ["snippets/*", "**/_part.md"] }\n',
      "mkdocs-offline.yml": "INHERIT: mkdocs-common.yml\n",
      "mkdocs-online.yml": "INHERIT: mkdocs-common.yml\nsite_url: https://t.example/x/\n",
      "mkdocs-nav.yml": "nav:\n  - Last: b.md\n  - index.md\n",
      "docs/index.md": "# Home",
      "docs/b.md": "# B",
      "docs/snippets/c.md": "# C",
      "docs/g/_part.md": "# D",
    });
    expect(outline(docs.navigation)).toBe("Last(/b) Home(/)");
    expect([...docs.pages.keys()].toSorted()).toEqual(["/", "/b"]);
    expect([docs.bases, docs.tool?.chores?.navigation]).toEqual([expect.arrayContaining(["/x"]), "mkdocs-nav.yml"]);
  });

  it("follows the folders without nav: index first, then pages, then folders", async () => {
    const docs = await load({
      "mkdocs.yml": "site_name: T",
      "docs/index.md": "# Home",
      "docs/b.md": "# B",
      "docs/getting-started/index.md": "# Start",
      "docs/getting-started/a.md": "# A",
      "docs/a-folder/x.md": "# X",
    });
    expect(outline(docs.navigation)).toBe(
      "Home(/) B(/b) A folder[X(/a-folder/x)] Getting started[Start(/getting-started) A(/getting-started/a)]",
    );
  });

  it("reads the order that plugins define in folders", async () => {
    const pages = { "docs/index.md": "# Home", "docs/g/a.md": "# A", "docs/g/b.md": "# B", "docs/g/c.md": "# C" };
    const literate = await load({
      ...pages,
      "mkdocs.yml": "plugins: [literate-nav]",
      "docs/SUMMARY.md": "* [Start](index.md)\n* [Guides](g/)\n",
      "docs/g/SUMMARY.md": "- [Last](c.md)\n    - [Inner](a.md)\n",
    });
    expect(outline(literate.navigation)).toBe("Start(/) Guides[Last[Last(/g/c) Inner(/g/a)]]");
    const awesome = await load({
      ...pages,
      "mkdocs.yml": "plugins:\n  - awesome-pages",
      "docs/g/.pages": "title: Guides\nnav:\n  - c.md\n  - ...\n  - Forum: https://forum.example\n",
    });
    expect(outline(awesome.navigation)).toBe("Home(/) Guides[C(/g/c) A(/g/a) B(/g/b) Forum->https://forum.example]");
  });

  it("has tabs, posts and languages", async () => {
    const docs = await load({
      "mkdocs.yml":
        "theme:\n  features: [navigation.tabs]\nplugins:\n  blog: {}\nnav:\n  - index.md\n  - Blog:\n      - blog/index.md\n",
      "docs/index.md": "# Home",
      "docs/blog/index.md": "# News",
      "docs/blog/posts/first.md": "---\ndate: 2024-01-31\n---\n# The first post!",
    });
    expect(outline(docs.navigation)).toBe(
      "tab:Home[Home(/)] tab:Blog[News(/blog) Posts[The first post!(/blog/2024/01/31/the-first-post)]]",
    );
    const translated = await load({
      "mkdocs.yml":
        "plugins:\n  - i18n:\n      languages:\n        - {locale: en, name: English, default: true}\n        - {locale: fr, name: Français}\n        - {locale: de, build: false}\n",
      "docs/index.md": "# Home",
      "docs/index.fr.md": "# Accueil",
      "docs/a.md": "# A",
    });
    expect(outline(translated.navigation)).toBe(
      "language:English[Home(/) A(/a)] language:Français[Accueil(/fr) A(/a)]",
    );
    expect(translated.tool?.chores).toBeUndefined();
  });
});

describe("the index page of a tab in MkDocs", () => {
  it("has the title of the tab in the menu, and its own above its text", async () => {
    const docs = await load({
      "mkdocs.yml":
        "theme:\n  features: [navigation.tabs, navigation.indexes]\nnav:\n  - Setup:\n      - setup/index.md\n      - Colors: setup/colors.md\n  - Plugins:\n      - Overview: plugins/index.md\n",
      "docs/setup/index.md": "# All about the setup",
      "docs/setup/colors.md": "# Changing the colors",
      "docs/plugins/index.md": "# Plugins",
    });
    expect(outline(docs.navigation)).toBe(
      "tab:Setup[Setup(/setup) Colors(/setup/colors)] tab:Plugins[Plugins(/plugins)]",
    );
    expect([...docs.pages.values()].map(({ title }) => title).toSorted()).toEqual([
      "All about the setup",
      "Colors",
      "Overview",
    ]);
  });
});

describe("the title of a MkDocs page", () => {
  const HOME = '<p align="center">\n<img src="logo.png">\n</p>\n\n<h1 align="center">\nHTTPX\n</h1>\n\n## Features\n';
  const PAGES = {
    "docs/index.md": HOME,
    "docs/heading.md": "Text.\n\n# From its heading\n",
    "docs/matter.md": "---\ntitle: From its front matter\n---\n# A heading\n",
    "docs/file-name.md": "## A part\n\n# Too late\n",
  };

  it("comes from the navigation, else from the front matter, a level-one heading or the file name", async () => {
    const nav = "nav:\n- Introduction: index.md\n- matter.md\n- heading.md\n- file-name.md\n- Other words: matter.md\n";
    const { pages } = await load({ ...PAGES, "mkdocs.yml": nav });
    expect(Object.fromEntries(pages.entries().map(([route, { title }]) => [route, title]))).toEqual({
      "/": "Introduction",
      "/matter": "From its front matter",
      "/heading": "From its heading",
      "/file-name": "File name",
    });
  });

  it("may be a heading in HTML, without a navigation", async () => {
    const { pages } = await load({ ...PAGES, "mkdocs.yml": "site_name: X" });
    expect(pages.get("/")?.title).toBe("HTTPX");
  });
});
