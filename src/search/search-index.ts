import type { ProjectId } from "#lib/ids.ts";
import type { FoundSection, IndexedPage, SearchPage, SearchScope, SearchSection } from "./search-page.ts";
import { namedWords } from "./words.ts";

/** A word to be found: one of several spellings, each the beginning of a word or a whole one. */
export type SearchTerm = readonly { text: string; isPrefix: boolean }[];

export interface IndexQuery {
  terms: readonly SearchTerm[];
  /** Whether a section has to have every term, or any. */
  match: "all" | "any";
  scope: SearchScope;
  /** Leaves out the pages of versions that are not the default one. */
  isDefaultVersion?: boolean;
  /** Finds only pages, by the words of their titles. */
  isOfTitles?: boolean;
  limit: number;
}

/**
 * The sections of all published pages, by their words. Each project is on its own: nothing that is asked of one finds
 * or weighs what another has.
 */
export interface SearchIndex extends AsyncDisposable {
  /** What is indexed, by route. */
  pages(project: ProjectId): Promise<ReadonlyMap<string, IndexedPage>>;
  /** Puts pages in place of those of the same route and takes others out, all at once or not at all. */
  change(project: ProjectId, change: { put: readonly SearchPage[]; remove: readonly string[] }): Promise<void>;
  /** The best sections by the weight of what matches: title before heading, heading before text. */
  find(project: ProjectId, query: IndexQuery): Promise<FoundSection[]>;
  /** Words of the project's pages, the most frequent ones first; at most 200,000. */
  vocabulary(project: ProjectId): Promise<readonly string[]>;
  /**
   * Runs `work` unless another process works on the project; returns whether it ran. `work` calls `stillOurs` from time to
   * time to keep its claim, and stops if that returns false.
   */
  alone(project: ProjectId, work: (stillOurs: () => Promise<boolean>) => Promise<void>): Promise<boolean>;
  /** Forgets the project. */
  remove(project: ProjectId): Promise<void>;
}

export const MAX_VOCABULARY = 200_000;
/** Of one section; a page's long sections are several. */
export const MAX_SECTION_WORDS = 2_000;

/**
 * How much a match says, by where it is: of the page's title, a heading, what surrounds the section (title of its page, words
 * of the path), the text, and what is only for reference.
 */
export const FIELD_WEIGHTS = { title: 8, heading: 4, context: 2, text: 1, reference: 0.2 } as const;

export type Field = keyof typeof FIELD_WEIGHTS;

/** The words of a section by where they are, as an engine takes them. */
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
  // Parameters and answers of an API would come before every text on it if the name of their page were theirs.
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

/** Marks what is no word of a page: a character that words cannot have, and that engines take for a letter. */
const MARK = "\ue000";
/** Of the sections of versions that are not the default one. */
export const OTHER_VERSION = `${MARK}o`;

/** Words by which a section is found in its part of a site. */
export function scopeWords({ language, version }: SearchScope): { language: string; version: string } {
  return { language: `${MARK}l${hexOf(language)}`, version: `${MARK}v${hexOf(version)}` };
}

export const projectWord = (project: ProjectId): string => `${MARK}p${hexOf(project)}`;
export const isPlainWord = (word: string): boolean => !word.startsWith(MARK);

function hexOf(text: string | null): string {
  return text === null ? "" : `x${Buffer.from(text.toLowerCase()).toString("hex").slice(0, 60)}`;
}
