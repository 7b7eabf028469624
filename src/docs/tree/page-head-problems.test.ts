import { expect, it } from "vitest";
import type { DialectName } from "#docs/dialect.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { headProblems } from "./page-head-problems.ts";

it.each<[written: string, message: string | null, dialect?: DialectName]>([
  ["boost: 3", '"boost" in the front matter has no effect.'],
  ["boost: 3", null, "docusaurus"],
  ["boost: 3", null, "plain"],
  ['related: ["/a"]', '"related" in the front matter has no effect.'],
  ["related: false", null],
  ["searchable: false", null],
  ["descripton: Typo", '"descripton" in the front matter has no effect. Did you mean "description"?'],
  ["product: Own key", null],
  ["description: [a, b]", '"description" in the front matter is left out: it is not a text.'],
  ["tag: {a: b}", '"tag" in the front matter is left out: it is not a text.'],
  [`sidebar_label: ${"a".repeat(501)}`, 'Of "sidebar_label" in the front matter the first 500 characters are shown.'],
  ["deprecated: true", null],
])("of the front matter %s reports %j", (written, message, dialect = "native") => {
  const source = `---\nlayout: x\n${written}\n---\n# A\n`;
  const expected = message === null ? [] : [{ line: 3, message }];
  expect(headProblems(source, readFrontMatter(source), dialect)).toEqual(expected);
});
