import { describe, expect, test } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";
import { isDeletionAsked } from "./deletions.ts";

const text = (name: string) => `# ${name}\n\n${`Words about ${name} that stand on this page alone. `.repeat(8)}\n`;
const pages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}.md`, text(`p${index}`)]));
const without = (files: TestFiles, count: number): TestFiles => Object.fromEntries(Object.entries(files).slice(count));

async function deletionsIn(
  before: TestFiles,
  after: TestFiles,
  prompts = ["Correct the spelling."],
): Promise<string[]> {
  const { errors } = await judge(before, after, { prompts });
  return errors.filter(({ check }) => check === "deletions").map(({ message }) => message.split(":")[0] ?? "");
}

test.each([
  [4, 1, 0],
  [4, 2, 1],
  [30, 3, 0],
  [30, 4, 1],
  [100, 5, 0],
  [100, 6, 1],
  [12, 12, 1],
])("a site of %d pages that loses %d without a request gets %d findings", async (total, gone, findings) => {
  const files = pages(total);
  expect(await deletionsIn(files, without(files, gone))).toHaveLength(findings);
});

test("pages may be deleted if an instruction asks for it", async () => {
  const files = pages(12);
  expect(await deletionsIn(files, without(files, 12), ["Hello.", "Please delete the old pages."])).toEqual([]);
});

test("emptied pages count as deleted, moved or merged pages do not", async () => {
  const files = pages(6);
  const emptied = Object.fromEntries(Object.keys(files).map((path) => [path, "# Gone\n"]));
  expect(await deletionsIn(files, emptied)).toHaveLength(1);
  const moved = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`new/${path}`, `${content}More.\n`]),
  );
  expect(await deletionsIn(files, moved)).toEqual([]);
  expect(await deletionsIn(files, { "all.md": Object.values(files).join("\n") })).toEqual([]);
  expect(await deletionsIn(files, { "all.md": "# All\n" })).toHaveLength(1);
});

test("pages that lose most of their text count as deleted, unless an instruction asks for shorter ones", async () => {
  const files = pages(12);
  const cut = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, content.slice(0, content.length / 4)]),
  );
  expect(await deletionsIn(files, cut)).toHaveLength(1);
  expect(await deletionsIn(files, cut, ["Shorten all pages."])).toEqual([]);
  const emptied = Object.fromEntries(Object.keys(files).map((path) => [path, "# Gone\n"]));
  expect(await deletionsIn(files, emptied, ["Shorten all pages."])).toHaveLength(1);
});

test("pages that are removed from search count as deleted, unless an instruction asks for it", async () => {
  const files = pages(12);
  const hidden = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, `---\nnoindex: true\n---\n${content}`]),
  );
  expect(await deletionsIn(files, hidden)).toHaveLength(1);
  expect(await deletionsIn(files, hidden, ["Keep all pages out of search engines."])).toEqual([]);
});

describe("pages whose text becomes invisible count as deleted", () => {
  test.each<[string, string, (words: string) => string]>([
    ["an HTML comment", "md", (words) => `<!--\n${words}\n-->`],
    ["an MDX comment", "mdx", (words) => `{/*\n${words}\n*/}`],
    ["the attribute hidden", "md", (words) => `<div hidden>\n\n${words}\n\n</div>`],
    ["hidden as JSX", "mdx", (words) => `<div hidden>\n\n${words}\n\n</div>`],
    ["a style", "md", (words) => `<div style="display: none">\n\n${words}\n\n</div>`],
    ["a style as JSX", "mdx", (words) => `<div style={{ display: "none" }}>\n\n${words}\n\n</div>`],
    ["small letters", "md", (words) => `<div style="font-size:0px">\n\n${words}\n\n</div>`],
    ["a class", "mdx", (words) => `<div className="sr-only">\n\n${words}\n\n</div>`],
    ["an element inside another", "md", (words) => `<div hidden><div>x</div>\n\n${words}\n\n</div>`],
    ["a closed dialog", "md", (words) => `<dialog>\n\n${words}\n\n</dialog>`],
  ])("%s", async (_name, extension, wrap) => {
    const files = Object.fromEntries(
      Object.entries(pages(6)).map(([path, words]) => [path.replace("md", extension), words]),
    );
    const wrapped = Object.fromEntries(Object.entries(files).map(([path, words]) => [path, wrap(words)]));
    expect(await deletionsIn(files, wrapped)).toHaveLength(1);
    // Moved into a page where they are invisible.
    expect(
      await deletionsIn(files, { [`all.${extension}`]: `# All\n\n${wrap(Object.values(files).join("\n"))}` }),
    ).toHaveLength(1);
  });

  test.each([
    ["the markup is in code", (words: string) => `\`\`\`html\n<div hidden>\n\`\`\`\n\n${words}`],
    ["another element is hidden", (words: string) => `<p hidden>x</p>\n\n${words}`],
    ["it is shown on larger screens", (words: string) => `<div class="hidden md:block">\n\n${words}\n\n</div>`],
    ["half of it is a comment", (words: string) => `<!-- ${"note ".repeat(80)} -->\n\n${words}`],
  ])("not when %s", async (_name, wrap) => {
    const files = pages(6);
    const wrapped = Object.fromEntries(Object.entries(files).map(([path, words]) => [path, wrap(words)]));
    expect(await deletionsIn(files, wrapped)).toEqual([]);
  });
});

test("pages that the navigation no longer names count as deleted", async () => {
  const files = pages(6);
  const config = (names: string[]) => JSON.stringify({ name: "Docs", navigation: { pages: names } });
  const names = Object.keys(files).map((path) => path.replace(".md", ""));
  const before = { ...files, "docs.json": config(names) };
  expect(await deletionsIn(before, { ...files, "docs.json": config(names.slice(0, 1)) })).toHaveLength(1);
  expect(await deletionsIn(before, { ...files, "docs.json": config(names.toReversed()) })).toEqual([]);
  expect(await deletionsIn(before, { "docs.json": config(["p0"]), "p0.md": files["p0.md"]! })).toHaveLength(1);
});

describe("words that ask for a deletion", () => {
  test.each([
    "Delete the old guides.",
    "Remove the pages under /v1 and redirect them.",
    "We retired v1: drop its docs",
    "```chores\n- remove_page: {page: old}\n```",
    "Merge the three install guides into one.",
    "Get rid of the legacy section",
    "Lösche die alten Seiten.",
    "Supprime les pages de la v1.",
    "Elimina las páginas antiguas.",
    "古いページを削除してください。",
    "删除旧页面",
    "Удали старые страницы",
    "Do not touch the index, but delete the rest.",
  ])("%s", (prompt) => expect(isDeletionAsked([prompt])).toBe(true));

  test.each([
    "Correct the spelling.",
    "Rewrite the guides in plain English.",
    "Do not delete anything.",
    "Tidy up the wording without removing any pages.",
    "Don't ever remove pages.",
    "Never drop a page.",
    "Update the airdrop guide and the eraser page.",
    "Nichts ändern und keine Seiten löschen.",
  ])("not: %s", (prompt) => expect(isDeletionAsked([prompt])).toBe(false));
});
