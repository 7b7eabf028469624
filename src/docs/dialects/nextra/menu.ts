import {
  group,
  missingPage,
  pageEntry,
  type Separator,
  tabEntries,
  underSeparators,
  languageEntry,
  withOwnPage,
} from "#docs/dialects/menus.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { Menu, MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import { titleOfName } from "#docs/names.ts";

/** A folder of addresses: its own page, and the folders below it. */
interface Folder {
  page: PlacedPage | null;
  folders: Map<string, Folder>;
}

const MAX_DEPTH = 20;

/** Folders in the order of their `_meta` files; other entries follow, by name. */
export function nextraMenu(
  pages: readonly { page: PlacedPage; place: readonly string[] }[],
  { metas, locales }: { metas: ReadonlyMap<string, Data>; locales: readonly string[] },
): Menu {
  const root: Folder = { page: null, folders: new Map() };
  for (const { page: own, place } of pages) {
    let folder = root;
    for (const part of place.slice(0, MAX_DEPTH)) {
      const next = folder.folders.get(part) ?? { page: null, folders: new Map() };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.page ??= own;
  }
  const languages = locales.filter((locale) => root.folders.has(locale));
  if (languages.length < 2) return { entries: topEntries(root, metas.get(""), { path: "", metas }) };
  const entries = languages.map((language, index) => {
    const children = topEntries(root.folders.get(language)!, metas.get(language), { path: language, metas });
    return languageEntry({ label: language, code: language, isDefault: index === 0 }, children);
  });
  return { entries };
}

interface At {
  path: string;
  metas: ReadonlyMap<string, Data>;
}

/** At the top, entries of the type `page` are items of the navbar: tabs. */
function topEntries(folder: Folder, meta: Data | undefined, at: At): readonly MenuEntry[] {
  const items = itemsOf(folder, meta, at);
  const own = items
    .filter(({ isTab }) => isTab)
    .map(({ title, entries }) => ({
      title,
      children: entries.flatMap((entry) =>
        "separator" in entry ? [] : entry.kind === "group" ? withOwnPage(entry) : [entry],
      ),
    }));
  const rest = underSeparators(items.filter(({ isTab }) => !isTab).flatMap(({ entries }) => entries));
  if (own.length === 0) return rest;
  const sections = [...(rest.length > 0 ? [{ title: "Documentation", children: rest }] : []), ...own];
  // A home page often has the same title as the folder next to it: readers could not tell two such tabs apart.
  const byTitle = Map.groupBy(sections, ({ title }) => title);
  return tabEntries(
    [...byTitle].map(([title, same]) => ({ title, children: same.flatMap(({ children }) => children) })),
  );
}

interface Item {
  title: string;
  isTab: boolean;
  entries: (MenuEntry | Separator)[];
}

function itemsOf(folder: Folder, meta: Data | undefined, at: At): Item[] {
  const named = meta?.entries() ?? [];
  const others = named.find(([key]) => key === "*")?.[1];
  const listed = new Set(named.map(([key]) => key));
  const index = folder.page !== null && !listed.has("index") ? ["index"] : [];
  const rest = [...index, ...[...folder.folders.keys()].filter((key) => !listed.has(key)).toSorted()];
  const all = [...named.filter(([key]) => key !== "*"), ...rest.map((key) => [key, others] as const)];
  return all.flatMap(([key, own]) => itemOf(key, own, { folder, at, fallback: others }));
}

function itemOf(
  key: string,
  own: Data | undefined,
  { folder, at, fallback }: { folder: Folder; at: At; fallback: Data | undefined },
): Item[] {
  const read = (name: string) => own?.get(name).text() ?? fallback?.get(name).text() ?? null;
  const title = (own?.plainText() ?? own?.get("title").text()) || null;
  const type = read("type");
  if (read("display") === "hidden") return [];
  if (type === "separator") return [{ title: "", isTab: false, entries: [{ separator: title ?? "" }] }];
  const href = own?.get("href").text() ?? null;
  if (href !== null)
    return [{ title: title ?? href, isTab: false, entries: [{ kind: "link", title: title ?? href, href }] }];
  const isTab = type === "page";
  if (type === "menu" && !folder.folders.has(key)) {
    const links = own?.get("items").entries() ?? [];
    const children = links.flatMap(([name, link]): MenuEntry[] => {
      const target = link.get("href").text();
      return target === null ? [] : [{ kind: "link", title: link.get("title").text() ?? name, href: target }];
    });
    return [{ title: title ?? key, isTab: false, entries: [group(title ?? titleOfName(key), children)] }];
  }
  if (key === "index") {
    const entries = folder.page === null ? [] : [pageEntry(folder.page.route, title)];
    return [{ title: title ?? folder.page?.title ?? "", isTab, entries }];
  }
  const child = folder.folders.get(key);
  if (child === undefined)
    return [{ title: "", isTab: false, entries: [missingPage(at.path === "" ? key : `${at.path}/${key}`)] }];
  if (child.folders.size === 0) {
    const entries = child.page === null ? [] : [pageEntry(child.page.route, title)];
    return [{ title: title ?? child.page?.title ?? "", isTab, entries }];
  }
  const path = at.path === "" ? key : `${at.path}/${key}`;
  // A file for the whole site (`_meta.global`) nests the entries of a folder in the entry of the folder.
  const meta = at.metas.get(path) ?? (own?.has("items") === true ? own.get("items") : undefined);
  const index = child.page?.written["asIndexPage"] === true ? child.page : null;
  const label = title ?? index?.title ?? titleOfName(key);
  const inner = index === null ? child : { ...child, page: null };
  const entries = underSeparators(itemsOf(inner, meta, { ...at, path }).flatMap((item) => item.entries));
  return [{ title: label, isTab, entries: [group(label, entries, index?.route ?? null)] }];
}
