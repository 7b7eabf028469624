import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

// `test/evidence.md` names the tests that prove what docs/security.md and other pages promise: a file, and after it the titles of its tests.
const NAMED = /`((?:src|test|scripts|clients)\/[\w./-]+\.test\.tsx?)`|"([^"]+)"( \(long\))?/g;

it("names tests that exist", async () => {
  const titles = await namedTitles();
  expect(titles.filter(({ file, title }) => !hasTitle(file, title)).map(({ title }) => title)).toEqual([]);
});

it("marks the tests that run in the long suite alone", async () => {
  const titles = await namedTitles();
  const wrong = titles.filter(({ file, title, isMarked }) => isOnlyLong(file, title) !== isMarked);
  expect(wrong.map(({ title }) => title)).toEqual([]);
});

async function namedTitles(): Promise<{ file: string; title: string; isMarked: boolean }[]> {
  const titles: { file: string; title: string; isMarked: boolean }[] = [];
  const text = await readFile("test/evidence.md", "utf8");
  for (const row of text.split("\n").filter((line) => line.startsWith("| "))) {
    let file = "";
    for (const [, path, title, mark] of row.matchAll(NAMED)) {
      if (path !== undefined) file = await readFile(path, "utf8");
      else if (file !== "" && title !== undefined) titles.push({ file, title, isMarked: mark !== undefined });
    }
  }
  return titles;
}

/** Whether a file has a title, in which `…` stands for anything. */
function hasTitle(file: string, title: string): boolean {
  const words = title.replaceAll("`", "\\`");
  if (file.includes(title) || file.includes(words)) return true;
  return words.split("…").every((part) => file.includes(part.trim()));
}

function isOnlyLong(file: string, title: string): boolean {
  return /runIf\(LONG_TESTS\)(?:\.concurrent)?\(\s*["`]$/.test(file.slice(0, file.indexOf(title)));
}
