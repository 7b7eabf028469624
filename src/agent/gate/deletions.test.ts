import { describe, expect, test } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";
import { isDeletionAsked } from "./deletion-words.ts";

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
])("of %d pages %d may go unasked: %d findings", async (total, gone, findings) => {
  const files = pages(total);
  expect(await deletionsIn(files, without(files, gone))).toHaveLength(findings);
});

test("pages may go when an instruction asks for it", async () => {
  const files = pages(12);
  expect(await deletionsIn(files, without(files, 12), ["Hello.", "Please delete the old pages."])).toEqual([]);
});

test("pages that are emptied count as deleted, pages that are moved or put together do not", async () => {
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
