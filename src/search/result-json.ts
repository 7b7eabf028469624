import { type ExcerptPart, partsText } from "./excerpt.ts";
import type { SearchResult } from "./search-result.ts";

/** A result for programs: plain texts, and the ranges of the matches in them, `[start, end)` in UTF-16 units. */
export function resultJson({ route, anchor, title, heading, excerpt }: SearchResult) {
  return {
    href: anchor === null ? route : `${route}#${encodeURIComponent(anchor)}`,
    page: route,
    title: partsText(title),
    heading: heading === null ? null : partsText(heading),
    excerpt: partsText(excerpt),
    matches: { title: matchesIn(title), heading: matchesIn(heading ?? []), excerpt: matchesIn(excerpt) },
  };
}

function matchesIn(parts: readonly ExcerptPart[]): [start: number, end: number][] {
  const matches: [number, number][] = [];
  let at = 0;
  for (const { text, isMatch } of parts) {
    if (isMatch) matches.push([at, at + text.length]);
    at += text.length;
  }
  return matches;
}
