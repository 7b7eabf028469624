import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SCREENS } from "#test/support/showcase/screens.ts";

const DOCS = path.join(import.meta.dirname, "..", "docs");
const IMAGES = globSync("images/*.webp", { cwd: DOCS }).map((file) => path.basename(file, ".webp"));
const pages = globSync("**/*.{md,mdx}", { cwd: DOCS }).map((file) => readFileSync(path.join(DOCS, file), "utf8"));
const shown = pages.flatMap((text) => [...text.matchAll(/!\[([^\]]*)\]\(\/images\/([\w-]+)\.webp\)/g)]);

it("the documentation shows every picture of a screen, and none that cannot be taken again", () => {
  const taken = SCREENS.filter(({ picture }) => picture).map(({ name }) => name);
  expect(IMAGES.toSorted()).toEqual(taken.toSorted());
  expect([...new Set(shown.map(([, , name = ""]) => name))].toSorted()).toEqual(taken.toSorted());
});

it("every picture says in words what it shows", () => {
  expect(shown.length).toBeGreaterThan(25);
  expect(shown.filter(([, words = ""]) => words.length <= 40).map(([markdown]) => markdown)).toEqual([]);
});

it("all pictures together are smaller than 2 MB", () => {
  const bytes = IMAGES.map((name) => statSync(path.join(DOCS, "images", `${name}.webp`)).size);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(2_000_000);
});
