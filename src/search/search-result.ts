import type { ExcerptPart } from "./excerpt.ts";

/** One place of a site that a search found. */
export interface SearchResult {
  route: string;
  anchor: string | null;
  /** Title of the page. */
  title: ExcerptPart[];
  /** Heading of the section; null for the page as a whole. */
  heading: ExcerptPart[] | null;
  excerpt: ExcerptPart[];
}

/** Groups results by page, in the order of their first result. */
export const byPage = <Result extends { route: string }>(results: readonly Result[]): Result[][] => [
  ...Map.groupBy(results, ({ route }) => route).values(),
];
