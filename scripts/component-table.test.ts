import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { COMPONENTS } from "#content/components/registry.ts";
import { docsPage, withComponentTable } from "./component-table.ts";

test("the documentation names every component with every attribute; `npm run fix` writes it", () => {
  const docs = readFileSync(docsPage, "utf8");
  expect(withComponentTable(docs)).toBe(docs);
  for (const { names, attributes } of COMPONENTS) {
    const row = docs.split("\n").find((line) => line.startsWith(`| \`${names[0]}\``)) ?? "";
    for (const name of [...names, ...Object.keys(attributes)]) expect(row).toContain(`\`${name}\``);
  }
});
