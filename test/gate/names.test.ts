import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const EXPORTED = /^export (?:abstract )?(?:async )?(?:function\*?|const|class|type|interface) (\w+)/gm;
/** Not product: tests' own, and migrations, which all export `up`. */
const EXEMPT = /\.(?:test|contract)\.ts$|^src\/(?:testing|db\/migrations)\//;

test("no two product files export the same name", () => {
  const files = new Map<string, Set<string>>();
  for (const file of globSync("src/**/*.ts", { cwd: root }).filter((each) => !EXEMPT.test(each))) {
    for (const [, name = ""] of readFileSync(path.join(root, file), "utf8").matchAll(EXPORTED)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  expect(files.size).toBeGreaterThan(1_000);
  expect([...files].filter(([, where]) => where.size > 1).map(([name, where]) => [name, ...where])).toEqual([]);
});
