import { expect, test } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";

const CONFIG = JSON.stringify({ name: "Docs", navigation: { pages: ["index", "guide"] } });
const BASE: TestFiles = {
  ".vitepress/config.js": "export default { title: 'Docs' };\n",
  "index.md": "# Start\n\n[Guide](/guide)\n",
};

const messagesOf = async (before: TestFiles, after: TestFiles) => {
  const { errors, warnings } = await judge(before, after, { movesSite: true });
  return [...errors, ...warnings].map(({ message }) => message);
};

test.each<[what: string, before: string, after: string, more: TestFiles]>([
  [
    "characters of a terminal in an included file",
    "# Guide\n\n<<< @/out.ansi\n",
    "# Guide\n\n```ansi\n\u001b[32mok\u001b[0m\n```\n",
    { "out.ansi": "\u001b[32mok\u001b[0m\n" },
  ],
  ["an attribute without a value", '# Guide\n\n<img src="/a.png" img-light>\n', '# Guide\n\n<img src="/a.png" img-light />\n', { "public/a.png": "x" }], // oxfmt-ignore
  ["a broken link of an included file", "# Guide\n\n<!--@include: ./part.md-->\n", "# Guide\n\n[No](/nowhere)\n", { "part.md": "[No](/nowhere)\n" }], // oxfmt-ignore
])("a move may keep %s on a page that it renames", async (_what, before, after, more) => {
  const site = { ...BASE, ...more };
  const moved = { ...site, "docs.json": CONFIG, "guide.mdx": after };
  const found = await messagesOf({ ...site, "guide.md": before }, moved);
  expect(found.filter((message) => !/published|deleted|another tool/.test(message))).toEqual([]);
});

test("a move may not add such characters", async () => {
  const moved = { ...BASE, "docs.json": CONFIG, "guide.mdx": "# Guide\u202e\n" };
  expect(await messagesOf({ ...BASE, "guide.md": "# Guide\n" }, moved)).toContainEqual(expect.stringContaining("Invisible characters")); // oxfmt-ignore
});
