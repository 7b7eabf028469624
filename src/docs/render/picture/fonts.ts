import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** First and last code point, both included. */
type Range = [first: number, last: number];

/** A file of a family that has the characters of some ranges. */
export interface FontFile {
  family: string;
  path: string;
  ranges: Range[];
}

/** Inter and Noto Sans (SIL Open Font License), each with the scripts that it covers here. */
const FAMILIES: readonly [family: string, name: string, subsets: readonly string[]][] = [
  ["Inter", "inter", ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"]],
  ["Noto Sans Hebrew", "noto-sans-hebrew", ["hebrew"]],
  ["Noto Sans Arabic", "noto-sans-arabic", ["arabic"]],
];

/** The families in the order in which they are searched for a character. */
export const FONT_FAMILIES = FAMILIES.map(([family]) => family).join(", ");

export function fontFiles(): FontFile[] {
  const require = createRequire(import.meta.url);
  return FAMILIES.flatMap(([family, name, subsets]) => {
    const text = readFileSync(require.resolve(`@fontsource-variable/${name}/unicode.json`), "utf8");
    const ranges = JSON.parse(text) as Record<string, string>;
    return subsets.map((subset) => ({
      family,
      path: require.resolve(`@fontsource-variable/${name}/files/${name}-${subset}-wght-normal.woff2`),
      ranges: rangesOf(ranges[subset] ?? ""),
    }));
  });
}

/** `U+0301,U+0400-045F`, as style sheets write it. */
function rangesOf(written: string): Range[] {
  return Array.from(written.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g), ([, first = "", last = first]): Range => [
    Number.parseInt(first, 16),
    Number.parseInt(last, 16),
  ]);
}

/** Whether the fonts have all characters of a text: missing ones would be boxes. */
export function createCanDraw(): (text: string) => boolean {
  const ranges = fontFiles().flatMap((file) => file.ranges);
  return (text) =>
    Array.from(text).every((character) => {
      const code = character.codePointAt(0) ?? 0;
      return ranges.some(([first, last]) => code >= first && code <= last);
    });
}
