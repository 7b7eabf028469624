import type { FoundSection } from "./search-page.ts";
import { textWords } from "./words.ts";

/** What each place of a word is worth: the whole word, and the beginning of one. */
const WORTH = { title: [10, 6], heading: [9, 5], context: [3, 2] } as const;
const SAME_TITLE = 18;
const SAME_HEADING = 14;
const BEGINS_HEADING = 5;
const IN_ORDER = 4;
const MIN_STEM = 5;
/** Of what an engine found first; those behind get a share of it. */
const ENGINE = 12;

/**
 * Orders what an engine found as readers expect: the page or section that is called what they wrote comes first, on
 * whatever engine. Engines weigh words; that two words stand together in a heading, or are all of it, they do not see.
 */
export function rankSections(found: readonly FoundSection[], wanted: readonly string[]): FoundSection[] {
  return found
    .map((section, index) => ({ section, score: scoreOf(section, wanted) + ENGINE / (1 + index / 4) }))
    .sort((a, b) => b.score - a.score)
    .map(({ section }) => section);
}

function scoreOf({ anchor, title, heading }: FoundSection, wanted: readonly string[]): number {
  const isPage = anchor === null;
  const own = textWords(isPage ? title : heading).map(({ text }) => text);
  const around = isPage ? [] : textWords(title).map(({ text }) => text);
  const worth = isPage ? WORTH.title : WORTH.heading;
  let score = 0;
  for (const word of wanted) score += Math.max(worthIn(own, word, worth), worthIn(around, word, WORTH.context));
  const first = own.findIndex((word) => wanted[0] !== undefined && word.startsWith(wanted[0]));
  const isInOrder = first !== -1 && wanted.every((word, index) => own[first + index]?.startsWith(word));
  if (isInOrder && wanted.length > 1) score += IN_ORDER;
  if (isInOrder && first === 0)
    score += own.length !== wanted.length ? BEGINS_HEADING : isPage ? SAME_TITLE : SAME_HEADING;
  return score / Math.max(1, Math.sqrt(wanted.length));
}

function worthIn(words: readonly string[], wanted: string, [whole, beginning]: readonly [number, number]): number {
  if (words.includes(wanted)) return whole;
  // “erase” is in “erasing” but for its last letter.
  const start = wanted.length >= MIN_STEM ? wanted.slice(0, -1) : wanted;
  return words.some((word) => word.startsWith(start)) ? beginning : 0;
}
