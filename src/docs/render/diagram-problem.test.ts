import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { diagramProblem } from "./diagram-problem.ts";

/** The library finds the kind of a diagram by such expressions. */
const DETECTOR = /\/\^\\s\*([^/]{2,80})\/[a-z]*\.test\(/g;

it("knows every kind of diagram that the library draws", () => {
  const library = readFileSync(fileURLToPath(import.meta.resolve("@mermaid-js/tiny")), "utf8");
  const kinds = [...library.matchAll(DETECTOR)].flatMap(([, written = ""]) =>
    written
      .replace(/\((?:\?:)?\[?.{0,10}\|\$\)$|\\b$/, "")
      .replaceAll(/\(([-A-Za-z]+)\)\?/g, "")
      .replace(/^\(|\)$/g, "")
      .split("|"),
  );
  expect(kinds.length).toBeGreaterThan(30);
  expect(kinds.filter((kind) => diagramProblem(`${kind} x\n`) !== null)).toEqual([]);
});
