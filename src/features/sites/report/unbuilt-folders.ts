import type { Problem } from "#docs/problems.ts";
import type { Docs } from "#docs/tree/page-tree.ts";
import { encodePath, type Route } from "#docs/routes.ts";
import type { BrokenLink } from "./link-problems.ts";

/** Fewer are easier to read at their own places, and more likely mistakes. */
const MIN_LINKS = 10;

/**
 * On a site of another tool, many links to one address or below it, where no page is, probably lead to pages that a plugin
 * generates: one warning for each such address keeps real mistakes visible. `others` are the remaining links.
 */
export function linksToUnbuilt(
  docs: Docs,
  broken: readonly BrokenLink[],
): { problems: Problem[]; others: readonly BrokenLink[] } {
  if (docs.tool === null) return { problems: [], others: broken };
  const known = new Set<Route>();
  for (const route of docs.pages.keys()) for (const folder of foldersOf(route)) known.add(folder);
  const placeOf = ({ link: { url, broken: reason } }: BrokenLink): Route | null => {
    if (reason !== "no_page" || !url.startsWith("/")) return null;
    const names = (url.split(/[?#]/, 1)[0] ?? "").split("/").filter((name) => name !== "");
    const route = encodePath(names.join("/"));
    const base = docs.bases.find((each) => route.startsWith(`${each}/`)) ?? "";
    return foldersOf(route.slice(base.length) as Route).find((folder) => !known.has(folder)) ?? null;
  };
  const byPlace = Map.groupBy(broken, placeOf);
  const large = [...byPlace].filter(([place, links]) => place !== null && links.length >= MIN_LINKS);
  const grouped = new Set(large.flatMap(([, links]) => links));
  return {
    others: broken.filter((link) => !grouped.has(link)),
    problems: large.map(([place, links]) => {
      const { path, line, column } = links[0]!.link;
      const message = `${links.length} links, this one first, lead to ${place} or below, where this site has no page. If a plugin generates these pages, readers do not get them here.`;
      return { severity: "warning", code: "broken_link", path, line, column, message };
    }),
  };
}

/** `/a`, `/a/b` and `/a/b/c` for the last of them. */
function foldersOf(route: Route): Route[] {
  const segments = route.split("/").slice(1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}
