import type { ProjectId } from "#lib/ids.ts";
import type { FoundSection, IndexedPage, SearchPage, SearchScope, SearchSection } from "./search-page.ts";
import { namedWords } from "./words.ts";

/** A search term: several spellings, each of which matches a whole word or a prefix. */
export type SearchTerm = readonly { text: string; isPrefix: boolean }[];

export interface IndexQuery {
  terms: readonly SearchTerm[];
  /** Whether a section has to have every term, or any. */
  match: "all" | "any";
  scope: SearchScope;
  /** Leaves out pages of versions other than the default one. */
  isDefaultVersion?: boolean;
  /** Finds only pages, by the words of their titles. */
  isOfTitles?: boolean;
  limit: number;
}

/**
 * The sections of all published pages, by their words. Projects are isolated: no query finds or weighs the content of another
 * project.
 */
export interface SearchIndex extends AsyncDisposable {
  /** The indexed pages, by route. */
  pages(project: ProjectId): Promise<ReadonlyMap<string, IndexedPage>>;
  /** Replaces pages with the same route and removes others, atomically. */
  change(project: ProjectId, change: { put: readonly SearchPage[]; remove: readonly string[] }): Promise<void>;
  /** The best sections by the weight of their matches: title before heading, heading before text. */
  find(project: ProjectId, query: IndexQuery): Promise<FoundSection[]>;
  /** Words of the project's pages, the most frequent ones first; at most 200,000. */
  vocabulary(project: ProjectId): Promise<readonly string[]>;
  /**
   * Runs `work` unless another process works on the project; returns whether it ran. `work` calls `stillOurs` from time to
   * time to keep its claim, and stops if that returns false.
   */
  alone(project: ProjectId, work: (stillOurs: () => Promise<boolean>) => Promise<void>): Promise<boolean>;
  /** Deletes the index of the project. */
  remove(project: ProjectId): Promise<void>;
}

export const MAX_VOCABULARY = 200_000;
/** Words per section. A section has at most 4,000 characters, and in Chinese each character counts as a word. */
export const MAX_SECTION_WORDS = 4_000;

/**
 * The weight of a match by its place: the page's title, a heading, the context of the section (title of its page, words of the
 * path), the text, and reference content.
 */
export const FIELD_WEIGHTS = { title: 8, heading: 4, context: 2, text: 1, reference: 0.2 } as const;

export type Field = keyof typeof FIELD_WEIGHTS;

/** The words of a section by their place, for an engine. */
export function fieldWords(
  { route, title, keywords, isReference }: Pick<SearchPage, "route" | "title" | "keywords" | "isReference">,
  { anchor, heading, text, reference }: SearchSection,
): Record<Field, string[]> {
  const words = (written: string) => namedWords(written, MAX_SECTION_WORDS).map((word) => word.text);
  if (anchor === null) {
    return {
      title: words(title),
      heading: words(keywords),
      context: words(routeText(route)),
      text: words(text),
      reference: words(reference),
    };
  }
  // Otherwise parameters and responses of an API would come before every text about it, through the name of their page.
  return {
    title: [],
    heading: words(heading),
    context: isReference ? [] : words(title),
    text: words(text),
    reference: [...(isReference ? words(title) : []), ...words(reference)],
  };
}

/** A route as words: `/lib/next-js` is `lib next-js`. */
export const routeText = (route: string): string => decodeURIComponent(route).replaceAll("/", " ").trim();

/** Marks words that are not from a page, with a character that page words cannot contain and engines treat as a letter. */
const MARK = "\ue000";
/** Added to the sections of versions other than the default one. */
export const OTHER_VERSION = `${MARK}o`;

/** Words that find a section by its part of the site. */
export function scopeWords({ language, version }: SearchScope): { language: string; version: string } {
  return { language: `${MARK}l${hexOf(language)}`, version: `${MARK}v${hexOf(version)}` };
}

export const projectWord = (project: ProjectId): string => `${MARK}p${hexOf(project)}`;
export const isPlainWord = (word: string): boolean => !word.startsWith(MARK);

function hexOf(text: string | null): string {
  return text === null ? "" : `x${Buffer.from(text.toLowerCase()).toString("hex").slice(0, 60)}`;
}
