import { posix } from "node:path";
import { pageStem } from "#docs/dialects/paths.ts";
import { encodePath, joinContentRoot, type Route, routeOfStem, stripContentRoot } from "#docs/routes.ts";
import { routesBelow } from "#docs/tree/navigation.ts";
import type { Asset, Docs, Page } from "#docs/tree/page-tree.ts";
import type { MoveReport } from "./move-report.ts";

/** Where the files of a site have to be, so that a `docs.json` in `root` gives them the addresses of the tool. */
export interface Layout {
  root: string;
  /** New paths of files that move, by their path. */
  moves: ReadonlyMap<string, string>;
}

/** Files that readers of the site see: its pages, and what is linked or has an address of its own. */
export interface ShownFiles {
  pages: readonly Page[];
  /** By address. */
  assets: ReadonlyMap<Route, Asset>;
}

/** The folder for which the fewest files move; of several, the innermost, which publishes least. */
export function layoutOf(docs: Docs, shown: ShownFiles, contentRoot: string | null): Layout {
  const folders = shown.pages.map(({ path }) => posix.dirname(path)).map((folder) => (folder === "." ? "" : folder));
  const common = folders.reduce((one, other) => commonFolder(one, other), folders[0] ?? docs.contentRoot);
  const pagesFolder = docs.tool?.chores?.pages ?? docs.contentRoot;
  const roots = contentRoot === null ? [common, pagesFolder, docs.contentRoot, ...foldersAround(shown)] : [contentRoot];
  const layouts = [...new Set(roots)]
    .filter((root) => stripContentRoot(joinContentRoot("x", root), docs.contentRoot) !== null)
    .toSorted((a, b) => b.length - a.length)
    .map((root) => ({ root, moves: movesFor(root, docs, shown) }));
  const [first = { root: docs.contentRoot, moves: new Map<string, string>() }, ...others] = layouts;
  return others.reduce((best, each) => (each.moves.size < best.moves.size ? each : best), first);
}

/** The folders in which the tool has its `static` or `public`. */
function foldersAround({ assets }: ShownFiles): Set<string> {
  const folders = new Set<string>();
  for (const [address, { path }] of assets) {
    const served = path.endsWith(decodeURIComponent(address)) ? path.slice(0, -decodeURIComponent(address).length) : "";
    if (served.includes("/") && folders.size < 5) folders.add(posix.dirname(served));
  }
  return folders;
}

function commonFolder(one: string, other: string): string {
  const [a, b] = [one.split("/"), other.split("/")];
  const differs = a.findIndex((part, index) => part !== b[index]);
  return (differs === -1 ? a : a.slice(0, differs)).join("/");
}

function movesFor(
  root: string,
  { contentRoot: toolRoot, navigation }: Docs,
  { pages, assets }: ShownFiles,
): Map<string, string> {
  const moves = new Map<string, string>();
  const listed = new Set(routesBelow(navigation));
  const folders = new Set(pages.flatMap(({ route }) => foldersOf(route)));
  for (const { path, route } of pages) {
    const within = stripContentRoot(path, root);
    if (within !== null && isNativePage(within) && routeOfStem(within) === route) continue;
    const address = decodeURIComponent(route.slice(1));
    const name = address === "" || folders.has(route) ? posix.join(address, "index") : address;
    // It would be no page at its new place either.
    if (!isNativePage(name) && !listed.has(route)) continue;
    const place = joinContentRoot(name + posix.extname(path), root);
    if (place !== path && encodePath(pageStem(within ?? "")) !== route) moves.set(path, place);
  }
  for (const [address, { path }] of assets) {
    const within = stripContentRoot(path, root);
    const isInside = within !== null && !/(?:^|\/)\./.test(within);
    const isServed =
      isInside &&
      (encodePath(within) === address || encodePath(within.replace(/^(?:public|static)\//, "")) === address);
    if (isServed) continue;
    const own = stripContentRoot(path, toolRoot) ?? path;
    // A file without an address in the tool only has to be inside.
    const isPlaced = encodePath(own) !== address;
    if (isPlaced) moves.set(path, joinContentRoot(`public/${decodeURIComponent(address.slice(1))}`, root));
    else if (!isInside) moves.set(path, joinContentRoot(mediaPath(own), root));
  }
  return moves;
}

/** `src/assets/logo.svg` is `assets/logo.svg`. */
function mediaPath(path: string): string {
  const parts = path.split("/").filter((part) => !part.startsWith("."));
  const folder = parts.findIndex((part) => /^(?:assets|images?|img|media|static|public)$/i.test(part));
  return folder === -1 ? posix.join("images", ...parts) : parts.slice(folder).join("/");
}

/** Names that are no pages in the native format unless the navigation lists them. */
const isNativePage = (path: string): boolean =>
  !path.split("/").some((part) => part.startsWith("_") || part.startsWith(".")) && !path.startsWith("snippets/");

const UNPUBLISHED =
  "Unchanged and no longer published, because its name or folder begins with `_` or is `snippets`, and the navigation does not list it";

/** Reports and returns the pages of the tool that are no pages in the native format, because of their names. */
export function reportUnpublished(
  { before, layout, report }: { before: Docs; layout: Layout; report: MoveReport },
  { docs, pathOf }: { docs: Docs; pathOf(path: string): string },
): Set<string> {
  const isLeft = (place: string) =>
    !docs.pagesByPath.has(place) && !isNativePage(stripContentRoot(place, layout.root) ?? "");
  const left = [...before.pagesByPath.keys()].filter((path) => isLeft(pathOf(path)));
  for (const path of left) report.add(UNPUBLISHED, { path, line: null });
  return new Set(left);
}

function foldersOf(route: Route): Route[] {
  const parts = route.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/") || "/");
}
