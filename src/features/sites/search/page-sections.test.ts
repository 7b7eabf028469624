import { expect, test } from "vitest";
import { pageSections } from "./page-sections.ts";

test("a long text without headings is several sections that together have every word of it", () => {
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
