import type { OpenedSite } from "#docs/config/find-site.ts";
import type { ToolPage } from "#docs/dialects/tool-site.ts";
import {
  encodePath,
  joinContentRoot,
  type Route,
  type RouteConflict,
  routeOfStem,
  stripContentRoot,
} from "#docs/routes.ts";
import type { PageHead } from "./page-head.ts";

/**
 * The addresses of the pages of another tool's site. If two pages claim one address, the first by path gets it. `drafts`: the
 * addresses that drafts would have, also by the paths of their files.
 */
export function toolRoutes(
  { contentRoot, site }: OpenedSite,
  heads: ReadonlyMap<string, PageHead>,
): { routeOf(path: string): Route | null; conflicts: RouteConflict[]; drafts: ReadonlySet<Route> } {
  const all = [...heads].map(([path, head]) => toolPage(stripContentRoot(path, contentRoot) ?? path, head));
  const isDraft = (page: ToolPage) => site.isDraft?.(page) === true;
  const pages = all.filter((page) => !isDraft(page));
  const withdrawn = all.filter(isDraft);
  const drafts = new Set(
    withdrawn.flatMap(({ path }) => [encodePath(path), routeOfStem(path.replace(/\.[^.]+$/, ""))]),
  );
  for (const route of site.routes(withdrawn).values()) drafts.add(route);
  const conflicts: RouteConflict[] = [];
  const routes = new Map<string, Route>();
  const taken = new Map<Route, string>();
  for (const [path, route] of site.routes(pages.toSorted((a, b) => (a.path < b.path ? -1 : 1)))) {
    const file = joinContentRoot(path, contentRoot);
    const other = taken.get(route);
    if (other !== undefined) {
      conflicts.push({ path: file, message: `${route} is the address of ${other}; this page is not shown.` });
      continue;
    }
    taken.set(route, file);
    routes.set(file, route);
  }
  return { routeOf: (path) => routes.get(path) ?? null, conflicts, drafts };
}

/** The data of a page that a dialect needs. */
export function toolPage(path: string, { title, sidebarTitle, hidden, order, written = {} }: PageHead): ToolPage {
  return { path, title, sidebarTitle, hidden, order, written };
}
