import { isSection, type NavigationNode } from "#content/navigation.ts";
import type { Docs } from "#content/page-tree.ts";
import type { Route } from "#content/routes.ts";
import type { SearchScope } from "#search/search-page.ts";

const ALL: SearchScope = { language: null, version: null };
const known = new WeakMap<Docs, Map<Route, SearchScope>>();

/**
 * The language and the version that a page of the navigation belongs to. Null for a page that stands in none or in
 * several: it is for the readers of all.
 */
export function partOfPage(docs: Docs, route: Route): SearchScope {
  let parts = known.get(docs);
  if (parts === undefined) known.set(docs, (parts = partsOf(docs.navigation)));
  return parts.get(route) ?? ALL;
}

function partsOf(navigation: readonly NavigationNode[]): Map<Route, SearchScope> {
  const parts = new Map<Route, SearchScope>();
  const add = (route: Route, part: SearchScope) => {
    const other = parts.get(route) ?? part;
    parts.set(route, {
      language: other.language === part.language ? part.language : null,
      version: other.version === part.version ? part.version : null,
    });
  };
  const visit = (nodes: readonly NavigationNode[], part: SearchScope): void => {
    for (const node of nodes) {
      if (node.kind === "page") add(node.route, part);
      if (!isSection(node)) continue;
      const inner = {
        language: node.kind === "language" ? (node.language ?? node.title) : part.language,
        version: node.kind === "version" ? node.title : part.version,
      };
      if (node.route !== null) add(node.route, inner);
      visit(node.children, inner);
    }
  };
  visit(navigation, ALL);
  return parts;
}
