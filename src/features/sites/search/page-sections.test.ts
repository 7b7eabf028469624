import { expect, test } from "vitest";
import { pageSections } from "./page-sections.ts";

test("a long text without headings is split into sections that together contain every word", () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`);
  const sections = pageSections({ html: `<p>${words.join(" ")}</p>`, headings: [] }, null);
  expect(sections.length).toBeGreaterThan(1);
  expect(
    sections
      .map(({ text }) => text)
      .join(" ")
      .split(" "),
  ).toEqual(words);
});
