import { expect, it } from "vitest";
import { createAgentTools } from "#agent/toolbox/tools.ts";
import { createAgentBench } from "#testing/agent-bench.ts";

const NEXTRA = {
  "next.config.mjs": 'import nextra from "nextra";\nexport default nextra({})({});\n',
  "content/_meta.ts": 'export default { a: "A", b: "B" };\n',
  "content/a.md": "# A\n",
  "content/b.md": "# B\n",
};

const MKDOCS = {
  "mkdocs.yml": "site_name: T\nnav:\n  - A: a.md\n  - B: b.md\n",
  "docs/a.md": "# A\n",
  "docs/b.md": "# B\n",
};

const META = "the _meta files";
const CONFIG = '"redirects" in next.config.mjs';
const PLUGIN = "the redirects plugin in mkdocs.yml (the plugin is not set up)";

it.each<[string, Record<string, unknown>, string, Record<string, string>]>([
  ["rename_group", { group: "A", to: "C" }, META, NEXTRA],
  ["add_page", { title: "C", text: "x", group: "A" }, META, NEXTRA],
  ["add_page", { title: "C", text: "x" }, "Give the path", NEXTRA],
  ["move_page", { page: "content/a.md", to: "content/c.md" }, META, NEXTRA],
  ["remove_page", { page: "content/a.md", redirectTo: "content/b.md" }, CONFIG, NEXTRA],
  ["add_redirect", { from: "/old", to: "/a" }, CONFIG, NEXTRA],
  ["add_redirect", { from: "/old", to: "/a" }, PLUGIN, MKDOCS],
  ["remove_redirect", { from: "/old" }, PLUGIN, MKDOCS],
  ["add_page", { title: "A", text: "x", path: "docs/a.md" }, "docs/a.md", MKDOCS],
])("%s names the file of another tool to edit, and changes nothing", async (name, input, file, files) => {
  const bench = createAgentBench(createAgentTools(), files);
  const result = await bench.run(name, input);
  expect(result).toMatchObject({ ok: false, message: expect.stringContaining(file) as string });
  expect(await bench.contents()).toEqual(files);
});

it("says that a page that moved in MkDocs has no redirect where the plugin is not set up", async () => {
  const bench = createAgentBench(createAgentTools(), MKDOCS);
  const result = await bench.run("move_page", { page: "docs/a.md", to: "c" });
  expect(JSON.stringify(result)).toContain(PLUGIN);
  expect((await bench.contents())["mkdocs.yml"]).toBe(MKDOCS["mkdocs.yml"].replace("a.md", "c.md"));
});

const HERO = `---
layout: home
hero:
  name: Trains
  image: { src: /logo.svg }
  actions:
    - { text: Start, link: /start }
features:
  - title: Engines
    link: "/start#fast"
  - title: Gone
    link: /gone
---
`;
const STARLIGHT_CONFIG =
  'import starlight from "@astrojs/starlight";\nexport default { integrations: [starlight({ title: "T" })] };\n';

it("changes the links of a home page of VitePress to a page that moves, and reports its broken ones", async () => {
  const bench = createAgentBench(createAgentTools(), {
    ".vitepress/config.mjs": "export default {};\n",
    "index.md": HERO,
    "start.md": "# Start\n\n## Fast\n",
  });
  await bench.run("move_page", { page: "start.md", to: "first" });
  expect((await bench.contents())["index.md"]).toBe(HERO.replaceAll("/start", "/first"));
  expect(await bench.brokenLinks()).toEqual(["index.md: /gone", "index.md: /logo.svg"]);
});

it("changes the links and pictures of a home page of Starlight that moves", async () => {
  const hero =
    "---\ntitle: T\nhero:\n  image:\n    file: ../../assets/a.png\n  actions:\n    - text: B\n      link: ./b/\n---\n\n![A](../../assets/a.png)\n";
  const bench = createAgentBench(createAgentTools(), {
    "astro.config.mjs": STARLIGHT_CONFIG,
    "src/assets/a.png": "x",
    "src/content/docs/index.md": hero,
    "src/content/docs/b.md": "---\ntitle: B\n---\n",
  });
  await bench.run("move_page", { page: "src/content/docs/index.md", to: "in/home" });
  expect((await bench.contents())["src/content/docs/in/home.md"]).toBe(
    hero.replaceAll("../../assets", "../../../assets").replace("./b/", "../../b/"),
  );
});

it("edits the nav of MkDocs in the file that has it", async () => {
  const bench = createAgentBench(createAgentTools(), {
    "mkdocs-common.yml": "site_name: T\n",
    "mkdocs-nav.yml": "nav:\n  - A: a.md\n",
    "docs/a.md": "# A\n",
  });
  await bench.run("add_page", { title: "B", text: "x", path: "docs/b.md" });
  expect((await bench.contents())["mkdocs-nav.yml"]).toBe("nav:\n  - A: a.md\n  - B: b.md\n");
});
