import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { excerptOf, type ExcerptPart, markedText } from "./excerpt.ts";
import { rankSections } from "./ranking.ts";
import type { SearchIndex, SearchTerm } from "./search-index.ts";
import type { FoundSection, SearchScope } from "./search-page.ts";
import { queryWords, stemOf, termOf } from "./search-words.ts";
import { createSpelling, type Spelling } from "./spelling.ts";
import { isUnspaced } from "./words.ts";

/** One place of a site that a search leads to. */
export interface SearchResult {
  route: string;
  anchor: string | null;
  /** Title of the page. */
  title: ExcerptPart[];
  /** Heading of the section; null for the page as a whole. */
  heading: ExcerptPart[] | null;
  excerpt: ExcerptPart[];
}

export interface SearchOutcome {
  results: SearchResult[];
  /** Queries that find something, where this one finds nothing. */
  suggestions: string[];
}

export interface SearchRequest {
  query: string;
  scope: SearchScope;
  limit: number;
  /** Changes with what is indexed. */
  edition: string;
}

export type Search = (project: ProjectId, request: SearchRequest) => Promise<SearchOutcome>;

const CANDIDATES = 60;
const PER_PAGE = 3;
/** With fewer of all words than this, other spellings are looked for, and sections with some of the words. */
const FEW = 3;
/** Of all projects: about a hundred bytes each. */
const MAX_WORDS_KEPT = 1_000_000;
/** Reading 200,000 words takes a second of the thread that serves: not for each of the steps in which a site is indexed. */
const LARGE_VOCABULARY = 20_000;
const LARGE_KEPT_MS = 60_000;
const MAX_SUGGESTIONS = 3;

/**
 * Finds sections with all words of a query, each of them whole or begun. Where hardly one has them all, unknown words are
 * taken for the known ones that are spelt alike, and then some of the words are enough.
 */
export function createSearch({ index }: { index: Pick<SearchIndex, "find" | "vocabulary"> }): Search {
  const kept = createLruCache<ProjectId, KeptSpelling>({
    maxWeight: MAX_WORDS_KEPT,
    weigh: ({ words }) => words + 100,
  });
  const making = new Map<ProjectId, Promise<Spelling>>();

  async function make(project: ProjectId, edition: string): Promise<Spelling> {
    const vocabulary = await index.vocabulary(project);
    const spelling = createSpelling(vocabulary);
    kept.set(project, { edition, spelling, words: vocabulary.length, madeAtMs: performance.now() });
    return spelling;
  }
  async function spellingOf(project: ProjectId, edition: string): Promise<Spelling> {
    const known = kept.get(project);
    if (known !== undefined && (known.edition === edition || isGoodEnough(known))) return known.spelling;
    const already = making.get(project);
    if (already !== undefined) return await already;
    const made = make(project, edition).finally(() => making.delete(project));
    making.set(project, made);
    return await made;
  }

  return async (project, { query, scope, limit, edition }) => {
    const words = queryWords(query);
    if (words.length === 0) return { results: [], suggestions: [] };
    const find = (terms: readonly SearchTerm[], match: "all" | "any") =>
      index.find(project, { terms, match, scope, limit: CANDIDATES });

    let marked = words;
    let meant: string[][] = [];
    let found = await find(words.map(termOf), "all");
    if (found.length < FEW) {
      const spelling = await spellingOf(project, edition);
      meant = words.map((word) => spelling.similar(word).filter((each) => !each.startsWith(word)));
      const terms = words.map((word, at) => [
        ...termOf(word),
        ...(meant[at] ?? []).map((text) => ({ text, isPrefix: false })),
      ]);
      if (meant.some((each) => each.length > 0)) {
        // A word that the site has is what is meant first, rare as it is: it may be somebody else's mistake, too.
        const isKnown = (word: string) => spelling.has(word) || spelling.has(stemOf(word));
        marked = words.map((word, at) => (isKnown(word) ? word : (meant[at]?.[0] ?? word)));
        found = more(found, await find(terms, "all"));
      }
      if (found.length < FEW && words.length > 1) found = more(found, await find(terms, "any"));
    }
    const ranked = rankSections(found, marked);
    const shown = [...new Set([...words, ...words.map(stemOf), ...meant.flat()])].filter(saysEnough);
    const results = fewOfEachPage(ranked, limit).map((section) => resultOf(section, shown));
    return { results, suggestions: results.length > 0 ? [] : await suggest(words) };

    /** Other endings and neighbours of what was typed, as far as the site has them. */
    async function suggest(unknown: readonly string[]): Promise<string[]> {
      const spelling = await spellingOf(project, edition);
      const near = new Set<string>();
      for (const word of unknown) {
        if (near.size >= MAX_SUGGESTIONS) break;
        for (const each of [...spelling.similar(word.slice(0, -1)), ...spelling.similar(word)]) near.add(each);
      }
      return [...near].slice(0, MAX_SUGGESTIONS);
    }
  };
}

interface KeptSpelling {
  edition: string;
  spelling: Spelling;
  words: number;
  madeAtMs: number;
}

const isGoodEnough = ({ words, madeAtMs }: KeptSpelling): boolean =>
  words > LARGE_VOCABULARY && performance.now() - madeAtMs < LARGE_KEPT_MS;

/** One letter begins too many words for them all to be marked. */
const saysEnough = (word: string): boolean => word.length > 1 || isUnspaced(word);

function more(first: readonly FoundSection[], then: readonly FoundSection[]): FoundSection[] {
  const placeOf = ({ route, anchor, text }: FoundSection) => `${route}#${anchor ?? ""} ${text.slice(0, 100)}`;
  const known = new Set(first.map(placeOf));
  return [...first, ...then.filter((section) => !known.has(placeOf(section)))];
}

/** A long page does not push out the others; what several sections with one anchor have is one place. */
function fewOfEachPage(sections: readonly FoundSection[], limit: number): FoundSection[] {
  const anchors = new Map<string, Set<string | null>>();
  return sections
    .filter(({ route, anchor }) => {
      const known = anchors.get(route) ?? new Set();
      anchors.set(route, known);
      if (known.has(anchor) || known.size >= PER_PAGE) return false;
      known.add(anchor);
      return true;
    })
    .slice(0, limit);
}

function resultOf({ route, anchor, title, heading, text }: FoundSection, wanted: readonly string[]): SearchResult {
  return {
    route,
    anchor,
    title: markedText(title, wanted),
    heading: anchor === null ? null : markedText(heading, wanted),
    excerpt: excerptOf(text, wanted),
  };
}
