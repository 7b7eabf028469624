import { group, pageEntry, tabEntries, languageEntry } from "#docs/dialects/menus.ts";
import { address } from "#docs/dialects/paths.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { Menu, MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import type { Route } from "#docs/routes.ts";

/** A language of a site with its part of the theme configuration. */
export interface LocaleConfig {
  /** First segment of its addresses; empty for the language at the root. */
  folder: string;
  label: string;
  language: string | null;
  isDefault: boolean;
  sidebar: Data;
  nav: Data;
  footer: Data;
  hasEditLink: boolean;
}

/** Languages, and in them the sidebars as tabs. Without a sidebar the navigation is derived from the folders. */
export function vitepressMenu(pages: readonly PlacedPage[], locales: readonly LocaleConfig[]): Menu {
  const routes = new Set(pages.map(({ route }) => route));
  const parts = locales
    .map((locale) => ({ locale, children: sidebarsOf(locale, routes) }))
    .filter(({ children }) => children.length > 0);
  const [first] = parts;
  if (first === undefined) return { entries: null };
  if (parts.length === 1) return { entries: first.children };
  const entries = parts.map(({ locale: { label, language, folder, isDefault }, children }) =>
    languageEntry({ label, code: language ?? (folder === "" ? "en" : folder), isDefault }, children),
  );
  return { entries };
}

function sidebarsOf({ sidebar, nav, folder }: LocaleConfig, routes: ReadonlySet<Route>): readonly MenuEntry[] {
  const read = (items: Data): MenuEntry[] =>
    items.isList
      ? itemsOf(items, { base: "", folder, routes })
      : itemsOf(items.get("items"), { base: items.get("base").text() ?? "", folder, routes });
  if (sidebar.isList) return read(sidebar);
  const ranked = sidebar.entries().map(([prefix, items]) => {
    const children = read(items);
    const tab = tabTitle(nav, { prefix, children }) ?? { title: children[0]?.title ?? prefix, rank: 1_000 };
    return { ...tab, prefix: address(prefix), children };
  });
  // Several paths may show one sidebar.
  const distinct = ranked.filter(
    ({ children }, index) =>
      ranked.findIndex((each) => JSON.stringify(each.children) === JSON.stringify(children)) === index,
  );
  return tabEntries(distinct.toSorted((a, b) => a.rank - b.rank));
}

/** The navbar item that links to a page of a sidebar, else one that links below its path. */
function tabTitle(
  nav: Data,
  { prefix, children }: { prefix: string; children: readonly MenuEntry[] },
): { title: string; rank: number } | null {
  const base = address(prefix);
  const own = new Set(routesIn(children));
  const leads = (item: Data, isIt: (route: Route) => boolean): boolean => {
    const link = item.get("link").text();
    return link === null
      ? item
          .get("items")
          .list()
          .some((each) => leads(each, isIt))
      : isIt(linkRoute(link));
  };
  const items = nav.list();
  const inside = items.findIndex((item) => leads(item, (route) => own.has(route)));
  const isBelow = (route: Route) => base !== "/" && (route === base || route.startsWith(`${base}/`));
  const rank = inside === -1 ? items.findIndex((item) => leads(item, isBelow)) : inside;
  const title = items[rank]?.get("text").text() ?? null;
  return title === null ? null : { title, rank };
}

function routesIn(entries: readonly MenuEntry[]): Route[] {
  return entries.flatMap((entry) => {
    if (entry.kind === "page") return [entry.route];
    return entry.kind === "link" ? [] : [...(entry.route ? [entry.route] : []), ...routesIn(entry.children)];
  });
}

interface Items {
  base: string;
  folder: string;
  routes: ReadonlySet<Route>;
}

function itemsOf(items: Data, at: Items): MenuEntry[] {
  return items.list().flatMap((item): MenuEntry[] => {
    const base = item.get("base").text() ?? at.base;
    const children = itemsOf(item.get("items"), { ...at, base });
    const link = item.get("link").text();
    const title = item.get("text").text();
    const isElsewhere = link !== null && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link);
    const route =
      link === null || isElsewhere
        ? null
        : linkRoute(base + link.replace(/^\//, base === "" || !base.endsWith("/") ? "/" : ""));
    // A language without its own sidebar uses the addresses of the root.
    const own = route === null ? null : at.routes.has(route) ? route : address(at.folder, route);
    const known = own !== null && at.routes.has(own) ? own : null;
    if (item.has("items")) return title === null ? children : [group(title, children, known)];
    if (known !== null) return [pageEntry(known, title)];
    return title === null || link === null ? [] : [{ kind: "link", title, href: link }];
  });
}

/** `/guide/start.md#top`, `/guide/start.html` and `/guide/start` name one page. */
export const linkRoute = (link: string): Route =>
  address(
    link
      .replace(/[?#].*/s, "")
      .replace(/\.(?:md|html)$/i, "")
      .replace(/(?:^|\/)index$/, "/"),
  );
