import { type ConfigNode, type ConfigSection, PLAIN_SECTION } from "#docs/config/written-navigation.ts";
import type { NamedIcon } from "#docs/navigation-icon.ts";
import { type Route, routeOfStem, stripContentRoot } from "#docs/routes.ts";
import { titleOfName } from "#docs/names.ts";
import type { Page } from "./pages.ts";
import type { ProblemList } from "#docs/problems.ts";

/** One entry of a site's navigation. Every route in it is the route of a page. */
export type NavigationNode = NavigationPage | NavigationLink | NavigationSection;

export interface NavigationPage {
  kind: "page";
  route: Route;
  title: string;
  tag: string | null;
  /** Method of the operation that the page documents: `GET`, `POST` …, `WEBHOOK`. */
  method: string | null;
  icon?: NamedIcon | null | undefined;
}

export interface NavigationLink {
  kind: "link";
  title: string;
  href: string;
}

/** A group is read from top to bottom; the other kinds show one at a time. */
export interface NavigationSection extends Omit<ConfigSection, "root" | "hidden" | "api" | "children"> {
  /** The group's own page. */
  route: Route | null;
  children: readonly NavigationNode[];
}

export function isSection(node: NavigationNode): node is NavigationSection {
  return node.kind !== "page" && node.kind !== "link";
}

/** Routes of the pages below a list of nodes, in reading order, without duplicates. */
export function routesBelow(nodes: readonly NavigationNode[]): Route[] {
  const routes = new Set<Route>();
  const visit = (node: NavigationNode): void => {
    if (node.kind === "page") routes.add(node.route);
    else if (isSection(node)) {
      if (node.route !== null) routes.add(node.route);
      for (const child of node.children) visit(child);
    }
  };
  for (const node of nodes) visit(node);
  return [...routes];
}

/** The sections that contain a page, outermost first; null when the page is not in the navigation. */
export function trailTo(nodes: readonly NavigationNode[], route: Route): NavigationSection[] | null {
  for (const node of nodes) {
    if (node.kind === "page" && node.route === route) return [];
    if (!isSection(node)) continue;
    if (node.route === route) return [node];
    const rest = trailTo(node.children, route);
    if (rest !== null) return [node, ...rest];
  }
  return null;
}

/** Compares names in natural order: `2-b` before `10-a`, case-insensitively. */
export function compareNames(a: string, b: string): number {
  const order = NAMES.compare(a, b);
  return order !== 0 ? order : a < b ? -1 : a > b ? 1 : 0;
}

const NAMES = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/**
 * The navigation of a docs.json with its page references resolved. References without a page are left out and reported as
 * problems; hidden and empty sections are left out.
 */
export function resolveNavigation(
  nodes: readonly ConfigNode[],
  pages: ReadonlyMap<Route, Page>,
  problems: ProblemList,
): NavigationNode[] {
  function findPage(reference: string): Page | undefined {
    const stem = reference.replace(/[?#].*/s, "");
    // `guide/readme` next to `guide/index` has an address of its own.
    return pages.get(`/${stem.replace(/^\/+/, "")}`) ?? pages.get(routeOfStem(stem));
  }

  function resolveSection(section: ConfigSection): NavigationSection[] {
    if (section.hidden) return [];
    const children = resolveAll(section.children);
    const root = section.root === null ? undefined : findPage(section.root);
    if (children.length === 0 && root === undefined && section.href === null) return [];
    const { kind, title, language, tag, icon, href, isDefault } = section;
    return [{ kind, title, language, tag, icon, href, isDefault, route: root?.route ?? null, children }];
  }

  function resolveAll(children: readonly ConfigNode[]): NavigationNode[] {
    return children.flatMap((node): NavigationNode[] => {
      if (node.kind === "link") return [node];
      if (node.kind === "operation") return [];
      // A group without a name only keeps its pages together.
      const isNameless = node.kind === "group" && node.title === "" && node.root === null && !node.hidden;
      if (isNameless) return resolveAll(node.children);
      if (node.kind !== "page") return resolveSection(node);
      const page = findPage(node.page);
      if (page === undefined) {
        const message = `The navigation names the page "${node.page}", which does not exist.`;
        problems.warning(() => node.locate(), message, "navigation");
        return [];
      }
      if (page.hidden) return [];
      return [pageNode(page)];
    });
  }

  return resolveAll(nodes);
}

/** A page with the names of its folders and file, relative to the content root. */
interface PlacedPage {
  page: Page;
  names: readonly string[];
}

const MAX_DEPTH = 12;

/**
 * The navigation of a site that does not define one: folders are groups. README or index comes first, then pages with an
 * order in their front matter, then names in natural order (`2-b` before `10-a`), folders after pages.
 */
export function navigationFromTree(pages: Iterable<Page>, contentRoot: string): NavigationNode[] {
  const shown = [...pages].filter((page) => !page.hidden && !page.isGenerated);
  const placed = shown.map((page) => {
    return { page, names: (stripContentRoot(page.path, contentRoot) ?? page.path).split("/") };
  });
  return nodesOf(placed, 0);
}

/** The entries of the folder at level `depth`; anything deeper than MAX_DEPTH is listed there. */
function nodesOf(pages: readonly PlacedPage[], depth: number): NavigationNode[] {
  const isHere = ({ names }: PlacedPage) => names.length === depth + 1 || depth === MAX_DEPTH;
  const nameOf = ({ names }: PlacedPage) => names.at(-1) ?? "";
  const own = pages.filter(isHere).sort((a, b) => rank(a) - rank(b) || compareNames(nameOf(a), nameOf(b)));
  const folders = Map.groupBy(
    pages.filter((page) => !isHere(page)),
    ({ names }) => names[depth] ?? "",
  );
  const groups = [...folders].sort(([a], [b]) => compareNames(a, b));
  return [
    ...own.map(({ page }) => pageNode(page)),
    ...groups.map(([name, below]): NavigationSection => {
      const children = nodesOf(below, depth + 1);
      return { ...PLAIN_SECTION, kind: "group", title: titleOfName(name), route: null, children };
    }),
  ];
}

function rank({ page, names }: PlacedPage): number {
  if (/^(index|readme)\.[^.]+$/i.test(names.at(-1) ?? "")) return -1e9;
  return page.order ?? 1e9;
}

/** A page as an entry of the navigation; one with a `url` is a link to it. */
function pageNode(page: Page): NavigationPage | NavigationLink {
  if (page.url !== undefined) return { kind: "link", title: page.sidebarTitle ?? page.title, href: page.url };
  const method = page.operation?.method === "OVERVIEW" ? null : (page.operation?.method ?? null);
  return {
    kind: "page",
    route: page.route,
    title: page.sidebarTitle ?? page.title,
    tag: page.tag,
    method,
    icon: page.icon,
  };
}
