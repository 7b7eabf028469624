import { routeText } from "./search-index.ts";
import type { FoundSection } from "./search-page.ts";
import { stemOf, withoutFillers } from "./query-words.ts";
import { namedWords, textWords } from "./words.ts";

/** The score of a match by its place: of a whole word, and of a prefix. */
const SCORES = { title: [10, 6], heading: [9, 5], context: [3, 2], path: [4, 1] } as const;
const SAME_TITLE = 28;
const SAME_HEADING = 14;
const SAME_PATH = 12;
const BEGINS_HEADING = 5;
const ONLY_WORDS = 5;
const OTHER_FORM = 3;
const IN_ORDER = 4;
/** Factors for the page of an operation and its sections, whose headings (“Responses”) are not names that people search for. */
const OF_REFERENCE_PAGE = 0.7;
const OF_REFERENCE = 0.4;
/** The score of the engine's first section; the following ones get less and less. */
const ENGINE = 12;

export interface RankedSection {
  section: FoundSection;
  score: number;
}

/**
 * Orders an engine's results as readers expect: the page or section whose name is the query comes first, on either engine.
 * Engines weigh words, but not whether two words are next to each other in a heading, or are all of it.
 */
export function rankSections(found: readonly FoundSection[], searchWords: readonly string[]): RankedSection[] {
  return found
    .map((section, index) => {
      const score = scoreOf(section, searchWords) + ENGINE / (1 + index / 4);
      return { section, score: score * shareOf(section) };
    })
    .sort((a, b) => b.score - a.score);
}

const shareOf = ({ isReference, anchor }: FoundSection): number =>
  !isReference ? 1 : anchor === null ? OF_REFERENCE_PAGE : OF_REFERENCE;

function scoreOf({ route, anchor, title, heading }: FoundSection, searchWords: readonly string[]): number {
  const isPage = anchor === null;
  const name = isPage ? title : heading;
  const own = namesIn(name);
  const around = namesIn(isPage ? "" : title);
  const path = namesIn(isPage ? routeText(route) : "");
  let score = 0;
  for (const word of searchWords) {
    score += Math.max(
      wordScore(own, word, isPage ? SCORES.title : SCORES.heading),
      wordScore(around, word, SCORES.context),
      wordScore(path, word, SCORES.path),
    );
  }
  score += orderScore(name, searchWords, isPage ? SAME_TITLE : SAME_HEADING);
  if (isPage && joined(routeText(route).split(" ").at(-1) ?? "") === searchWords.join("")) score += SAME_PATH;
  return score / Math.max(1, Math.sqrt(searchWords.length));
}

const joined = (text: string): string =>
  textWords(text)
    .map((word) => word.text)
    .join("");

const namesIn = (text: string): string[] => namedWords(text).map((word) => word.text);

/** Score for the words in order, at the beginning of a name or as the whole name: `nextjs` is the whole of `Next.js`. */
function orderScore(name: string, searchWords: readonly string[], all: number): number {
  const own = withoutFillers(textWords(name)).map((word) => word.text);
  if (searchWords.length === 0 || own.length === 0) return 0;
  const ofOrder = searchWords.length > 1 ? IN_ORDER : 0;
  if (own.join("") === searchWords.join("")) return all + ofOrder;
  if (own.map(stemOf).join(" ") === searchWords.map(stemOf).join(" ")) return all + ofOrder - OTHER_FORM;
  const only = own.every((word) => searchWords.some((each) => stemOf(each) === stemOf(word))) ? ONLY_WORDS : 0;
  const first = own.findIndex((_, at) => searchWords.every((word, index) => begins(own[at + index], word)));
  if (first === -1) return own.join("").startsWith(searchWords.join("")) ? BEGINS_HEADING : only;
  return only + ofOrder + (first === 0 ? BEGINS_HEADING : 0);
}

const begins = (word: string | undefined, searchWords: string): boolean =>
  word !== undefined && (word.startsWith(searchWords) || stemOf(word) === stemOf(searchWords));

function wordScore(
  words: readonly string[],
  searchWords: string,
  [whole, beginning]: readonly [number, number],
): number {
  if (words.includes(searchWords)) return whole;
  const stem = stemOf(searchWords);
  if (words.some((word) => stemOf(word) === stem)) return (whole + beginning) / 2;
  return words.some((word) => word.startsWith(stem)) ? beginning : 0;
}
