import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { mutate, readMutants } from "./mutants.ts";

const root = path.join(import.meta.dirname, "../..");

// `npm run mutants` runs them; this keeps the lists true to the code meanwhile.
test("every mutant has its place in the code, changes it, and names tests that exist", () => {
  const stale: string[] = [];
  const names = new Set<string>();
  for (const mutant of readMutants(root)) {
    const title = `${mutant.area}: ${mutant.name}`;
    if (names.has(title)) stale.push(`${title}: twice`);
    names.add(title);
    for (const file of [mutant.file, ...mutant.tests]) {
      if (!existsSync(path.join(root, file))) stale.push(`${title}: there is no ${file}`);
    }
    if (!existsSync(path.join(root, mutant.file))) continue;
    const text = readFileSync(path.join(root, mutant.file), "utf8");
    try {
      if (mutate(text, mutant) === text) stale.push(`${title}: changes nothing`);
    } catch (error) {
      stale.push(`${title}: ${String(error)}`);
    }
  }
  expect(stale).toEqual([]);
});
