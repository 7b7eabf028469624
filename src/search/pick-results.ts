import { markedText, partsText, sectionExcerpt } from "./excerpt.ts";
import type { RankedSection } from "./ranking.ts";
import type { FoundSection } from "./search-page.ts";
import type { SearchResult } from "./search-result.ts";

/** Weights of a page's first, second and third result: other pages come first, unless they match poorly. */
const OF_SAME_PAGE = [1, 0.6, 0.4];

/** Picks the results to show from ranked sections, with matches marked. `pause` may let others use the thread. */
export async function pickResults(
  ranked: readonly RankedSection[],
  { limit, searchWords, pause }: { limit: number; searchWords: readonly string[]; pause: () => Promise<void> },
): Promise<SearchResult[]> {
  const results: SearchResult[] = [];
  const read = new Set<string>();
  for (const section of spreadOverPages(ranked)) {
    if (results.length >= limit) break;
    await pause(); // an excerpt reads up to 8,000 characters
    const result = resultOf(section, searchWords);
    const words = wordsOf(result);
    if (words !== null && read.has(words)) continue;
    if (words !== null) read.add(words);
    results.push(result);
  }
  return results;
}

/** Several sections with one anchor count as one place, and a long page does not displace the others. */
function spreadOverPages(ranked: readonly RankedSection[]): FoundSection[] {
  const anchors = new Map<string, Set<string | null>>();
  return ranked
    .flatMap(({ section, score }) => {
      const known = anchors.get(section.route) ?? new Set();
      anchors.set(section.route, known);
      const share = known.has(section.anchor) ? undefined : OF_SAME_PAGE[known.size];
      if (share === undefined) return [];
      known.add(section.anchor);
      return [{ section, score: score * share }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section);
}

/**
 * What makes two results look the same to a reader: the excerpt, such as a response that many operations share; and the name, if
 * it matches the query. Null for a result without an excerpt.
 */
function wordsOf({ title, heading, excerpt }: SearchResult): string | null {
  const text = partsText(excerpt).trim();
  if (text === "") return null;
  const name = heading ?? title;
  const isNamedSo = name.some(({ isMatch }) => isMatch);
  return isNamedSo ? `${heading === null ? "page" : "section"} ${partsText(name)}\n${text}` : `\n${text}`;
}

function resultOf(section: FoundSection, searchWords: readonly string[]): SearchResult {
  const { route, anchor, title, heading } = section;
  return {
    route,
    anchor,
    title: markedText(title, searchWords),
    heading: anchor === null ? null : markedText(heading, searchWords),
    excerpt: sectionExcerpt(section, searchWords),
  };
}
