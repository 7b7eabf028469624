import type { ProjectId } from "#lib/ids.ts";
import { createKeptSpellings } from "./kept-spellings.ts";
import { type PageVersion, withOtherVersions } from "./other-versions.ts";
import { pickResults } from "./pick-results.ts";
import { queryWords, stemOf, termOf } from "./query-words.ts";
import { rankSections } from "./ranking.ts";
import type { SearchIndex, SearchTerm } from "./search-index.ts";
import type { FoundSection, SearchScope } from "./search-page.ts";
import type { SearchResult } from "./search-result.ts";
import type { Spelling } from "./spelling.ts";
import { isUnspaced } from "./words.ts";

export interface SearchOutcome {
  results: SearchResult[];
  /** Queries that have results, if this one has none. */
  suggestions: string[];
}

export interface SearchRequest {
  query: string;
  scope: SearchScope;
  limit: number;
  /** Changes whenever the index does. */
  edition: string;
  /**
   * Returns the version of a page, null for a page of all versions. Set if a site has versions and the search names none:
   * results of the default version come first, and a section that several versions have is found once.
   */
  versionOf?: ((route: string) => PageVersion | null) | undefined;
}

export type Search = (project: ProjectId, request: SearchRequest) => Promise<SearchOutcome>;

/** A search of all versions of a site or of the default one. A thread can answer it: what it takes can be copied. */
export type IndexSearch = (
  project: ProjectId,
  request: Omit<SearchRequest, "versionOf"> & { isDefaultVersion: boolean },
) => Promise<SearchOutcome>;

interface SearchParts {
  index: Pick<SearchIndex, "find" | "vocabulary">;
  /** Waits for the project's turn: called before a search and each millisecond in it, so that others wait no longer. */
  pause?: (project: ProjectId) => Promise<void>;
}

const CANDIDATES = 60;
const TITLES = 20;
/** If fewer sections than this have all words, other spellings are tried, and then sections with some of the words. */
const MIN_RESULTS = 3;
const MAX_SUGGESTIONS = 3;
const STEP_MS = 1;

/**
 * Finds sections that contain all words of a query, as whole words or prefixes. If there are hardly any, unknown words are
 * replaced by known ones with a similar spelling, and then some of the words are enough.
 */
export function createIndexSearch({ index, pause = () => Promise.resolve() }: SearchParts): IndexSearch {
  const spellingOf = createKeptSpellings(index);

  return async (project, { query, scope, limit, edition, isDefaultVersion }) => {
    const rest = createRests(() => pause(project));
    const words = queryWords(query);
    if (words.length === 0) return { results: [], suggestions: [] };
    const find = async (terms: readonly SearchTerm[], match: "all" | "any", isOfTitles = false) => {
      await rest();
      const limitOfIndex = isOfTitles ? TITLES : CANDIDATES;
      return await index.find(project, { terms, match, scope, isDefaultVersion, isOfTitles, limit: limitOfIndex });
    };

    const written = words.map(({ text }) => text);
    let marked = written;
    const meant: string[][] = [];
    let found = await find(words.map(termOf), "all");
    // A full list may lack the page with that title: engines value a word less the longer the page is.
    if (found.length === CANDIDATES) found = union(found, await find(words.map(termOf), "all", true));
    if (found.length < MIN_RESULTS) {
      const spelling = await spellingOf(project, edition);
      for (const word of written) {
        await rest(); // up to 10 ms for a word
        meant.push(spelling.similar(word).filter((each) => !each.startsWith(word)));
      }
      const terms = words.map((word, at) => [
        ...termOf(word),
        ...(meant[at] ?? []).map((text) => ({ text, isPrefix: false })),
      ]);
      if (meant.some((each) => each.length > 0)) {
        // A word that the site contains is meant literally first, even if it is rare: it may also be a mistake of an author.
        const isKnown = (word: string) => spelling.has(word) || spelling.has(stemOf(word));
        marked = written.map((word, at) => (isKnown(word) ? word : (meant[at]?.[0] ?? word)));
        found = union(found, await find(terms, "all"));
      }
      if (found.length < MIN_RESULTS && words.length > 1) found = union(found, await find(terms, "any"));
    }
    const searchWords = [
      ...new Set([...written, ...written.map(stemOf), ...words.flatMap((word) => word.joined), ...meant.flat()]),
    ].filter(isMarkable);
    const results = await pickResults(rankSections(found, marked), {
      limit,
      searchWords,
      pause: rest,
    });
    if (results.length > 0) return { results, suggestions: [] };
    return { results, suggestions: suggestionsFor(written, await spellingOf(project, edition)) };
  };
}

export const createSearch = (parts: SearchParts): Search => withVersions(createIndexSearch(parts));

/** Lets a search of an index take the versions of a site into account. */
export const withVersions =
  (search: IndexSearch): Search =>
  async (project, { versionOf, ...request }) => {
    if (versionOf === undefined) return await search(project, { ...request, isDefaultVersion: false });
    const first = await search(project, { ...request, isDefaultVersion: true });
    if (first.results.length >= request.limit) return first;
    const all = await search(project, { ...request, limit: CANDIDATES, isDefaultVersion: false });
    return { ...all, results: withOtherVersions(first.results, all.results, versionOf).slice(0, request.limit) };
  };

/** Pauses if the last pause ended more than a millisecond ago. */
function createRests(pause: () => Promise<void>): () => Promise<void> {
  let since = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - since < STEP_MS) return;
    await pause();
    since = performance.now();
  };
}

/** One letter begins too many words to mark them all. */
const isMarkable = (word: string): boolean => word.length > 1 || isUnspaced(word);

/** The sections of both, without duplicates. */
function union(first: readonly FoundSection[], then: readonly FoundSection[]): FoundSection[] {
  const placeOf = ({ route, anchor, text }: FoundSection) => `${route}#${anchor ?? ""} ${text.slice(0, 100)}`;
  const known = new Set(first.map(placeOf));
  return [...first, ...then.filter((section) => !known.has(placeOf(section)))];
}

/** Queries with other endings and similar words, as far as the site contains them. */
function suggestionsFor(written: readonly string[], spelling: Spelling): string[] {
  const near = new Set<string>();
  for (const word of written) {
    if (near.size >= MAX_SUGGESTIONS) break;
    for (const each of [...spelling.similar(word.slice(0, -1)), ...spelling.similar(word)]) near.add(each);
  }
  return [...near].slice(0, MAX_SUGGESTIONS);
}
