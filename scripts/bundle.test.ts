import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { currentBundle } from "./bundle.mjs";

const bundle = currentBundle();

/** The texts of templates with a tag stay as they are: their raw form may matter. */
it.skipIf(bundle === null)("V8 keeps the text of nearly all files of the bundle at one byte a character", () => {
  const texts = readdirSync(bundle!)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(path.join(bundle!, name), "utf8"));
  const isWide = (text: string) => /[\u0100-\uffff]/.test(text);
  const size = (of: string[]) => of.reduce((sum, { length }) => sum + length, 0);
  expect(size(texts.filter(isWide)) / size(texts)).toBeLessThan(0.1);
});
