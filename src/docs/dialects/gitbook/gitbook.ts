import { posix } from "node:path";
import { group, missingPage, pageEntry } from "#docs/dialects/menus.ts";
import { address, baseOf, folderOf, inside, pageStem } from "#docs/dialects/paths.ts";
import { present } from "#docs/dialects/reading/data.ts";
import type { RepositoryFiles } from "#docs/dialects/repository.ts";
import { readSummary, type SummaryItem } from "#docs/dialects/summary.ts";
import type { Dialect, FoundSite, MenuEntry, PlacedPage, ReadContext, ToolSite } from "#docs/dialects/tool-site.ts";
import type { Json } from "#docs/json-document.ts";
import { decodeLoose } from "#docs/hrefs.ts";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { createProblemList } from "#docs/problems.ts";
import { joinContentRoot, type Route } from "#docs/routes.ts";
import { readBookToml } from "./book-toml.ts";

const CONFIG = /(?:^|\/)(?:\.gitbook\.ya?ml|book\.toml|book\.json)$/;
const SUMMARY = /(?:^|\/)SUMMARY\.md$/;
const MAX_READ = 50;

/** GitBook (including its old command line) and mdBook: the navigation is the lists of `SUMMARY.md`. */
export const gitbook: Dialect = {
  name: "gitbook",
  title: "GitBook or mdBook",
  async find(repository: RepositoryFiles) {
    const configured = repository.paths.filter((path) => CONFIG.test(path));
    const places = configured.map((file): FoundSite => placeOf(file));
    const taken = new Set<string>();
    const empty = new Set<string | null>();
    for (const { contentRoot, file } of places.slice(0, MAX_READ)) {
      const book = await readBook(contentRoot, file ?? "", { repository, problems: createProblemList(0) });
      const folder = joinContentRoot(book.folder, contentRoot);
      taken.add(contentRoot).add(folder);
      if (!repository.has(joinContentRoot(book.summary, folder))) empty.add(file);
    }
    const summaries = repository.paths.filter(
      (path) => SUMMARY.test(path) && !isIgnoredPath(path) && !taken.has(folderOf(posix.dirname(path))),
    );
    for (const file of summaries.slice(0, MAX_READ)) {
      const place = placeOf(file);
      if (place.contentRoot === "" || place.contentRoot === "docs") places.push(place);
      else if (await listsFiles(file, repository)) {
        const isSpace = repository.paths.some((path) => path.startsWith(`${place.contentRoot}/.gitbook/`));
        places.push({ ...place, isGuessed: true, isOnlyByName: !isSpace });
      }
    }
    // Left behind by a move to another tool, or the setting of a synchronization whose spaces are folders.
    const isAlone = places.length === 1;
    return places.map((place) =>
      empty.has(place.file) ? { ...place, isGuessed: true, isOnlyByName: !isAlone } : place,
    );
  },
  read,
};

function placeOf(file: string): FoundSite {
  const folder = folderOf(posix.dirname(file));
  return { contentRoot: folder, file, content: [folder, folderOf("src", folder), folderOf("docs", folder)] };
}

/** Whether it is a navigation: other texts are also named summary. */
async function listsFiles(file: string, { text, has }: RepositoryFiles): Promise<boolean> {
  const lists = (items: readonly SummaryItem[]): boolean =>
    items.some(({ target, children }) => (target !== null && has(fileOf(target, file))) || lists(children));
  return readSummary((await text(file)) ?? "").some(({ items }) => lists(items));
}

interface Book {
  title: string | null;
  description: string | null;
  folder: string;
  readme: string;
  summary: string;
  language: string | null;
  favicon: string | null;
  base: string;
  /** Whether only the pages in the summary exist, as in mdBook. */
  isComplete: boolean;
  redirects: readonly { from: string; to: string }[];
  links: Json[];
  canEdit: boolean;
}

