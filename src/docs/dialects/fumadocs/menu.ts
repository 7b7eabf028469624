import { posix } from "node:path";
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
import { folderOf, pageStem } from "#docs/dialects/paths.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { Menu, MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import { titleOfName } from "#docs/names.ts";

interface Placed {
  page: PlacedPage;
  code: string | null;
  path: string;
}

interface MenuOfCollection {
  title: string;
  pages: readonly Placed[];
  metas: ReadonlyMap<string, Data>;
}

/** Folders as their `meta.json` arranges them; root folders are tabs, and so are further collections. */
export function fumadocsMenu(
  collections: readonly MenuOfCollection[],
  languages: { codes: readonly string[]; original: string | null },
): Menu {
  const inLanguage = (code: string | null): readonly MenuEntry[] => {
    const tops = collections.map((each) => ({ title: each.title, children: topOf(each, code, languages.original) }));
    const filled = tops.filter(({ children }) => children.length > 0);
    if (filled.length < 2) return filled[0]?.children ?? [];
    return filled.flatMap(({ title, children }) =>
      children.some(({ kind }) => kind === "tab") ? children : [{ kind: "tab" as const, title, children }],
    );
  };
  if (languages.codes.length < 2) return { entries: inLanguage(languages.original) };
  const entries = languages.codes.map((code) =>
    languageEntry({ label: code, code, isDefault: code === languages.original }, inLanguage(code)),
  );
  return { entries };
}

function topOf({ pages, metas }: MenuOfCollection, code: string | null, original: string | null): readonly MenuEntry[] {
  const own = new Map<string, PlacedPage>();
  for (const each of pages) if (each.code === original) own.set(pageStem(each.path), each.page);
  for (const each of pages) if (each.code === code) own.set(pageStem(each.path), each.page);
  const metaOf = (folder: string) => metas.get(`${code ?? ""} ${folder}`) ?? metas.get(`${original ?? ""} ${folder}`);
  const top = createTree(own, metaOf, { addsRest: false }).top();
  // Sites that build their sidebar in a component often keep an old meta.json.
  return 2 * countPages(top) < own.size ? createTree(own, metaOf, { addsRest: true }).top() : top;
}

function countPages(entries: readonly MenuEntry[]): number {
  let count = 0;
  for (const entry of entries) {
    if (entry.kind === "page") count += entry.missing === undefined ? 1 : 0;
    else if (entry.kind !== "link") count += countPages(entry.children) + (entry.route ? 1 : 0);
  }
  return count;
}

const MAX_DEPTH = 12;

function createTree(
  pages: ReadonlyMap<string, PlacedPage>,
  metaOf: (folder: string) => Data | undefined,
  { addsRest }: { addsRest: boolean },
) {
  const children = new Map<string, Set<string>>();
  for (const stem of pages.keys()) {
    for (let path = stem; path !== ""; path = folderOf(posix.dirname(path))) {
      const parent = folderOf(posix.dirname(path));
      children.set(parent, (children.get(parent) ?? new Set()).add(path));
    }
  }
  const isFolder = (path: string) => children.has(path);
  let depth = 0;

  /** The default order of a folder: its index first, then pages, then folders, each by name. */
  function usual(folder: string): string[] {
    const all = [...(children.get(folder) ?? [])].toSorted();
    const rank = (path: string) => (posix.basename(path) === "index" ? 0 : isFolder(path) ? 2 : 1);
    return all.toSorted((a, b) => rank(a) - rank(b));
  }

  function contents(folder: string): { items: (MenuEntry | Separator)[]; hasIndex: boolean } {
    const list = metaOf(folder)?.get("pages");
    const index = posix.join(folder, "index");
    if (list?.isList !== true) {
      const own = folder === "" ? usual(folder) : usual(folder).filter((path) => path !== index);
      return { items: own.flatMap(entry), hasIndex: folder === "" };
    }
    const names = list.texts();
    const left = new Set(usual(folder));
    for (const name of names) left.delete(posix.join(folder === "" ? "." : folder, name.replace(/^!|^\.{3}(?=.)/, "")));
    left.delete(index);
    if (addsRest && !names.includes("...") && !names.includes("z...a")) names.push("...");
    return { items: names.flatMap((name) => named(name, folder, [...left])), hasIndex: names.includes("index") };
  }

  function named(name: string, folder: string, left: readonly string[]): (MenuEntry | Separator)[] {
    if (name.startsWith("!")) return [];
    if (name === "..." || name === "z...a") return (name === "..." ? left : left.toReversed()).flatMap(entry);
    const [, heading] = /^---(?:\[[^\]]*\])?(.*?)---$/.exec(name) ?? [];
    if (heading !== undefined) return [{ separator: heading.trim() }];
    const [, title, href] = /^(?:external:)?(?:\[[^\]]*\])?\[([^\]]+)\]\(([^)]+)\)$/.exec(name) ?? [];
    if (title !== undefined && href !== undefined) {
      const own = pages.values().find(({ route }) => route === href);
      return [own === undefined ? { kind: "link", title, href } : pageEntry(own.route, title)];
    }
    const path = posix.join(folder === "" ? "." : folder, name.replace(/^\.{3}/, ""));
    return name.startsWith("...") ? contents(path).items : entry(path);
  }

  function entry(path: string): MenuEntry[] {
    const own = pages.get(path);
    if (!isFolder(path)) return own === undefined ? [missingPage(path)] : [pageEntry(own.route)];
    if (depth > MAX_DEPTH) return [];
    depth += 1;
    const { items, hasIndex } = contents(path);
    depth -= 1;
    const index = hasIndex ? undefined : pages.get(`${path}/index`);
    const name = posix.basename(path).replace(/^\((.*)\)$/, "$1");
    const title = metaOf(path)?.get("title").text() ?? pages.get(`${path}/index`)?.title ?? titleOfName(name);
    return [group(title, underSeparators(items), index?.route ?? null)];
  }

  const isRoot = (path: string) => metaOf(path)?.get("root").flag() === true;

  return {
    top(): readonly MenuEntry[] {
      const names = metaOf("")?.get("pages").texts() ?? [];
      const roots = [...(children.get("") ?? [])].filter((path) => isFolder(path) && isRoot(path));
      if (roots.length === 0) return underSeparators(contents("").items);
      const order = (path: string) => (names.includes(path) ? names.indexOf(path) : names.length);
      const sections = roots.toSorted((a, b) => order(a) - order(b)).flatMap(entry);
      const others = usual("")
        .filter((path) => !roots.includes(path))
        .flatMap(entry);
      const own = sections.flatMap((section) =>
        section.kind === "group" ? [{ title: section.title, children: withOwnPage(section) }] : [],
      );
      return tabEntries([...own, { title: "Documentation", children: others }]);
    },
  };
}
