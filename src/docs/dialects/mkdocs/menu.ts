import { firstRoute, group, pageEntry, languageEntry, withOwnPage } from "#docs/dialects/menus.ts";
import type { Data } from "#docs/dialects/reading/data.ts";
import type { Menu, MenuEntry, PlacedPage } from "#docs/dialects/tool-site.ts";
import type { Route } from "#docs/routes.ts";
import type { Blog } from "./blog.ts";
import { createFolderEntries, type Folders } from "./folder-entries.ts";
import type { FolderMenus } from "./folder-menus.ts";
import type { Languages } from "./languages.ts";

interface MenuParts {
  config: Data;
  folderMenus: FolderMenus;
  languages: Languages;
  blog: Blog | null;
}

/** `nav`, or the folders with the files that order them; top-level sections are tabs if the theme enables it. */
export function mkdocsMenu(all: readonly { page: PlacedPage; path: string }[], parts: MenuParts): Menu {
  const { config, languages, folderMenus, blog } = parts;
  const features = config.at("theme", "features").texts();
  const hasIndexes = features.includes("navigation.indexes") || config.get("plugins").texts().includes("section-index");
  const pages = all.filter(({ path }) => !folderMenus.isMenu(path));
  const titles = new Map<Route, string | null>();
  const inLanguage = (code: string | null): readonly MenuEntry[] => {
    const own = new Map<string, PlacedPage>();
    for (const { page: each, path } of pages) {
      const place = languages.placeOf(path);
      const isOwn = (place.language?.code ?? null) === code;
      // A page without a translation is shown in the default language.
      if (isOwn || (place.language?.isDefault === true && !own.has(place.path))) own.set(place.path, each);
    }
    const posts = blog === null ? [] : [...own].filter(([path]) => blog.isPost(path));
    for (const [path] of posts) own.delete(path);
    const folders = createFolderEntries(own, folderMenus);
    const entries = config.has("nav") ? navEntries(config.get("nav"), folders) : folders.entriesOf("");
    collectTitles(entries, titles);
    const shaped = entries.map((entry) => withIndexes(entry, own, hasIndexes));
    const home = own.get(`${blog?.folder ?? ""}/index.md`)?.route;
    const recent = posts
      .map(([, post]) => post)
      .sort((a, b) => (blog?.dateOf(b) ?? "").localeCompare(blog?.dateOf(a) ?? ""));
    const list = recent.map(({ route }) => pageEntry(route));
    const withPosts = list.length === 0 ? shaped : placed(shaped, home, group("Posts", list));
    return features.includes("navigation.tabs") ? withPosts.map((entry) => toTab(entry, own)) : withPosts;
  };
  const entries =
    languages.all.length < 2
      ? inLanguage(languages.all[0]?.code ?? null)
      : languages.all.map((language) => languageEntry(language, inLanguage(language.code)));
  return {
    entries,
    titles: new Map([...titles].flatMap(([route, title]) => (title === null ? [] : [[route, title]]))),
  };
}

/** The first entry of a page counts, also if it has no title. */
function collectTitles(entries: readonly MenuEntry[], titles: Map<Route, string | null>): void {
  for (const entry of entries) {
    if (entry.kind === "link") continue;
    if (entry.kind !== "page") collectTitles(entry.children, titles);
    else if (!titles.has(entry.route)) titles.set(entry.route, entry.title);
  }
}

function navEntries(nav: Data, folders: Folders): MenuEntry[] {
  return nav.list().flatMap((item): MenuEntry[] => {
    if (!item.isObject) return folders.named(item.text() ?? "", null);
    return item.entries().flatMap(([title, value]): MenuEntry[] => {
      if (!value.isList) return folders.named(value.text() ?? "", title);
      return [group(title, navEntries(value, folders))];
    });
  });
}

/** The first page of a section is the page of the section itself; a section without a title gets the title of that page. */
function withIndexes(entry: MenuEntry, pages: ReadonlyMap<string, PlacedPage>, hasIndexes: boolean): MenuEntry {
  if (entry.kind === "page" || entry.kind === "link") return entry;
  const children = entry.children.map((child) => withIndexes(child, pages, hasIndexes));
  const [first] = children;
  const index = first?.kind === "page" ? pageAt(pages, first.route) : undefined;
  const title = entry.title === "" ? (index?.title ?? "") : entry.title;
  const isIndex = hasIndexes && index !== undefined && /(?:^|\/)(?:index|README)\.md$/.test(index.path);
  return isIndex ? { ...entry, title, route: index.route, children: children.slice(1) } : { ...entry, title, children };
}

const pageAt = (pages: ReadonlyMap<string, PlacedPage>, route: string): PlacedPage | undefined =>
  pages.values().find((each) => each.route === route);

/** Places posts after the page of the blog, otherwise at the end. */
function placed(entries: readonly MenuEntry[], home: string | undefined, posts: MenuEntry): MenuEntry[] {
  const at = entries.findIndex((entry) => home !== undefined && firstRoute([entry]) === home);
  const entry = entries[at];
  if (entry === undefined) return [...entries, posts];
  const own: MenuEntry =
    entry.kind === "group" ? { ...entry, children: [...entry.children, posts] } : group("Blog", [entry, posts]);
  return entries.with(at, own);
}

function toTab(entry: MenuEntry, pages: ReadonlyMap<string, PlacedPage>): MenuEntry {
  // Material has the title of the tab for its index page.
  if (entry.kind === "group") return { kind: "tab", title: entry.title, children: withOwnPage(entry, entry.title) };
  if (entry.kind !== "page") return entry;
  return { kind: "tab", title: entry.title ?? pageAt(pages, entry.route)?.title ?? "", children: [entry] };
}
