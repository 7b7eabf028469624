import { group, missingPage, pageEntry, languageEntry } from "#docs/dialects/menus.ts";
import { address, inside } from "#docs/dialects/paths.ts";
import { type Data, isRecord } from "#docs/dialects/reading/data.ts";
import type { Menu, MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import type { Route } from "#docs/routes.ts";

export interface StarlightLocale {
  /** Folder of its pages and first segment of their addresses; empty for the language at the root. */
  folder: string;
  label: string;
  lang: string;
  isDefault: boolean;
}

/** A page with its id and its path in the content collection, both without an extension. */
interface Entry {
  page: PlacedPage;
  id: string;
  path: string;
}

export function starlightLocales(config: Data): StarlightLocale[] {
  const original = config.get("defaultLocale").text();
  const locales = config
    .get("locales")
    .entries()
    .slice(0, 100)
    .map(([key, locale]): StarlightLocale => {
      const folder = key === "root" ? "" : key;
      const isDefault = original === null || original === "root" ? key === "root" : key === original;
      return { folder, label: locale.get("label").text() ?? key, lang: locale.get("lang").text() ?? key, isDefault };
    });
  return locales.length > 0 ? locales : [{ folder: "", label: "", lang: "en", isDefault: true }];
}

/** The sidebar in each language. Untranslated pages are shown in the default language, as Starlight does. */
export function starlightMenu(
  sidebar: Data,
  { locales, pages }: { locales: readonly StarlightLocale[]; pages: readonly Entry[] },
): Menu {
  const folders = locales.map(({ folder }) => folder).filter(Boolean);
  const byFolder = Map.groupBy(
    pages,
    ({ path }) => folders.find((folder) => path === folder || path.startsWith(`${folder}/`)) ?? "",
  );
  sidebar.report();
  const original = locales.find(({ isDefault }) => isDefault) ?? locales[0]!;
  const aliases = new Map<Route, Route>();
  const inLanguage = (locale: StarlightLocale): readonly MenuEntry[] => {
    const own = (byFolder.get(locale.folder) ?? []).map((entry) => without(entry, locale.folder));
    const known = new Set(own.map(({ id }) => id));
    const others =
      locale === original ? [] : (byFolder.get(original.folder) ?? []).map((entry) => without(entry, original.folder));
    const missing = others.filter(({ id }) => !known.has(id));
    for (const { id, page } of missing) aliases.set(address(locale.folder, id), page.route);
    const entries = [...own, ...missing];
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return sidebar.isList
      ? sidebar.list().flatMap((item) => itemOf(item, { locale, entries, byId }))
      : folderEntries(entries, "");
  };
  const translated = locales.filter((locale) => locale === original || byFolder.has(locale.folder));
  if (translated.length === 1) return { entries: inLanguage(original), aliases };
  const entries = translated.map((locale) => languageEntry({ ...locale, code: locale.lang }, inLanguage(locale)));
  return { entries, aliases };
}

const without = (entry: Entry, folder: string): Entry => ({
  ...entry,
  id: entry.id === folder ? "" : (inside(entry.id, folder) ?? entry.id),
  path: inside(entry.path, folder) ?? entry.path,
});

interface Sidebar {
  locale: StarlightLocale;
  entries: readonly Entry[];
  byId: ReadonlyMap<string, Entry>;
}

function itemOf(item: Data, sidebar: Sidebar): MenuEntry[] {
  const { locale, entries, byId } = sidebar;
  const label = item.at("translations", locale.lang).text() ?? item.get("label").text();
  const badge = item.get("badge");
  const tag = badge.at("text", locale.lang).text() ?? badge.get("text").text() ?? badge.text();
  const own = typeof item.raw === "string" ? item.raw : item.get("slug").text();
  if (own !== null) {
    const entry = byId.get(own === "index" ? "" : own);
    return entry === undefined ? [missingPage(own)] : [{ ...pageEntry(entry.page.route, label), tag }];
  }
  const href = item.get("link").text();
  if (href !== null) {
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return [{ kind: "link", title: label ?? href, href }];
    const entry = byId.get(address(href.replace(/[?#].*/s, "")).slice(1));
    return [
      entry === undefined
        ? { kind: "link", title: label ?? href, href }
        : { ...pageEntry(entry.page.route, label), tag },
    ];
  }
  const directory = item.at("autogenerate", "directory").text();
  const children =
    directory === null
      ? item
          .get("items")
          .list()
          .flatMap((each) => itemOf(each, sidebar))
      : folderEntries(entries, address(directory).slice(1));
  return label === null ? children : [{ ...group(label, children), tag }];
}

const MAX_DEPTH = 12;

/** Pages of a folder by their order, then by address. A folder has the order of its first page. */
function folderEntries(entries: readonly Entry[], folder: string): MenuEntry[] {
  const below = entries.filter(({ path, page: { written } }) => {
    const isHidden = isRecord(written["sidebar"]) && written["sidebar"]["hidden"] === true;
    return !isHidden && (path === folder || inside(path, folder) !== null);
  });
  return entriesIn(below, folder, 0).items;
}

function entriesIn(entries: readonly Entry[], folder: string, depth: number): { items: MenuEntry[]; order: number } {
  const partsOf = ({ path }: Entry) => (path === folder ? ["index"] : (inside(path, folder) ?? path).split("/"));
  const isHere = (entry: Entry) => partsOf(entry).length === 1 || depth > MAX_DEPTH;
  const own = entries.filter(isHere).map((entry) => ({
    key: entry.id,
    order: entry.page.order ?? Number.MAX_VALUE,
    item: pageEntry(entry.page.route) as MenuEntry,
  }));
  const folders = [
    ...Map.groupBy(
      entries.filter((entry) => !isHere(entry)),
      (entry) => partsOf(entry)[0] ?? "",
    ),
  ];
  const groups = folders.map(([name, inner]) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    const { items, order } = entriesIn(inner, path, depth + 1);
    return { key: path, order, item: group(name, items) };
  });
  const sorted = [...own, ...groups].sort((a, b) => a.order - b.order || NAMES.compare(a.key, b.key));
  return { items: sorted.map(({ item }) => item), order: sorted[0]?.order ?? Number.MAX_VALUE };
}

const NAMES = new Intl.Collator("en");
