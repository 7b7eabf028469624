import { decodeLoose } from "#docs/hrefs.ts";
import { z } from "zod";
import type { Docs, Page } from "#docs/tree/page-tree.ts";
import { markdownFormat } from "#docs/parser.ts";
import { joinContentRoot, routeOfStem } from "#docs/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { nearest } from "#tools/text-file.ts";
import { trimEndOf } from "#lib/trim.ts";
import { createGlob } from "#tools/glob.ts";
import type { Workspace } from "./workspace.ts";

/** Common names for the first page of a site, which are seldom its title. */
const HOME = /^(?:home|home ?page|(?:start|landing|front) page|landing)$/;
const KINDS: ReadonlySet<string> = new Set(["page", "guide", "article", "the"]);
const MAX_HINTS = 3;
const MAX_NAME = 200;
const MAX_NAMES = 20_000;
/** Minimum number of letters that two words share. */
const STEM = 5;

/**
 * The page that a person means by its path, address, file name or title, tried in this order. “home page” is the page at the
 * root unless a page has that name. Throws `AppError not_found` with the nearest names, or `invalid` when several pages match.
 */
export function resolvePage(docs: Docs, reference: string): Page {
  const requested = reference.trim().replace(/[?#].*/s, "");
  const pages = [...docs.pages.values()];
  const stem = trimEndOf(requested.replace(/^\.?\/+/, ""), "/").replace(/\.(?:md|mdx|markdown)$/i, "");
  const named = requested.replace(/^\.?\/+/, "");
  const paths = [named, joinContentRoot(named, docs.contentRoot)];
  const byPath = paths.map((path) => docs.pagesByPath.get(path)).find((page) => page !== undefined);
  if (byPath) return byPath;
  // `a.md` beside `a.mdx` is a file without an address: the other one is not what was named.
  const unshown = docs.problems.find(({ code, path }) => code === "duplicate_address" && paths.includes(path));
  if (unshown)
    throw new AppError("invalid", `${unshown.path}: ${unshown.message} Rename or remove one of the two files first.`);
  const isName = !/\s/.test(stem) || stem.includes("/");
  const byRoute = isName || requested.startsWith("/") ? docs.pages.get(routeOfStem(stem)) : undefined;
  const lower = fold(stem);
  // A file's name may be another page's title, and then either may be meant. An exact path always means its page.
  const theOne = (page: Page): Page => {
    const isItsPath = stem === withoutExtension(page.path) && fold(page.title) === fold(requested);
    if (/[/.]/.test(requested) || isItsPath) return page;
    const titled = pages.filter((each) => each !== page && fold(each.title) === fold(requested));
    if (titled.length > 0) throw severalPages(reference, [page, ...titled]);
    return page;
  };
  if (byRoute) return theOne(byRoute);

  const tiers: ((page: Page) => boolean)[] = [
    (page) => fold(withoutExtension(page.path)) === lower || fold(decodeLoose(page.route).slice(1)) === lower,
    (page) =>
      fold(withoutExtension(page.path)).endsWith(`/${lower}`) || fold(decodeLoose(page.route)).endsWith(`/${lower}`),
    (page) => fold(page.title) === fold(requested) || fold(page.sidebarTitle ?? "") === fold(requested),
  ];
  // "Quick start.mdx" is a file, "Quickstart" may be either: an extension decides.
  const usable = markdownFormat(requested) === null ? tiers : tiers.slice(0, 2);
  for (const isMeant of usable) {
    const found = lower === "" ? [] : pages.filter(isMeant);
    const [page, second] = found;
    if (page && !second) return theOne(page);
    if (page) throw severalPages(reference, found);
  }
  const home = HOME.test(lower) ? docs.pages.get("/") : undefined;
  if (home) return home;
  const names = [...new Set(pages.flatMap((page) => [page.title, withoutExtension(page.path)]))];
  const slips = nearest(requested, names, MAX_HINTS);
  const near = slips.length > 0 ? slips : similarNames(requested, names);
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?`;
  throw new AppError("not_found", `There is no page “${reference}”.${hint}`);
}

/**
 * The names that contain all words of `requested`, also in another form: “migration” matches “Migrating to 2.0”. The kind of
 * page is ignored.
 */
function similarNames(requested: string, names: readonly string[]): string[] {
  const asked = wordsOf(requested.slice(0, MAX_NAME)).filter((word) => !KINDS.has(word));
  if (!asked.some((word) => word.length >= STEM)) return [];
  const isKin = (name: string): boolean => {
    const words = wordsOf(name.slice(0, MAX_NAME));
    return asked.every((word) => words.some((each) => each === word || isOtherForm(word, each)));
  };
  return names.slice(0, MAX_NAMES).filter(isKin).slice(0, MAX_HINTS);
}

/** Whether two words share a stem and have endings of at most three letters. */
function isOtherForm(word: string, other: string): boolean {
  const stem = Math.max(STEM, word.length - 3);
  return word.length >= stem && word.slice(0, stem) === other.slice(0, stem) && other.length <= stem + 3;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function severalPages(reference: string, found: readonly Page[]): AppError {
  const list = found.slice(0, 5).map((each) => each.path).join(", "); // oxfmt-ignore
  return new AppError(
    "invalid",
    `“${reference}” could be ${found.length} pages: ${list}. Name one by its path with its ending, such as ${found[0]!.path}.`,
  );
}

/** Converts a pattern, a folder with pages, or the name of a page to a path pattern for `createGlob`. */
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

/** A path, an address, a title or another name that people use. */
export const Name = z.string().min(1).max(400);
export const PageName = Name.describe("Path, address, file name or title of the page");
export const Title = z.string().trim().min(1).max(300);

/** Input field of chores that can be limited to a part of the docs. */
export const ScopeInput = z
  .array(Name)
  .min(1, "names no part: leave it out for everywhere")
  .max(100)
  .optional()
  .describe("Pages, folders or path patterns; everywhere when absent");

/** Input field of chores that can exclude parts of the docs. */
export const ExceptInput = z
  .array(Name)
  .max(100)
  .optional()
  .describe("Pages, folders or path patterns that stay unchanged");

/** A predicate on repository paths. Throws `AppError` when an entry matches nothing. */
export async function scopeTest(
  workspace: Workspace,
  scope: readonly string[] | undefined,
  except: readonly string[] = [],
): Promise<(path: string) => boolean> {
  const docs = await workspace.docs();
  const testsOf = (entries: readonly string[]) => entries.map((entry) => createGlob(resolveScope(docs, entry)));
  const requested = scope === undefined || scope.length === 0 ? null : testsOf(scope);
  const excluded = testsOf(except);
  const paths = [...docs.pagesByPath.keys()].filter((path) => requested?.some((test) => test(path)) ?? true);
  const idle = except.find((_entry, at) => !paths.some((path) => excluded[at]?.(path)));
  if (requested !== null && idle !== undefined) {
    throw new AppError("invalid", `“${idle}” is not in ${scope?.join(", ")}, so it would except nothing. Name it by its path.`); // oxfmt-ignore
  }
  return (path) => (requested?.some((test) => test(path)) ?? true) && !excluded.some((test) => test(path));
}

const MAX_LISTED = 20;

/** `AppError not_found` for an unknown name: it suggests the nearest one, and lists the known ones. */
export function noSuchName(place: string, kind: string, requested: string, names: readonly string[]): AppError {
  const near = nearest(requested, names, 1)[0];
  const hint = near === undefined ? "" : ` Did you mean “${near}”?`;
  const listed = names.slice(0, MAX_LISTED).map((name) => `“${name}”`);
  const known = listed.length === 0 ? `It has no ${kind}s.` : `It has: ${listed.join(", ")}.`;
  return new AppError("not_found", `${place} has no ${kind} “${requested}”.${hint} ${known}`);
}
