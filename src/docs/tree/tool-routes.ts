import type { OpenedSite } from "#docs/config/find-site.ts";
import type { ToolPage } from "#docs/dialects/tool-site.ts";
import { joinContentRoot, type Route, type RouteConflict, stripContentRoot } from "#docs/routes.ts";
import type { PageHead } from "./page-head.ts";

/** The addresses of the pages of another tool's site. If two pages claim one address, the first by path gets it. */
export function toolRoutes(
  { contentRoot, site }: OpenedSite,
  heads: ReadonlyMap<string, PageHead>,
): { routeOf(path: string): Route | null; conflicts: RouteConflict[] } {
  const pages = [...heads].map(([path, head]) => toolPage(stripContentRoot(path, contentRoot) ?? path, head));
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
  return { routeOf: (path) => routes.get(path) ?? null, conflicts };
}

/** The data of a page that a dialect needs. */
export function toolPage(path: string, { title, sidebarTitle, hidden, order, written = {} }: PageHead): ToolPage {
  return { path, title, sidebarTitle, hidden, order, written };
}
