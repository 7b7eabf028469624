import { posix } from "node:path";
import {
  group,
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

/** Folders as their `meta.json` arranges them; root folders are tabs. */
export function fumadocsMenu(
  pages: readonly Placed[],
  {
    metas,
    languages,
  }: { metas: ReadonlyMap<string, Data>; languages: { codes: readonly string[]; original: string | null } },
): Menu {
  const inLanguage = (code: string | null): readonly MenuEntry[] => {
    const own = new Map<string, PlacedPage>();
    for (const each of pages) if (each.code === languages.original) own.set(pageStem(each.path), each.page);
    for (const each of pages) if (each.code === code) own.set(pageStem(each.path), each.page);
    const metaOf = (folder: string) =>
      metas.get(`${code ?? ""} ${folder}`) ?? metas.get(`${languages.original ?? ""} ${folder}`);
    return createTree(own, metaOf).top();
  };
  if (languages.codes.length < 2) return { entries: inLanguage(languages.original) };
  const entries = languages.codes.map((code) =>
    languageEntry({ label: code, code, isDefault: code === languages.original }, inLanguage(code)),
  );
  return { entries };
}

const MAX_DEPTH = 12;

function createTree(pages: ReadonlyMap<string, PlacedPage>, metaOf: (folder: string) => Data | undefined) {
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
    if (!isFolder(path)) return own === undefined ? [] : [pageEntry(own.route)];
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
