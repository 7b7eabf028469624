import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { markedText, sectionExcerpt, partsText } from "./excerpt.ts";
import { newestFirst, type PageVersion } from "./over-versions.ts";
import { type RankedSection, rankSections } from "./ranking.ts";
import type { SearchIndex, SearchTerm } from "./search-index.ts";
import type { FoundSection, SearchScope } from "./search-page.ts";
import { queryWords, stemOf, termOf } from "./search-words.ts";
import type { SearchResult } from "./search-result.ts";
import { createSpelling, type Spelling } from "./spelling.ts";
import { isUnspaced } from "./words.ts";

export interface SearchOutcome {
  results: SearchResult[];
  /** Queries that find something, where this one finds nothing. */
  suggestions: string[];
}

export interface SearchRequest {
  query: string;
  scope: SearchScope;
  /**
   * For a site with versions where none is asked for: the version of a page, null for a page of all. Results of the default
   * one come first, and a section that several have is found once.
   */
  versionOf?: ((route: string) => PageVersion | null) | undefined;
  limit: number;
  /** Changes with what is indexed. */
  edition: string;
}

export type Search = (project: ProjectId, request: SearchRequest) => Promise<SearchOutcome>;

const CANDIDATES = 60;
const TITLES = 20;
/** What the second and third place of a page among the results are worth: other pages come first, unless they hardly fit. */
const OF_SAME_PAGE = [1, 0.6, 0.4];
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

  async function searchIn(
    project: ProjectId,
    { query, scope, limit, edition }: SearchRequest,
    isDefaultVersion: boolean,
  ): Promise<SearchOutcome> {
    const words = queryWords(query);
    if (words.length === 0) return { results: [], suggestions: [] };
    const find = (terms: readonly SearchTerm[], match: "all" | "any", isOfTitles = false) =>
      index.find(project, {
        terms,
        match,
        scope,
        isDefaultVersion,
        isOfTitles,
        limit: isOfTitles ? TITLES : CANDIDATES,
      });

    const written = words.map(({ text }) => text);
    let marked = written;
    let meant: string[][] = [];
    let found = await find(words.map(termOf), "all");
    // Of more than that, what is called so may be missing: engines value a word less the longer the page is.
    if (found.length === CANDIDATES) found = more(found, await find(words.map(termOf), "all", true));
    if (found.length < FEW) {
      const spelling = await spellingOf(project, edition);
      meant = written.map((word) => spelling.similar(word).filter((each) => !each.startsWith(word)));
      const terms = words.map((word, at) => [
        ...termOf(word),
        ...(meant[at] ?? []).map((text) => ({ text, isPrefix: false })),
      ]);
      if (meant.some((each) => each.length > 0)) {
        // A word that the site has is what is meant first, rare as it is: it may be somebody else's mistake, too.
        const isKnown = (word: string) => spelling.has(word) || spelling.has(stemOf(word));
        marked = written.map((word, at) => (isKnown(word) ? word : (meant[at]?.[0] ?? word)));
        found = more(found, await find(terms, "all"));
      }
      if (found.length < FEW && words.length > 1) found = more(found, await find(terms, "any"));
    }
    const ranked = rankSections(found, marked);
    const shown = [
      ...new Set([...written, ...written.map(stemOf), ...words.flatMap(({ joined }) => joined), ...meant.flat()]),
    ].filter(saysEnough);
    const results = distinct(spread(ranked), { limit, wanted: shown });
    return { results, suggestions: results.length > 0 ? [] : await suggest(written) };

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
  }

  return async (project, request) => {
    const { versionOf, limit } = request;
    if (versionOf === undefined) return await searchIn(project, request, false);
    const first = await searchIn(project, request, true);
    if (first.results.length >= limit) return first;
    const all = await searchIn(project, { ...request, limit: CANDIDATES }, false);
    return { ...all, results: newestFirst(first.results, all.results, versionOf).slice(0, limit) };
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

/** What several sections with one anchor have is one place; a long page does not push out the others. */
function spread(ranked: readonly RankedSection[]): FoundSection[] {
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

/** What reads the same, such as an answer that many operations give, once; what is called as was searched for, each. */
function distinct(
  sections: readonly FoundSection[],
  { limit, wanted }: { limit: number; wanted: readonly string[] },
): SearchResult[] {
  const results: SearchResult[] = [];
  const read = new Set<string>();
  for (const section of sections) {
    if (results.length >= limit) break;
    const result = resultOf(section, wanted);
    const { title, heading, excerpt } = result;
    const name = heading ?? title;
    const isCalledSo = name.some(({ isMatch }) => isMatch);
    const text = partsText(excerpt).trim();
    const called = isCalledSo ? `${heading === null ? "page" : "section"} ${partsText(name)}` : "";
    const words = `${called}\n${text}`;
    if (text !== "" && read.has(words)) continue;
    read.add(words);
    results.push(result);
  }
  return results;
}

function resultOf(section: FoundSection, wanted: readonly string[]): SearchResult {
  const { route, anchor, title, heading } = section;
  return {
    route,
    anchor,
    title: markedText(title, wanted),
    heading: anchor === null ? null : markedText(heading, wanted),
    excerpt: sectionExcerpt(section, wanted),
  };
}
