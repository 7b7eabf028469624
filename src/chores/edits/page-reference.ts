import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { markdownFormat } from "#docs/parser.ts";
import { joinContentRoot, routeOfStem } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { nearest } from "#tools/text-file.ts";
import { trimEndOf } from "#lib/trim.ts";

/** What people call the first page of a site, which is seldom its title. */
const HOME = /^(?:home|home ?page|(?:start|landing|front) page|landing)$/;
const KINDS: ReadonlySet<string> = new Set(["page", "guide", "article", "the"]);
const MAX_HINTS = 3;
const MAX_NAME = 200;
const MAX_NAMES = 20_000;
/** Letters that two words have in common at least. */
const STEM = 5;

/**
 * The one page that a person means by its path, address, file name or title, tried in this order;
 * “home page” is the page at the root where none is called so.
 * Throws `AppError not_found` with the nearest names, or `invalid` when several pages are meant.
 */
export function resolvePage(docs: Docs, reference: string): Page {
  const wanted = reference.trim().replace(/[?#].*/s, "");
  const pages = [...docs.pages.values()];
  const stem = trimEndOf(wanted.replace(/^\.?\/+/, ""), "/").replace(/\.(?:md|mdx|markdown)$/i, "");
  const byPath =
    docs.pagesByPath.get(wanted.replace(/^\.?\/+/, "")) ??
    docs.pagesByPath.get(joinContentRoot(wanted.replace(/^\.?\/+/, ""), docs.contentRoot));
  if (byPath) return byPath;
  const isName = !/\s/.test(stem) || stem.includes("/");
  const byRoute = isName || wanted.startsWith("/") ? docs.pages.get(routeOfStem(stem)) : undefined;
  const lower = fold(stem);
  // A file's name may be another page's title, and then either may be meant. A path that is written as it is, is that page's.
  const theOne = (page: Page): Page => {
    const isItsPath = stem === withoutExtension(page.path) && fold(page.title) === fold(wanted);
    if (/[/.]/.test(wanted) || isItsPath) return page;
    const titled = pages.filter((each) => each !== page && fold(each.title) === fold(wanted));
    if (titled.length > 0) throw severalPages(reference, [page, ...titled]);
    return page;
  };
  if (byRoute) return theOne(byRoute);

  const tiers: ((page: Page) => boolean)[] = [
    (page) => fold(withoutExtension(page.path)) === lower || fold(decode(page.route).slice(1)) === lower,
    (page) => fold(withoutExtension(page.path)).endsWith(`/${lower}`) || fold(decode(page.route)).endsWith(`/${lower}`),
    (page) => fold(page.title) === fold(wanted) || fold(page.sidebarTitle ?? "") === fold(wanted),
  ];
  // "Quick start.mdx" is a file, "Quickstart" may be either: an extension settles it.
  const usable = markdownFormat(wanted) === null ? tiers : tiers.slice(0, 2);
  for (const isMeant of usable) {
    const found = lower === "" ? [] : pages.filter(isMeant);
    const [page, second] = found;
    if (page && !second) return theOne(page);
    if (page) throw severalPages(reference, found);
  }
  const home = HOME.test(lower) ? docs.pages.get("/") : undefined;
  if (home) return home;
  const names = [...new Set(pages.flatMap((page) => [page.title, withoutExtension(page.path)]))];
  const slips = nearest(wanted, names, MAX_HINTS);
  const near = slips.length > 0 ? slips : kindred(wanted, names);
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?`;
  throw new AppError("not_found", `There is no page “${reference}”.${hint}`);
}

/**
 * Those of `names` that have all words of `wanted`, also in another form: “migration” is in “Migrating to 2.0”. What
 * kind of page it is says nothing.
 */
function kindred(wanted: string, names: readonly string[]): string[] {
  const asked = wordsOf(wanted.slice(0, MAX_NAME)).filter((word) => !KINDS.has(word));
  if (!asked.some((word) => word.length >= STEM)) return [];
  const isKin = (name: string): boolean => {
    const words = wordsOf(name.slice(0, MAX_NAME));
    return asked.every((word) => words.some((each) => each === word || isOtherForm(word, each)));
  };
  return names.slice(0, MAX_NAMES).filter(isKin).slice(0, MAX_HINTS);
}

/** The same beginning, and endings of at most three letters. */
function isOtherForm(word: string, other: string): boolean {
  const stem = Math.max(STEM, word.length - 3);
  return word.length >= stem && word.slice(0, stem) === other.slice(0, stem) && other.length <= stem + 3;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function severalPages(reference: string, found: readonly Page[]): AppError {
  const list = found.slice(0, 5).map((each) => each.path).join(", "); // oxfmt-ignore
  return new AppError("invalid", `“${reference}” could be ${found.length} pages: ${list}. Name the one by its path.`);
}

/** A path pattern for `createGlob` from a pattern, a folder with pages, or the name of a page. */
export function resolveScope(docs: Docs, entry: string): string {
  const path = joinIfOutside(docs, trimEndOf(entry.replace(/^\.?\/+/, ""), "/"));
  if (/[*?{]/.test(path) || path === docs.contentRoot) return path;
  const isFolder = [...docs.pagesByPath.keys()].some((each) => each.startsWith(`${path}/`));
  return isFolder ? path : resolvePage(docs, entry).path;
}

function joinIfOutside(docs: Docs, path: string): string {
  return docs.contentRoot === "" || path === docs.contentRoot || path.startsWith(`${docs.contentRoot}/`)
    ? path
    : joinContentRoot(path, docs.contentRoot);
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:md|mdx|markdown)$/i, "");
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function decode(route: string): string {
  try {
    return decodeURIComponent(route);
  } catch {
    return route;
  }
}
