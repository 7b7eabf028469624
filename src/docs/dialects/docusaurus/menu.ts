import { firstRoute, tabEntries, languageEntry } from "#docs/dialects/menus.ts";
import { address } from "#docs/dialects/paths.ts";
import { Data } from "#docs/dialects/reading/data.ts";
import type { Menu, MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import { createProblemList } from "#docs/problems.ts";
import type { Route } from "#docs/routes.ts";
import { recentPosts } from "./blog.ts";
import type { Collection, DocusaurusLocale, placeIn } from "./collections.ts";
import type { DocSet } from "./doc-sets.ts";
import { type Document, documentOf } from "./documents.ts";
import type { SidebarFiles } from "./sidebar-files.ts";
import { readSidebars } from "./sidebars.ts";

interface MenuParts {
  place(path: string): ReturnType<typeof placeIn>;
  collections: readonly Collection[];
  locales: readonly DocusaurusLocale[];
  sidebars: ReadonlyMap<Collection, SidebarFiles>;
  /** Items of the navbar, which name sidebars. */
  navbar: Data;
}

type Placed = { page: PlacedPage; path: string };
type Tab = { title: string; children: readonly MenuEntry[]; rank: number };

/** Languages; inside them the sidebars and the blog as tabs; and in the tab of documents their versions, if several. */
export function docusaurusMenu(pages: readonly PlacedPage[], parts: MenuParts): Menu {
  const aliases = new Map<Route, Route>();
  const byCollection = new Map<Collection, Placed[]>();
  for (const page of pages) {
    const placed = parts.place(page.path);
    if (placed === null) continue;
    const list = byCollection.get(placed.collection) ?? [];
    byCollection.set(placed.collection, list);
    list.push({ page, path: placed.path });
  }
  const inLocale = (locale: DocusaurusLocale): readonly MenuEntry[] => {
    const own = parts.collections.filter((each) => each.locale === locale);
    const docs = own.filter((each) => each.kind === "docs");
    const sets = [...new Set(docs.map(({ set }) => set))];
    const all = sets.flatMap((set) =>
      setTabs(
        set,
        docs.filter((each) => each.set === set),
        { ...parts, byCollection, aliases },
      ),
    );
    for (const blog of own.filter((each) => each.kind === "blog")) {
      const children = recentPosts(blog.title, byCollection.get(blog) ?? []);
      const first = firstRoute(children);
      const home = address(locale.prefix, blog.base);
      if (first !== null) aliases.set(home, first);
      all.push({
        title: linkTo(parts.navbar, blog.base)?.title ?? "Blog",
        children,
        rank: linkTo(parts.navbar, blog.base)?.rank ?? 900,
      });
    }
    return tabEntries(all.sort((a, b) => a.rank - b.rank));
  };
  const languages = parts.locales
    .map((locale) => ({ locale, children: inLocale(locale) }))
    .filter(({ locale, children }) => locale.isDefault || children.length > 0);
  const [only] = languages;
  if (only !== undefined && languages.length === 1) return { entries: only.children, aliases };
  return { entries: languages.map(({ locale, children }) => languageEntry(locale, children)), aliases };
}

interface SetParts extends MenuParts {
  byCollection: ReadonlyMap<Collection, readonly Placed[]>;
  aliases: Map<Route, Route>;
}

type DocCollection = Collection & { kind: "docs" };

function setTabs(set: DocSet, collections: readonly DocCollection[], parts: SetParts): Tab[] {
  const order = new Map(set.versions.map((version, index) => [version, index]));
  const sorted = collections.toSorted((a, b) => (order.get(a.version) ?? 0) - (order.get(b.version) ?? 0));
  const versions = sorted.map((collection) => ({
    version: collection.version,
    sidebars: sidebarTabs(collection, parts),
  }));
  const [only] = versions;
  if (only !== undefined && versions.length === 1) return only.sidebars;
  const link =
    linkTo(parts.navbar, set.base) ??
    navbarItem(parts.navbar, (item) => (item.get("docsPluginId").text() ?? "default") === set.id && item.has("type"));
  const children = versions
    .map(({ version, sidebars }): MenuEntry => ({
      kind: "version",
      title: version.label,
      isDefault: version.isLatest,
      children: tabEntries(sidebars),
    }))
    .toSorted((a, b) => Number(isLatest(b)) - Number(isLatest(a)));
  return [{ title: link?.title ?? "Docs", children, rank: link?.rank ?? 500 }];
}

const isLatest = (entry: MenuEntry): boolean => entry.kind === "version" && entry.isDefault === true;

function sidebarTabs(collection: DocCollection, parts: SetParts): Tab[] {
  const { set, version, locale } = collection;
  const files = parts.sidebars.get(collection);
  const base = `${locale.prefix}/${set.base}/${version.path}`;
  const toDocument = ({ page, path }: Placed, at: string) =>
    documentOf(page, path, { base: at, parsesNumbers: set.parsesNumbers });
  const own = (parts.byCollection.get(collection) ?? []).map((each) => toDocument(each, base));
  const documents = locale.isDefault ? own : [...own, ...untranslated(collection, own, { parts, toDocument, base })];
  if (!set.hasSidebars || documents.length === 0) return [];
  const sidebars =
    files?.sidebars ?? Data.of({ docs: [{ type: "autogenerated", dirName: "." }] }, createProblemList(0));
  const read = readSidebars(sidebars, {
    documents,
    categories: files?.categories ?? new Map(),
    parsesNumbers: set.parsesNumbers,
    base,
    translate: (key, text) => files?.messages.get(key) ?? text,
    onGeneratedIndex(route, entries) {
      const first = firstRoute(entries);
      if (first !== null) parts.aliases.set(route, first);
    },
  });
  return read.map(({ name, children }) => {
    const item =
      navbarItem(parts.navbar, (each) => each.get("sidebarId").text() === name) ??
      navbarItem(parts.navbar, (each) => isOneOf(each.get("docId").text(), children, documents)) ??
      (read.length === 1 ? linkTo(parts.navbar, set.base) : null);
    return { title: item?.title ?? (read.length === 1 ? "Docs" : sentence(name)), children, rank: item?.rank ?? 500 };
  });
}

/** Pages without a translation are shown in the default language, in the navigation and at the addresses of the other. */
function untranslated(
  collection: DocCollection,
  own: readonly Document[],
  { parts, toDocument, base }: { parts: SetParts; toDocument: (placed: Placed, at: string) => Document; base: string },
): Document[] {
  const { set, version } = collection;
  const original = parts.collections.find(
    (each) => each.kind === "docs" && each.locale.isDefault && each.set === set && each.version === version,
  );
  const ids = new Set(own.map(({ id }) => id));
  if (original === undefined || own.length === 0) return [];
  return (parts.byCollection.get(original) ?? []).flatMap((placed) => {
    const document = toDocument(placed, base);
    if (ids.has(document.id)) return [];
    parts.aliases.set(document.route, placed.page.route);
    return [{ ...document, route: placed.page.route }];
  });
}

type NavbarItem = { title: string; rank: number };

function navbarItem(navbar: Data, isIt: (item: Data) => boolean): NavbarItem | null {
  const items = navbar.list();
  const rank = items.findIndex(isIt);
  const title = items[rank]?.get("label").text() ?? null;
  return title === null ? null : { title, rank };
}

const linkTo = (navbar: Data, base: string): NavbarItem | null =>
  navbarItem(navbar, (item) => {
    const to = item.get("to").text();
    const route = to === null ? null : address(to);
    return (
      route !== null && (route === address(base) || (address(base) !== "/" && route.startsWith(`${address(base)}/`)))
    );
  });

function isOneOf(id: string | null, entries: readonly MenuEntry[], documents: readonly Document[]): boolean {
  const route = documents.find((document) => document.id === id)?.route;
  const has = (entry: MenuEntry): boolean =>
    entry.kind === "page"
      ? entry.route === route
      : entry.kind !== "link" && (entry.route === route || entry.children.some(has));
  return route !== undefined && entries.some(has);
}

/** `apiReference` as a title: `Api reference`. */
function sentence(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]+/g, " ")
    .replace(/ ?sidebar$/i, "")
    .trim()
    .toLowerCase();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
