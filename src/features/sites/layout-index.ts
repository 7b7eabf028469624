import { createHash } from "node:crypto";
import { SWITCH_KINDS, type SwitchKind } from "#docs/config/written-navigation.ts";
import { isSection, routesBelow, type NavigationNode, type NavigationSection } from "#docs/tree/navigation.ts";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import type { NamedIcon } from "#docs/navigation-icon.ts";
import { type Route, routeOfStem } from "#docs/routes.ts";
import { namedAsset } from "./versioned-address.ts";

/** One choice of a switch (tabs, versions, languages …). */
export interface SwitchOption {
  title: string;
  tag: string | null;
  icon: NamedIcon | null;
  href: string;
  isActive: boolean;
  isExternal: boolean;
  /** The choice for readers who have made none. */
  isDefault: boolean;
  /** Language code of a language. */
  language: string | null;
  /** The same page in this choice; the page itself for the current one. Null where it does not exist. */
  page: Route | null;
}

export interface SwitchView {
  kind: SwitchKind;
  options: readonly SwitchOption[];
}

/** The navigation as seen from one page. */
export interface NavigationView {
  switches: readonly SwitchView[];
  /** The content of the sidebar: the groups, pages and links of the chosen tab, version and so on. */
  items: readonly NavigationNode[];
  /** Groups that contain the page, outermost first. */
  groups: readonly NavigationSection[];
  previous: { route: Route; title: string } | null;
  next: { route: Route; title: string } | null;
}

/** What the layout of every page of a site version shares, prepared once. */
export interface LayoutIndex {
  /** Changes with everything around the content: navigation, configuration, problems. */
  key: string;
  view(route: Route): NavigationView;
  /** Language code for a path, of a page or not; null when neither the navigation nor the site names a language. */
  language(path: string): string | null;
  /**
   * The page at `/`: the page there, else the first one of the navigation, else of the site. A README that a configured
   * navigation leaves out is for the repository's developers, so it is not the front page.
   */
  homeRoute: Route | null;
  /** The only page whose route matches this one ignoring case; null when there is none or several. */
  routeIgnoringCase(route: Route): Route | null;
}

/** Logos, icons and fonts, whose addresses change with their content. */
const FILE_NAME = /\.(?:svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf)$/i;

export function createLayoutIndex(docs: Docs): LayoutIndex {
  const trails = indexTrails(docs.navigation);
  const order = [...trails.keys()];
  const below = new Map<NavigationSection, Reach>();
  const { navigation: _, ...config } = docs.config;
  const named = new Set<string>();
  const written = JSON.stringify([config, docs.navigation, docs.problems, docs.configFile], (_, value: unknown) => {
    if (typeof value === "string" && FILE_NAME.test(value)) named.add(value);
    return value;
  });
  const files = [...named].map((name) => namedAsset(docs.assets, name)?.asset.version ?? "");
  const key = createHash("sha256")
    .update(written + files.join(" "))
    .digest("base64url")
    .slice(0, 22);

  const reachOf = (section: NavigationSection): Reach => {
    let known = below.get(section);
    if (known === undefined) {
      const routes = routesBelow([section]);
      known = {
        first: routes[0],
        routes: new Set(routes),
        folder: sharedFolder(routes),
        root: rootOf(section, routes),
      };
      below.set(section, known);
    }
    return known;
  };
  const titleOf = (route: Route): string => {
    const page = docs.pages.get(route);
    return page?.sidebarTitle ?? page?.title ?? route;
  };

  const languages = docs.navigation.filter(isSection).filter(({ kind }) => kind === "language");
  const byFolder = new Map(languages.map(({ language }) => [language?.toLowerCase() ?? "", language]));
  const usual = (languages.find(({ isDefault }) => isDefault) ?? languages[0])?.language ?? null;
  const languageOf = (path: string): string | null => {
    const section = trails.get(path)?.find(({ language }) => language !== null);
    const folder = path.split("/", 2)[1]?.toLowerCase() ?? "";
    return section?.language ?? byFolder.get(folder) ?? docs.config.language ?? usual;
  };

  const folded = new Map<string, Route | null>();
  for (const route of docs.pages.keys()) {
    const name = route.toLowerCase();
    folded.set(name, folded.has(name) ? null : route);
  }

  return {
    key,
    language: languageOf,
    routeIgnoringCase: (route) => folded.get(route.toLowerCase()) ?? null,
    homeRoute: isFrontPage(docs.pages.get("/")) ? "/" : (order[0] ?? docs.pages.keys().next().value ?? null),
    view(route) {
      // A page outside the navigation gets the surroundings of its nearest relative in it.
      const place = trails.has(route) ? route : nearestRoute(route, order);
      const trail = (place === null ? undefined : trails.get(place)) ?? [];
      const view = descend(docs.navigation, { trail, route, reachOf });
      const sequence = routesBelow(view.items);
      const at = sequence.indexOf(route);
      const neighbour = (index: number) => {
        const other = at === -1 ? undefined : sequence[index];
        return other === undefined ? null : { route: other, title: titleOf(other) };
      };
      return {
        ...view,
        groups: trails.has(route) ? trail.filter((section) => section.kind === "group") : [],
        previous: neighbour(at - 1),
        next: neighbour(at + 1),
      };
    },
  };
}

function isFrontPage(page: Page | undefined): boolean {
  return page !== undefined && !(page.hidden && /(?:^|\/)readme\.[^/]+$/i.test(page.path));
}

