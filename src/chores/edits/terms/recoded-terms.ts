import type { Root } from "mdast";
import { recodedTexts } from "./seen-neighbours.ts";
import type { TermMatch, TermMatcher } from "./term-matcher.ts";

/** Where escapes or character references hide an occurrence in the source: the offset of its text, once for each. */
export function recodedTerms(
  { source, root }: { source: string; root: Root },
  matcher: TermMatcher,
  found: readonly TermMatch[],
): number[] {
  const starts = found.map(({ start }) => start);
  let index = 0;
  return recodedTexts(source, root).flatMap(({ start, end, value }) => {
    let written = 0;
    for (; (starts[index] ?? Infinity) < end; index += 1) if ((starts[index] ?? 0) >= start) written += 1;
    const hidden = Math.max(0, matcher.matches(value).length - written);
    return Array.from({ length: hidden }, () => start);
  });
}
