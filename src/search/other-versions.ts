import { partsText } from "./excerpt.ts";
import type { SearchResult } from "./search-result.ts";

/** The version of a site that a page belongs to. */
export interface PageVersion {
  name: string;
  /** 0: the default version or none; then in the order of the navigation. */
  rank: number;
}

/** Results of the default version (`first`), then sections of `all` that only other versions have, each from the newest. */
export function withOtherVersions(
  first: readonly SearchResult[],
  all: readonly SearchResult[],
  versionOf: (route: string) => PageVersion | null,
): SearchResult[] {
  const rankOf = ({ route }: SearchResult) => versionOf(route)?.rank ?? 0;
  const known = new Set(first.flatMap((result) => namesOf(result, versionOf)));
  const others = all.filter((result) => rankOf(result) > 0).toSorted((a, b) => rankOf(a) - rankOf(b));
  return [
    ...first,
    ...others.filter((result) => {
      const names = namesOf(result, versionOf);
      if (names.some((name) => known.has(name))) return false;
      for (const name of names) known.add(name);
      return true;
    }),
  ];
}

/** Keys of a section: its titles, and its address without the version. Results that share one are versions of one section. */
function namesOf(result: SearchResult, versionOf: (route: string) => PageVersion | null): string[] {
  const { route, anchor, title, heading } = result;
  const version = versionOf(route)?.name.toLowerCase() ?? "";
  const segments = route.split("/").filter((each) => each !== "" && !version.split(/[\s()]+/).includes(each));
  return [
    `${segments.join("/")}#${anchor ?? ""}`,
    `${partsText(title)}\n${heading === null ? "" : partsText(heading)}`,
  ];
}