/** The first place of each route in the navigation, in reading order. */
function indexTrails(navigation: readonly NavigationNode[]): Map<Route, readonly NavigationSection[]> {
  const trails = new Map<Route, readonly NavigationSection[]>();
  const visit = (nodes: readonly NavigationNode[], trail: readonly NavigationSection[]): void => {
    for (const node of nodes) {
      if (node.kind === "page" && !trails.has(node.route)) trails.set(node.route, trail);
      if (!isSection(node)) continue;
      const inner = [...trail, node];
      if (node.route !== null && !trails.has(node.route)) trails.set(node.route, inner);
      visit(node.children, inner);
    }
  };
  visit(navigation, []);
  return trails;
}

function nearestRoute(route: Route, order: readonly Route[]): Route | null {
  const wanted = route.split("/");
  let best: Route | null = null;
  let bestShared = 0;
  for (const candidate of order) {
    const segments = candidate.split("/");
    let shared = 0;
    while (shared < wanted.length && segments[shared] === wanted[shared]) shared += 1;
    if (shared > bestShared) [best, bestShared] = [candidate, shared];
  }
  return best;
}

/**
 * The pages below a section. Computed once: a switch may have thousands of choices, each compared with the active one.
 */
interface Reach {
  first: Route | undefined;
  routes: ReadonlySet<Route>;
  /** The longest common folder. */
  folder: string;
  /** The folder named by the language's code, else the site's root. */
  root: string;
}

interface Place {
  trail: readonly NavigationSection[];
  route: Route;
  reachOf(section: NavigationSection): Reach;
}

/** Descends through switches along the trail; the rest is the content of the sidebar. */
function descend(
  nodes: readonly NavigationNode[],
  place: Place,
): { switches: SwitchView[]; items: readonly NavigationNode[] } {
  const switches: SwitchView[] = [];
  const items: NavigationNode[] = nodes.filter((node) => !isSwitch(node));
  for (const kind of SWITCH_KINDS) {
    const options = nodes.filter((node) => isSwitch(node) && node.kind === kind) as NavigationSection[];
    if (options.length === 0) continue;
    const active = chooseActive(options, { place, isFallback: items.length === 0 });
    switches.push({ kind, options: options.map((option) => toOption(option, { active, place })) });
    if (active === null) continue;
    const inner = descend(active.children, place);
    switches.push(...inner.switches);
    items.push(...inner.items);
  }
  return { switches, items };
}

function chooseActive(
  options: readonly NavigationSection[],
  { place, isFallback }: { place: Place; isFallback: boolean },
): NavigationSection | null {
  const onTrail = options.find((option) => place.trail.includes(option));
  if (onTrail !== undefined || !isFallback) return onTrail ?? null;
  const filled = options.filter((option) => option.children.length > 0);
  return filled.find((option) => option.isDefault) ?? filled[0] ?? null;
}

function toOption(
  option: NavigationSection,
  { active, place }: { active: NavigationSection | null; place: Place },
): SwitchOption {
  const reach = place.reachOf(option);
  const { title, tag } = option;
  const isActive = option === active;
  const same =
    active === null || isActive ? null : counterpart(place.route, { from: place.reachOf(active), to: reach });
  const first = option.route ?? reach.first;
  const href = same ?? first ?? option.href ?? "/";
  return {
    title,
    tag,
    icon: option.icon ?? null,
    href,
    isActive,
    isExternal: /^[a-z][a-z0-9+.-]*:|^\/\//i.test(href),
    isDefault: option.isDefault,
    language: option.language,
    page: isActive && reach.routes.has(place.route) ? place.route : same,
  };
}

/** The page of another version or language with the same path inside it: `/en/setup` and `/fr/setup`. */
function counterpart(route: Route, { from, to }: { from: Reach; to: Reach }): Route | null {
  for (const folder of ["folder", "root"] as const) {
    const candidate = to[folder] + route.slice(from[folder].length);
    if (route.startsWith(from[folder]) && to.routes.has(candidate)) return candidate;
  }
  return null;
}

/** The root of a language with few pages is `/de/`, even if all of them are in `/de/guides/`. */
function rootOf({ language }: NavigationSection, routes: readonly Route[]): string {
  const folder = `/${language ?? ""}/`;
  return language !== null && routes.every((route) => route.startsWith(folder)) ? folder : "/";
}

function sharedFolder(routes: readonly Route[]): string {
  let shared = routes[0]?.split("/").slice(0, -1) ?? [];
  for (const route of routes) {
    const segments = route.split("/");
    let length = 0;
    while (length < shared.length && shared[length] === segments[length]) length += 1;
    shared = shared.slice(0, length);
  }
  return `${shared.join("/")}/`;
}

function isSwitch(node: NavigationNode): boolean {
  return isSection(node) && node.kind !== "group";
}

/** The page for a path with an extension or `index`, as links in a repository are often written. */
export function pageBehind(docs: Docs, path: Route): { page: Page; isMarkdown: boolean } | null {
  const markdown = /\.(md|mdx|markdown)$/i.test(path);
  const bare = path.replace(/\.(md|mdx|markdown|html?)$/i, "");
  const page = docs.pages.get(bare) ?? docs.pages.get(foldRoute(bare)) ?? docs.pages.get(docs.aliases.get(bare) ?? "");
  return page === undefined ? null : { page, isMarkdown: markdown };
}

function foldRoute(path: Route): Route {
  const folded = path.replace(/\/(?:index|readme)$/i, "");
  return folded === "" ? routeOfStem("") : folded;
}
