import { posix } from "node:path";
import { group, missingPage, pageEntry } from "#docs/dialects/menus.ts";
import { inside, matcherOf } from "#docs/dialects/paths.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { SummaryItem, SummaryPart } from "#docs/dialects/summary.ts";
import type { MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import type { FolderMenus } from "./folder-menus.ts";

export interface Folders {
  /** The entries of a folder, as its own files arrange them. */
  entriesOf(folder: string): MenuEntry[];
  /** The entries for a target in a navigation: the path of a file or folder, a pattern, or an external address. */
  named(target: string, title: string | null, from?: string): MenuEntry[];
}

const MAX_DEPTH = 12;

export function createFolderEntries(
  pages: ReadonlyMap<string, PlacedPage>,
  { summaries, menus }: FolderMenus,
): Folders {
  const paths = [...pages.keys()].toSorted();
  const byFolder = Map.groupBy(paths, (path) => folderName(path));
  const subfolders = new Map<string, Set<string>>();
  for (const path of paths) {
    for (let folder = folderName(path); folder !== ""; folder = folderName(folder)) {
      const parent = folderName(folder);
      subfolders.set(parent, (subfolders.get(parent) ?? new Set()).add(folder));
    }
  }
  const filesOf = (folder: string) => (byFolder.get(folder) ?? []).toSorted((a, b) => rank(a) - rank(b));
  const foldersOf = (folder: string) => [...(subfolders.get(folder) ?? [])].toSorted();
  let depth = 0;

  function entriesOf(folder: string): MenuEntry[] {
    if (depth > MAX_DEPTH) return [];
    depth += 1;
    try {
      const summary = summaries.get(folder);
      if (summary !== undefined) return partEntries(summary, folder);
      const menu = menus.get(folder);
      const nav = menu?.get(menu.has("nav") ? "nav" : "arrange");
      const all = [...filesOf(folder), ...foldersOf(folder)];
      return nav?.isList === true ? arranged(nav, folder, all) : all.flatMap((path) => entry(path, null));
    } finally {
      depth -= 1;
    }
  }

  function entry(path: string, title: string | null): MenuEntry[] {
    const own = pages.get(path);
    if (own !== undefined) return [pageEntry(own.route, title)];
    if (!subfolders.has(path) && !byFolder.has(path)) return [];
    const menu = menus.get(path);
    if (menu?.get("hide").flag() === true) return [];
    return [group(title ?? menu?.get("title").text() ?? titleOfFolder(posix.basename(path)), entriesOf(path))];
  }

  function named(target: string, title: string | null, from = ""): MenuEntry[] {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(target))
      return title === null ? [] : [{ kind: "link", title, href: target }];
    const path = posix.join(from === "" ? "." : from, target.replace(/[?#].*/s, ""));
    if (path.includes("*")) {
      const matches = matcherOf([path.replace(/\/$/, "")]);
      return [
        ...paths.filter((each) => matches(each)),
        ...[...subfolders.values()].flatMap((each) => [...each]).filter((each) => matches(each)),
      ].flatMap((each) => entry(each, title));
    }
    const known = path.replace(/\/$/, "");
    const isMissing = /\.md$/i.test(known) && !pages.has(known);
    return isMissing ? [missingPage(target)] : entry(known, title);
  }

  /** `nav` of awesome-pages and awesome-nav: `...` stands for the remaining entries. */
  function arranged(nav: Data, folder: string, all: readonly string[]): MenuEntry[] {
    const items = nav.list();
    const left = new Set(all);
    const list = items.map((item): { rest: ((path: string) => boolean) | null; entries: MenuEntry[] } => {
      const [[title, value] = [null, item]] = item.isObject ? item.entries() : [];
      if (value.isList) return { rest: null, entries: [group(title ?? "", arranged(value, folder, all))] };
      const text = (value.text() ?? "").slice(0, 500);
      const [, pattern] = /^\.\.\.(?:\s*\|\s*(?:glob=)?(.+))?$/.exec(text) ?? [];
      const isGlob = text.includes("*");
      if (text.startsWith("...") || isGlob) {
        const matches = matcherOf([pattern ?? (isGlob ? text : "**")]);
        return { rest: (path) => matches(inside(path, folder) ?? path), entries: [] };
      }
      left.delete(posix.join(folder === "" ? "." : folder, text).replace(/\/$/, ""));
      return { rest: null, entries: named(text, title, folder) };
    });
    return list.flatMap(({ rest, entries }) => {
      if (rest === null) return entries;
      const found = [...left].filter(rest);
      for (const path of found) left.delete(path);
      return found.flatMap((path) => entry(path, null));
    });
  }

  function partEntries(parts: readonly SummaryPart[], folder: string): MenuEntry[] {
    return parts.flatMap(({ items }) => items.flatMap((item) => summaryEntry(item, folder)));
  }

  function summaryEntry({ title, target, children }: SummaryItem, folder: string): MenuEntry[] {
    const own = target ?? (/[*/]/.test(title) ? title : null);
    const isUntitled = target === null && own !== null;
    const inner = children.flatMap((child) => summaryEntry(child, folder));
    const found = own === null ? [] : named(own, isUntitled ? null : title, folder);
    return inner.length === 0 ? found : [group(title, [...found, ...inner])];
  }

  return { entriesOf, named };
}

const folderName = (path: string): string => (posix.dirname(path) === "." ? "" : posix.dirname(path));

const rank = (path: string): number => (/(?:^|\/)(?:index|README)\.md$/.test(path) ? 0 : 1);

/** As MkDocs derives it: `getting-started` is `Getting started`. */
function titleOfFolder(name: string): string {
  const title = name.replaceAll(/[-_]/g, " ");
  return title.toLowerCase() === title ? title.charAt(0).toUpperCase() + title.slice(1) : title;
}
