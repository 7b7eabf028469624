import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { DialectName } from "#docs/dialect.ts";
import { readFrontMatter } from "#docs/front-matter.ts";
import { homePage } from "#docs/markup/home-page.ts";
import type { HrefUse } from "#docs/hrefs.ts";
import type { TextRange } from "#docs/nodes.ts";

/** Where a home page in front matter has addresses; `*` is each item of a list. */
const ADDRESSES: readonly (readonly [use: HrefUse, path: readonly string[]])[] = [
  ["link", ["hero", "actions", "*", "link"]],
  ["link", ["features", "*", "link"]],
  ["source", ["hero", "image"]],
  ...["src", "file", "light", "dark"].flatMap((name): [HrefUse, string[]][] => [
    ["source", ["hero", "image", name]],
    ["source", ["features", "*", "icon", name]],
  ]),
];

/** The addresses that a page shows from its front matter, with their ranges in the source. */
export function frontMatterLinks(source: string, dialect: DialectName): (TextRange & { url: string; use: HrefUse })[] {
  if (dialect !== "vitepress" && dialect !== "starlight") return [];
  const { attributes, range, problem } = readFrontMatter(source);
  if (range === null || problem !== null || homePage(attributes, dialect) === null) return [];
  const { contents } = parseDocument(source.slice(range.start, range.end), { logLevel: "silent", uniqueKeys: false });
  return ADDRESSES.flatMap(([use, path]) =>
    scalarsAt(contents, path).flatMap(({ value, start }) => {
      const from = range.start + start;
      // A text with escapes has no range of its own.
      const at = [from, from + 1].find((each) => source.startsWith(value, each));
      return at === undefined ? [] : [{ use, url: value, start: at, end: at + value.length }];
    }),
  );
}

function scalarsAt(node: unknown, [name, ...rest]: readonly string[]): { value: string; start: number }[] {
  if (name === undefined)
    return isScalar(node) && typeof node.value === "string" && node.value !== "" && node.range
      ? [{ value: node.value, start: node.range[0] }]
      : [];
  if (name === "*") return isSeq(node) ? node.items.flatMap((item) => scalarsAt(item, rest)) : [];
  return isMap(node) ? scalarsAt(node.get(name, true), rest) : [];
}
