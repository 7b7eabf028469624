import { expect, test } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";

const MKDOCS = {
  "mkdocs.yml": "site_name: T\nnav:\n  - A: a.md\nplugins:\n  - redirects\nextra:\n  e: !!python/name:x.y\n",
  "docs/a.md": "# A\n",
};
const BOOK = { ".gitbook.yaml": "root: ./\n", "SUMMARY.md": "* [A](a.md)\n", "a.md": "# A\n" };
const VITEPRESS = {
  ".vitepress/config.mts": 'export default { head: [["a"]], themeConfig: { sidebar: [{ text: "A", link: "/a" }] } };\n',
  "a.md": "# A\n",
};
const DOCUSAURUS = {
  "docusaurus.config.js": 'export default { title: "T", presets: ["classic"] };\n',
  "sidebars.js": "module.exports = { docs: ['a', require('./more')] };\n",
  "docs/a.md": "# A\n",
  "docs/g/b.md": "# B\n",
};

test.each<[string, TestFiles, TestFiles]>([
  [
    "mkdocs.yml",
    MKDOCS,
    { "mkdocs.yml": MKDOCS["mkdocs.yml"].replace("a.md\n", "a.md\n  - N: n.md\n"), "docs/n.md": "# N\n" },
  ],
  [".gitbook.yaml", BOOK, { ".gitbook.yaml": "root: ./\nredirects:\n  old: a.md\n" }],
  ["sidebars.js", DOCUSAURUS, { "sidebars.js": DOCUSAURUS["sidebars.js"].replace("'a'", "'a', 'g/b'") }],
  [
    "VitePress",
    VITEPRESS,
    {
      ".vitepress/config.mts": VITEPRESS[".vitepress/config.mts"].replace(
        '"/a" }',
        '"/a" }, { text: "B", link: "/b" }',
      ),
    },
  ],
  ["a category", DOCUSAURUS, { "docs/g/_category_.json": '{ "label": "G" }\n' }],
])("a change of the navigation in %s may be published", async (_file, base, change) => {
  const { errors } = await judge(base, { ...base, ...change });
  expect(errors).toEqual([]);
});

test.each<[string, TestFiles, TestFiles]>([
  ["mkdocs.yml", MKDOCS, { "mkdocs.yml": `${MKDOCS["mkdocs.yml"]}hooks: [x.py]\n` }],
  [".gitbook.yaml", BOOK, { ".gitbook.yaml": "root: ./a\n" }],
  ["sidebars.js", DOCUSAURUS, { "sidebars.js": DOCUSAURUS["sidebars.js"].replace("./more", "./evil") }],
  ["VitePress", VITEPRESS, { ".vitepress/config.mts": VITEPRESS[".vitepress/config.mts"].replace('"a"', '"script"') }],
  ["a new mkdocs.yml", BOOK, { "mkdocs.yml": "site_name: T\nnav: []\n" }],
])("a change of other settings in %s may not", async (_file, base, change) => {
  const { errors } = await judge(base, { ...base, ...change });
  expect(errors).toContainEqual(expect.objectContaining({ check: "policy" }));
});

test("a redirect of another tool to another host is named", async () => {
  const config = MKDOCS["mkdocs.yml"].replace(
    "- redirects\n",
    "- redirects:\n      redirect_maps: {o.md: https://x.example/}\n",
  );
  const { errors, warnings } = await judge(MKDOCS, { ...MKDOCS, "mkdocs.yml": config });
  expect([errors, warnings.map(({ message }) => message)]).toEqual([
    [],
    ["/o will lead to another host: https://x.example/"],
  ]);
});
