import path from "node:path";
import { expect, test } from "vitest";
import { faultsOf, readMutants } from "./mutants.ts";

const root = path.join(import.meta.dirname, "../..");

// `npm run mutants` runs them; this keeps the lists true to the code meanwhile.
test("every mutant has its place in the code, changes it, and names tests that exist", () => {
  const mutants = readMutants(root);
  const titles = mutants.map(({ area, name }) => `${area}: ${name}`);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  expect(mutants.flatMap((mutant) => faultsOf(root, mutant))).toEqual([]);
});