async function read({ contentRoot, file }: FoundSite, context: ReadContext): Promise<ToolSite> {
  const book = await readBook(contentRoot, file ?? "", context);
  const { folder, readme } = book;
  const name = posix.basename(file ?? "");
  const summaryFile = joinContentRoot(joinContentRoot(book.summary, folder), contentRoot);
  const text = (await context.repository.text(summaryFile)) ?? "";
  const parts = readSummary(text);
  const within = (path: string): string => inside(path, folder) ?? path;
  const listed = new Set<string>();
  const collect = (items: readonly SummaryItem[]): void => {
    for (const { target, children } of items) {
      if (target !== null) listed.add(fileOf(target, book.summary));
      collect(children);
    }
  };
  for (const { items } of parts) collect(items);
  const hidden = context.repository.below(contentRoot).flatMap((path) => /^.*\/\.gitbook(?=\/)/.exec(path)?.[0] ?? []);
  const routeOf = (path: string): Route =>
    path === readme ? "/" : address(pageStem(path).replace(/(?:^|\/)(?:README|index)$/i, ""));
  return {
    settings: present({
      name: book.title,
      description: book.description,
      language: book.language,
      favicon: book.favicon,
      navbar: { links: book.links },
      feedback: { suggestEdit: book.canEdit },
      redirects: book.redirects.map(({ from, to }): Json => {
        const [page = "", hash] = to.split("#");
        const route = routeOf(page.replace(/^\.?\//, "").replace(/\.html$/, ""));
        return {
          source: address(pageStem(from).replace(/\.html$/, "")),
          destination: /^[a-z]+:/i.test(to) ? to : route + (hash === undefined ? "" : `#${hash}`),
        };
      }),
    }),
    base: book.base,
    edited: {
      navigation: joinContentRoot(book.summary, folder),
      redirects: name === "SUMMARY.md" ? ".gitbook.yaml (there is none)" : name,
      chores: {
        pages: folder,
        navigation: joinContentRoot(book.summary, folder),
        redirects: /^\.gitbook\.ya?ml$/.test(name) ? name : null,
      },
    },
    keys: [],
    isPage(path) {
      const relative = inside(path, folder);
      if (relative === null || relative === book.summary) return false;
      return book.isComplete ? listed.has(relative) : !/(?:^|\/)SUMMARY\.md$/.test(relative);
    },
    frontMatter: ({ weight: _, nav_order: __, order: ___, sidebar_position: ____, ...rest }) => rest,
    routes: (pages) => new Map(pages.map(({ path }) => [path, routeOf(within(path))])),
    navigation(pages) {
      const byPath = new Map(pages.map((each) => [within(each.path), each]));
      const entries = parts.flatMap(({ title, items }): MenuEntry[] => {
        const inner = items.flatMap((item) =>
          entriesOf(item, { file: summaryFile, byPath, summary: book.summary, depth: 0 }),
        );
        const isTitle = title === null || /^(?:table of contents|summary)$/i.test(title);
        return isTitle ? inner : [group(title, inner)];
      });
      return { entries: entries.length > 0 ? entries : null };
    },
    files: [
      { folder, at: "" },
      { folder: joinContentRoot(".gitbook", folder), at: ".gitbook" },
      ...[...new Set(hidden)].map((each) => ({ folder: each, at: within(each) })),
    ].filter((each) => each.folder !== ""),
  };
}

/** A target of the summary as a path below the folder of the pages. */
const fileOf = (target: string, summary: string): string =>
  posix.join(posix.dirname(summary), decodeLoose(target.replace(/[?#].*/s, ""))).replace(/\/$/, "");

const MAX_DEPTH = 12;

function entriesOf(
  { title, target, children, line }: SummaryItem,
  at: { file: string; byPath: ReadonlyMap<string, PlacedPage>; summary: string; depth: number },
): MenuEntry[] {
  const { byPath, summary, depth } = at;
  const inner = depth > MAX_DEPTH ? [] : children.flatMap((child) => entriesOf(child, { ...at, depth: depth + 1 }));
  const isElsewhere = target !== null && /^[a-z][a-z0-9+.-]*:/i.test(target);
  if (isElsewhere && inner.length === 0) return [{ kind: "link", title, href: target }];
  const path = target === null ? "" : fileOf(target, summary);
  const own = byPath.get(path) ?? byPath.get(`${path}/README.md`);
  if (inner.length > 0) return [group(title, inner, own?.route ?? null)];
  if (own !== undefined) return [pageEntry(own.route, title)];
  return target === null ? [] : [missingPage(target, { path: at.file, line: line + 1 })];
}

const MDBOOK_REDIRECT = "output.html.redirect.";

async function readBook(contentRoot: string, file: string, { repository, problems }: ReadContext): Promise<Book> {
  const nothing = { title: null, description: null, language: null, favicon: null, base: "", redirects: [], links: [], canEdit: false }; // oxfmt-ignore
  const usual = { ...nothing, folder: "", readme: "README.md", summary: "SUMMARY.md", isComplete: false };
  const name = posix.basename(file);
  if (name === "SUMMARY.md") return usual;
  if (name === "book.toml") {
    const toml = readBookToml((await repository.text(file)) ?? "");
    const link = toml.get("output.html.git-repository-url");
    const favicons = ["theme/favicon.svg", "theme/favicon.png"];
    const favicon = favicons.find((each) => repository.has(joinContentRoot(each, contentRoot)));
    const redirects = [...toml].flatMap(([key, to]) => {
      const from = key.slice(MDBOOK_REDIRECT.length);
      // A server does not see the part of an address that follows `#`.
      if (!key.startsWith(MDBOOK_REDIRECT) || from.includes("#")) return [];
      return [{ from, to: /^(?:[a-z]+:|\/)/i.test(to) ? to : posix.join("/", posix.dirname(from), to) }];
    });
    return {
      ...usual,
      title: toml.get("book.title") ?? null,
      description: toml.get("book.description") ?? null,
      language: toml.get("book.language") ?? null,
      favicon: favicon === undefined ? null : `/${favicon}`,
      base: baseOf(toml.get("output.html.site-url") ?? null),
      folder: folderOf(toml.get("book.src") ?? "src"),
      isComplete: true,
      redirects,
      links: link === undefined ? [] : [{ label: "Repository", href: link }],
      canEdit: toml.has("output.html.edit-url-template"),
    };
  }
  const data = await repository.data(file, problems);
  const redirects = data
    .get("redirects")
    .entries()
    .flatMap(([from, to]) => {
      const target = to.text();
      return target === null ? [] : [{ from, to: target }];
    });
  const structure = data.get("structure");
  const own = (key: string, fallback: string) => folderOf((structure.get(key).text() ?? fallback).replace(/^\//, ""));
  return {
    ...usual,
    title: data.get("title").text(),
    description: data.get("description").text(),
    folder: folderOf((data.get("root").text() ?? ".").replace(/^\//, "")),
    readme: own("readme", "README.md"),
    summary: own("summary", "SUMMARY.md"),
    redirects,
  };
}
