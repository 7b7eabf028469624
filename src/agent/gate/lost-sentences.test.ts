import { expect, it } from "vitest";
import { judge, type TestFiles } from "#testing/judged-change.ts";

const PAGE = `---
title: Backups
---

Make a backup each night. Keep it on another machine.

<Warning>Never restore over a running server: its journal would be lost.</Warning>

## Restore

Stop the server before you copy the files back. Then start it and look at the log.
`;

async function lost(before: TestFiles, after: TestFiles, prompt = "Fix the typos."): Promise<string[]> {
  const { warnings } = await judge({ "index.md": "# Home\n", ...before }, { "index.md": "# Home\n", ...after }, { prompts: [prompt] }); // oxfmt-ignore
  return warnings.filter(({ check }) => check === "deletions").map(({ path, message }) => `${path}: ${message}`);
}
const changed = (from: string | RegExp, to: string, prompt?: string) =>
  lost({ "page.mdx": PAGE }, { "page.mdx": PAGE.replace(from, to) }, prompt);

it("names a sentence that is removed without a request", async () => {
  expect(await changed(/<Warning>.*\n\n/, "")).toEqual([
    "page.mdx: A sentence is gone that people saw, and no instruction asks for it: “Never restore over a running server: its journal would be lost.”",
  ]);
});

it("names a sentence that becomes invisible", async () => {
  expect(await changed("<Warning>", "<Warning hidden>")).toHaveLength(1);
});

it("names lost parts of pages, and whole pages, page by page", async () => {
  const cut = PAGE.slice(0, PAGE.indexOf("## Restore"));
  const pages = (text: string) => ({ "a.mdx": text, "b.mdx": text.replaceAll("server", "service") });
  expect(await lost(pages(PAGE), pages(cut))).toEqual([
    expect.stringMatching(/^a.mdx: 2 sentences are gone/),
    expect.stringMatching(/^b.mdx: 2 sentences are gone/),
  ]);
  expect(await lost({ "a.mdx": PAGE }, {})).toEqual([expect.stringMatching(/^a.mdx: 5 sentences are gone/)]);
});

it.each([
  ["is written in other words", "Keep it on another machine.", "Keep the backup on a machine of its own."],
  ["stands in another component", /<Warning>(.*)<\/Warning>/, "<Note>$1</Note>"],
  ["stands in another place", /(Make .*)\n\n([^]*)/, "$2\n$1\n"],
  ["gets a link", "the log.", "[the log](/index)."],
])("a sentence that %s is not lost", async (_, from, to) => {
  expect(await changed(from, to)).toEqual([]);
});

it("a page that moves, and a section that becomes a page, lose no sentence", async () => {
  expect(await lost({ "a.mdx": PAGE }, { "b/c.mdx": PAGE })).toEqual([]);
  const [first = "", second = ""] = PAGE.split("## Restore");
  expect(await lost({ "a.mdx": PAGE }, { "a.mdx": first, "restore.mdx": `# Restore\n${second}` })).toEqual([]);
});

it("names nothing if an instruction asks for a removal or for less text", async () => {
  for (const prompt of ["Remove the warning.", "Shorten the page on backups."])
    expect(await changed(/<Warning>.*\n\n/, "", prompt)).toEqual([]);
});

it("says how many pages are not listed", async () => {
  const pages = (text: string) =>
    Object.fromEntries(
      Array.from({ length: 53 }, (_, index) => [
        `p${index}.md`,
        `# P\n\n${text ? `Part${index} ${text}\n` : "Text\n"}`,
      ]),
    );
  const found = await lost(pages("is read by many people each day."), pages(""));
  expect([found.length, found.at(-1)]).toEqual([
    51,
    "null: Sentences that people saw are gone from 3 more pages that are not listed.",
  ]);
});
