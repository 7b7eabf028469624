/** A part of a page that a search can lead to: what stands below one heading. */
export interface SearchSection {
  /** Id of its heading; null for what stands above the first one. */
  anchor: string | null;
  /** The heading; "" above the first one. */
  heading: string;
  text: string;
  /** Code, and what the description of an API says: found too, but after what the text says. */
  reference: string;
}

/** A page as the index takes it. */
export interface SearchPage {
  route: string;
  title: string;
  /** Further words that its author wants it found by; "" for none. */
  keywords: string;
  /** It documents an operation of an API: pages that teach come first. */
  isReference: boolean;
  language: string | null;
  version: string | null;
  /** 0 for pages of the default version and of none; those of other versions are counted in the order of the navigation. */
  versionRank: number;
  /** Changes with all that is indexed of the page. */
  key: string;
  /** Files that were read for it besides its own, so that its key can be told without rendering it. */
  includes: readonly string[];
  sections: readonly SearchSection[];
}

/** What an index remembers of a page, to tell whether it has to be indexed again. */
export type IndexedPage = Pick<SearchPage, "key" | "includes">;

/** Of which part of a site results come: pages of no language or version are in every part. Null: of all. */
export interface SearchScope {
  language: string | null;
  version: string | null;
}

/** A section that an engine found, the best ones first. */
export interface FoundSection extends SearchSection {
  route: string;
  title: string;
  /** Of the page. */
  isReference: boolean;
}
