import type { ExcerptPart } from "./excerpt.ts";

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

/** The results of each page together, in the order of their first ones. */
export const byPage = <Result extends { route: string }>(results: readonly Result[]): Result[][] => [
  ...Map.groupBy(results, ({ route }) => route).values(),
];
