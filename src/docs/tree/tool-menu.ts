import { isSafeHref } from "#docs/config/appearance.ts";
import type { OpenedSite } from "#docs/config/find-site.ts";
import type { MenuEntry, MenuPage, MenuSection, PlacedPage } from "#docs/dialects/tool-site.ts";
import { trimOf } from "#lib/trim.ts";
import type { ProblemList } from "#docs/problems.ts";
import { encodePath, type Route, routeOfStem, stripContentRoot } from "#docs/routes.ts";
import type { NavigationNode, NavigationSection } from "./navigation.ts";
import type { Page } from "./pages.ts";
import { toolPage } from "./tool-routes.ts";

/** The navigation of another tool's site, and the addresses that redirect to pages. */
export function toolMenu(
  { contentRoot, file, site, named }: OpenedSite,
  { byRoute: pages, drafts }: { byRoute: ReadonlyMap<Route, Page>; drafts: ReadonlySet<Route> },
  problems: ProblemList,
): { navigation: NavigationNode[] | null; aliases: Map<Route, Route>; titles: ReadonlyMap<Route, string> } {
  const placed = [...pages.values()]
    .filter(({ isGenerated }) => !isGenerated)
    .map((page): PlacedPage => ({
      ...toolPage(stripContentRoot(page.path, contentRoot) ?? page.path, page),
      title: page.title,
      route: page.route,
    }));
  const inRoot = named === null ? null : stripContentRoot(named, contentRoot);
  const folders = [...(inRoot === null ? [] : [inRoot]), ...(site.folders ?? [])];
  const { entries, aliases, titles = new Map() } = site.navigation(placed);
  const budget = { left: MAX_ENTRIES };
  const at = { path: file ?? contentRoot, line: null };
  const leaveOut = (what: string) => problems.warning(at, `${what} is left out of the navigation.`, "navigation");
  const missing = new Set<string>();
  const nameMissing: Walk["nameMissing"] = ({ name, at: own = at }) => {
    // Each language has the entry.
    if (missing.has(name)) return;
    missing.add(name);
    // Some tools name a page from the folder of the pages.
    const isDraft = ["", ...folders].some((folder) => drafts.has(encodePath(trimOf(`${folder}/${name}`, "/"))));
    const why = isDraft ? "is a draft: readers do not get it" : "is not a page of this site";
    const message = `The navigation names "${name.slice(0, 200)}", which ${why}.`;
    problems.warning(own, message, "navigation");
  };
  const navigation = entries === null ? null : nodesOf(entries, { pages, budget, leaveOut, nameMissing, depth: 0 });
  if (budget.left < 0) problems.error(at, `The navigation has more than ${MAX_ENTRIES} entries.`, "navigation");
  return {
    navigation,
    aliases: new Map([...(aliases ?? []), ...fileAddresses(placed, pages, folders)]),
    titles,
  };
}

const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 12;

type Walk = {
  pages: ReadonlyMap<Route, Page>;
  budget: { left: number };
  leaveOut(what: string): void;
  nameMissing(missing: NonNullable<MenuPage["missing"]>): void;
  depth: number;
};

function nodesOf(entries: readonly MenuEntry[], walk: Walk): NavigationNode[] {
  return entries.flatMap((entry): NavigationNode[] => {
    if (walk.budget.left-- <= 0) return [];
    if (entry.kind === "link" && isSafeHref(entry.href)) return [entry];
    if (entry.kind === "link") {
      walk.leaveOut(`The link ${entry.href.slice(0, 200)}, which is not a path or an http(s) address,`);
      return [];
    }
    if (entry.kind !== "page") return sectionOf(entry, walk);
    if (entry.missing !== undefined) {
      walk.nameMissing(entry.missing);
      return [];
    }
    const page = walk.pages.get(entry.route);
    if (page === undefined || page.hidden) return [];
    const { route, tag, icon, sidebarTitle, title } = page;
    return [
      { kind: "page", route, title: entry.title ?? sidebarTitle ?? title, tag: entry.tag ?? tag, method: null, icon },
    ];
  });
}

function sectionOf(entry: MenuSection, walk: Walk): NavigationSection[] {
  const isTooDeep = walk.depth >= MAX_DEPTH && entry.children.length > 0;
  if (isTooDeep) walk.leaveOut(`What is in ${entry.title.slice(0, 200)}, more than ${MAX_DEPTH} levels deep,`);
  const children = isTooDeep ? [] : nodesOf(entry.children, { ...walk, depth: walk.depth + 1 });
  const route = entry.route !== null && entry.route !== undefined && walk.pages.has(entry.route) ? entry.route : null;
  const href = entry.href && isSafeHref(entry.href) ? entry.href : null;
  if (children.length === 0 && route === null && href === null) return [];
  const { kind, title, language = null, tag = null, isDefault = false } = entry;
  return [{ kind, title, language, tag, route, href, isDefault, children }];
}

/**
 * Links name files by their path, which is not an address if the tool derives another one. A project whose content root was
 * the folder of the pages had them at their path in it.
 */
function* fileAddresses(
  placed: readonly PlacedPage[],
  pages: ReadonlyMap<Route, Page>,
  folders: readonly string[],
): Generator<[Route, Route]> {
  const seen = new Set<Route>();
  for (const { path, route } of placed) {
    const stem = path.replace(/\.[^.]+$/, "");
    const inFolders = folders.flatMap((folder) => stripContentRoot(stem, folder) ?? []);
    for (const address of [routeOfStem(stem), encodePath(stem), ...inFolders.map(routeOfStem)]) {
      if (pages.has(address) || seen.has(address)) continue;
      seen.add(address);
      yield [address, route];
    }
  }
}
