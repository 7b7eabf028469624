import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

// `test/evidence.md` names the tests that prove what docs/security.md promises: a file, and after it the titles of its tests.

it("names tests that exist", async () => {
  const missing: string[] = [];
  const text = await readFile("test/evidence.md", "utf8");
  for (const row of text.split("\n").filter((line) => line.startsWith("| "))) {
    let file = "";
    for (const [, path, title] of row.matchAll(/`((?:src|test|scripts|clients)\/[\w./-]+\.test\.tsx?)`|"([^"]+)"/g)) {
      if (path !== undefined) {
        file = await readFile(path, "utf8").catch(() => "");
        if (file === "") missing.push(path);
      } else if (file !== "" && title !== undefined && !hasTitle(file, title)) missing.push(title);
    }
  }
  expect(missing).toEqual([]);
});

/** Whether a file has a title; `…` and a value in place of `%s` or `$name` stand for anything. */
function hasTitle(file: string, title: string): boolean {
  const words = title.replaceAll("`", "\\`");
  if (file.includes(title) || file.includes(words)) return true;
  return words.split("…").every((part) => file.includes(part.trim()));
}
