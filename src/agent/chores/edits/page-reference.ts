import type { Docs, Page } from "#content/page-tree.ts";
import { markdownFormat } from "#content/parser.ts";
import { joinContentRoot, routeOfStem } from "#content/routes.ts";
import { AppError } from "#lib/app-error.ts";
import { nearest } from "#agent/tools/text-file.ts";
import { trimEndOf } from "#lib/trim.ts";

/**
 * The one page that a person means by its path, address, file name or title, tried in this order.
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
  const names = pages.flatMap((page) => [page.title, withoutExtension(page.path)]);
  const near = nearest(wanted, [...new Set(names)], 3);
  const hint = near.length === 0 ? "" : ` Did you mean ${near.map((name) => `“${name}”`).join(" or ")}?`;
  throw new AppError("not_found", `There is no page “${reference}”.${hint}`);
}

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
