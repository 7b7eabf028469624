/** A part of a page that a search can find: the content below one heading. */
export interface SearchSection {
  /** Id of its heading; null for the content above the first one. */
  anchor: string | null;
  /** The heading; "" above the first one. */
  heading: string;
  text: string;
  /** Code, and the description of an API: also searched, but ranked after the text. */
  reference: string;
}

/** A page to be indexed. */
export interface SearchPage {
  route: string;
  title: string;
  /** Additional words to find it by, from its author; "" for none. */
  keywords: string;
  /** Whether it documents an operation of an API: pages that explain come first. */
  isReference: boolean;
  language: string | null;
  version: string | null;
  /** 0 for pages of the default version or of none; other versions are counted in the order of the navigation. */
  versionRank: number;
  /** Changes with everything that is indexed of the page. */
  key: string;
  /** Files that it includes, so that its key can be computed without rendering it. */
  includes: readonly string[];
  sections: readonly SearchSection[];
}

/** What an index stores of a page, to decide whether it has to be indexed again. */
export type IndexedPage = Pick<SearchPage, "key" | "includes">;

/** The part of a site to search: pages without a language or version are in every part. Null: all parts. */
export interface SearchScope {
  language: string | null;
  version: string | null;
}

/** A section that an engine found. Results are ordered best first. */
export interface FoundSection extends SearchSection {
  route: string;
  title: string;
  /** Whether the page is a reference page. */
  isReference: boolean;
}
