import { runAtOnce } from "#lib/waiting/breather.ts";
import { trimOf } from "#lib/trim.ts";
import { markdownFormat } from "./parser.ts";

/**
 * A route is the canonical path of a page or asset in its site's URLs: it starts with a slash, has no extension, no
 * trailing slash and no `index`, and is percent-encoded the same way however a link was written.
 */
export type Route = string;

/** Two files with the same route, which `path` does not get. */
export interface RouteConflict {
  path: string;
  message: string;
}

/** The pages of one content root and their routes, in both directions. */
export interface Routes {
  routeOf(path: string): Route | null;
  pathOf(route: Route): string | null;
  all: ReadonlyMap<Route, string>;
  conflicts: readonly RouteConflict[];
}

const FOLDED_NAME = /^(index|readme)$/i;
const PAGE_EXTENSION = /\.(md|mdx|markdown)$/i;
// Which of two files with the same stem wins; the other has no address.
const EXTENSION_ORDER = ["mdx", "md", "markdown"];

/**
 * Assigns every page its route, whatever the order of `paths`. `guides/index.md` and `guides/README.md` both claim
 * `/guides`: a plain `guides.md` comes first, then index, then README, and the others keep their full name
 * (`/guides/README`).
 */
export const createRoutes = (paths: Iterable<string>, contentRoot: string): Routes =>
  runAtOnce(buildRoutes(paths, contentRoot));

/** The same as a generator that yields between steps: 25,000 paths take 0.15 s. */
export function* buildRoutes(paths: Iterable<string>, contentRoot: string): Generator<void, Routes> {
  const all = new Map<Route, string>();
  const routes = new Map<string, Route>();
  const conflicts: RouteConflict[] = [];
  const take = (route: Route, path: string) => {
    all.set(route, path);
    routes.set(path, route);
  };

  for (const candidate of yield* candidatesOf(paths, contentRoot)) {
    yield;
    const { path, folded, full } = candidate;
    const winner = all.get(folded) ?? path;
    if (!all.has(folded)) take(folded, path);
    else if (folded !== full && !all.has(full)) {
      take(full, path);
      conflicts.push({
        path,
        message: `${folded} is the address of ${winner}; this page is at ${full}.`,
      });
    } else {
      conflicts.push({
        path,
        message: `${full} is the address of ${all.get(full) ?? winner}; this page is not shown.`,
      });
    }
  }
  return {
    routeOf: (path) => routes.get(path) ?? null,
    pathOf: (route) => all.get(route) ?? null,
    all,
    conflicts,
  };
}

interface Candidate {
  path: string;
  folded: Route;
  full: Route;
  rank: number;
}

function* candidatesOf(paths: Iterable<string>, contentRoot: string): Generator<void, Candidate[]> {
  const candidates: Candidate[] = [];
  for (const path of paths) {
    yield;
    const relative = stripContentRoot(path, contentRoot);
    if (relative === null || markdownFormat(relative) === null) continue;
    const stem = relative.replace(PAGE_EXTENSION, "");
    const extension = relative.slice(stem.length + 1).toLowerCase();
    const name = stem.slice(stem.lastIndexOf("/") + 1);
    const nameRank = !FOLDED_NAME.test(name) ? 0 : /^index$/i.test(name) ? 10 : 20;
    candidates.push({
      path,
      folded: routeOfStem(stem),
      full: encodePath(stem),
      rank: nameRank + EXTENSION_ORDER.indexOf(extension),
    });
  }
  return candidates.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1));
}

/** A folder as people write it (`/docs/`) without leading and trailing slashes; `""` is the repository's root. */
export function trimContentRoot(written: string): string {
  return trimOf(written, "/");
}

/** Path below the content root; null when the file is outside it. */
export function stripContentRoot(path: string, contentRoot: string): string | null {
  if (contentRoot === "") return path;
  return path.startsWith(`${contentRoot}/`) ? path.slice(contentRoot.length + 1) : null;
}

/** Repository path of a path that is relative to the content root. */
export function joinContentRoot(relative: string, contentRoot: string): string {
  return contentRoot === "" || relative === "" ? contentRoot + relative : `${contentRoot}/${relative}`;
}

/** The route that `guides/intro`, `guides/intro.mdx` or `guides/README` names; the page need not exist. */
export function routeOfStem(reference: string): Route {
  const segments = reference
    .replace(PAGE_EXTENSION, "")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".");
  if (FOLDED_NAME.test(segments.at(-1) ?? "")) segments.pop();
  return encodePath(segments.join("/"));
}

// True of most paths. The slow path takes 8 µs (measured), which is noticeable with 25,000 pages.
const NEEDS_NO_ENCODING = /^[\w.!~*'()@:$&+,;=/-]*$/;

/**
 * Percent-encodes a decoded path as browsers do for a path, plus `?`, `#` and `%`. Accents are composed (NFC), as people type
 * them: file names from macOS archives are decomposed (NFD) and look the same.
 */
export function encodePath(decoded: string): Route {
  if (NEEDS_NO_ENCODING.test(decoded)) return `/${decoded}`;
  const encoded = decoded
    .toWellFormed()
    .normalize("NFC")
    .split("/")
    .map((segment) => encodeURIComponent(segment).replaceAll(/%(?:40|3A|24|26|2B|2C|3B|3D)/g, decodeURIComponent));
  return `/${encoded.join("/")}`;
}

/** A path as written, and with its accents composed and decomposed, which look the same. */
export const spellingsOf = (path: string): string[] => [
  ...new Set([path, path.normalize("NFC"), path.normalize("NFD")]),
];

/** The path that one of the files has for a path that an author wrote; the written one if there is no such file. */
export const spelledAsIn = (files: { has(path: string): boolean }, path: string): string =>
  spellingsOf(path).find((each) => files.has(each)) ?? path;

/**
 * Decodes the segments of a URL path; null for an invalid one: malformed escapes, an escaped slash or backslash, control
 * characters, dot segments. Empty segments (`//`, a trailing slash) are dropped.
 */
export function decodePath(pathname: string): string[] | null {
  const segments: string[] = [];
  for (const raw of pathname.split("/")) {
    if (raw === "") continue;
    let segment: string;
    try {
      segment = decodeURIComponent(raw);
    } catch {
      return null;
    }
    if (segment === "." || segment === ".." || /[/\\\p{Cc}]/u.test(segment)) return null;
    segments.push(segment);
  }
  return segments;
}

// Runs twice per request. No segment begins with a dot, so none of them is a dot segment.
const IS_CANONICAL = /^(?:\/[\w!~*'()@:$&+,;=-][\w.!~*'()@:$&+,;=-]*)+$/;

/** The canonical form of a URL path, with `index`, `README` and a page's extension kept; null as for `decodePath`. */
export function canonicalPath(pathname: string): Route | null {
  if (IS_CANONICAL.test(pathname)) return pathname;
  const segments = decodePath(pathname);
  return segments && encodePath(segments.join("/"));
}
