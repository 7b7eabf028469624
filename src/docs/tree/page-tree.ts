import { createBreather } from "#lib/waiting/breather.ts";
import { resolveNavigation, routesBelow, type NavigationNode, navigationFromTree } from "./navigation.ts";
import { holdsCredentials } from "#docs/credential-files.ts";
import { ignoreRules } from "#docs/dialects/ignore-rules.ts";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { loadDocsConfig, type DocsConfig } from "#docs/config/docs-config.ts";
import type { ConfigNode } from "#docs/config/written-navigation.ts";
import { createPageHeads, readPages, type Page, type PageHeads } from "./pages.ts";
import { markdownFormat } from "#docs/parser.ts";
import { createProblemList, type Problem, type ProblemList } from "#docs/problems.ts";
import type { OpenedSite } from "#docs/config/find-site.ts";
import { type ToolFiles, toolFiles } from "./tool-files.ts";
import { toolMenu } from "./tool-menu.ts";
import { createRedirects, type Redirects } from "./redirects.ts";
import { encodePath, joinContentRoot, routeOfStem, stripContentRoot, type Route } from "#docs/routes.ts";
import type { Snapshot, SnapshotFile } from "#docs/snapshot.ts";

/** A file of the site that is not a page. */
export interface Asset {
  path: string;
  version: string;
  sizeBytes: number;
}

export { createPageHeads, type Page, type PageHeads };

/** VitePress, Docusaurus and Hugo serve files in such a folder from the root of the site. */
const ASSET_FOLDER = /^\/(?:public|static)(\/.+)$/;

/** A docs project at one commit, ready to be served, searched and checked. */
export interface Docs {
  contentRoot: string;
  /** Path of the `docs.json` or `mint.json`; null without one, also on the site of another tool. */
  configFile: string | null;
  config: DocsConfig;
  /** The tool of the repository, whose own files people edit instead of a `docs.json`; null without one. */
  tool: ToolFiles | null;
  problems: readonly Problem[];
  pages: ReadonlyMap<Route, Page>;
  /** Pages by their path in the repository. */
  pagesByPath: ReadonlyMap<string, Page>;
  navigation: readonly NavigationNode[];
  /** Further addresses of a page in another tool, or by the path of its file. They redirect to the page. */
  aliases: ReadonlyMap<Route, Route>;
  /** Addresses that pages would have if they were no drafts, also by the paths of their files. No page is there. */
  drafts: ReadonlySet<Route>;
  redirects: Redirects;
  /** Files that may be served, by their canonical URL path; those in `public/` and `static/` have two. */
  assets: ReadonlyMap<Route, Asset>;
  /**
   * Paths that authors put in front of addresses if their site is shown below one: `/docs`. No page or file is there.
   */
  bases: readonly Route[];
}

/** A site while it is loaded, as the code that adds API pages sees it. */
export interface SiteInLoading {
  snapshot: Snapshot;
  contentRoot: string;
  config: DocsConfig;
  /** Pages of operations are added; those that document one get its method, title and description. */
  pages: Map<Route, Page>;
  /** Pages whose title is derived from their file's name. */
  untitled: ReadonlySet<Route>;
  problems: ProblemList;
}

/**
 * Adds the API documentation of a site. Returns the navigation in which pages replace the entries of operations. Problems of
 * a description are reported, never thrown.
 */
export type AddApiPages = (site: SiteInLoading) => Promise<readonly ConfigNode[] | null>;

// Twice the largest site known to us. Anything that lists all pages processes all of them.
const MAX_PAGES = 50_000;

// Written for agents that edit a repository, not for its readers.
const AGENT_INSTRUCTIONS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)\.md$/;

// Without a configuration the repository may be a program with its documentation: its source code is not published.
const MEDIA =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|ogv|mp3|ogg|wav|m4a|woff2?|ttf|otf|pdf|vtt|txt|csv|zip)$/i;

/**
 * Loads the structure of a docs project: configuration, pages with their titles, navigation, redirects, assets. Broken
 * content never throws; it is reported in `problems`. Symbolic links, hidden files and `node_modules` are ignored. Markdown
 * in `snippets/` (also in that of a language's folder) or below a name with `_` is a page only if the navigation lists it,
 * and instructions for agents (`AGENTS.md`) never are. Files that hold credentials are not assets.
 */
export async function loadDocs(
  snapshot: Snapshot,
  options: { contentRoot?: string | null; heads?: PageHeads; addApiPages?: AddApiPages } = {},
): Promise<Docs> {
  const loaded = await loadDocsConfig(snapshot, options);
  const { contentRoot, file: configFile, config, tool } = loaded;
  const problems = createProblemList();
  const isDeclared = configFile !== null || (tool === null && (options.contentRoot ?? null) !== null);

  const named = namedInNavigation(config.navigation ?? []);
  const isExcluded = ignoreRules(config.exclude.join("\n"));
  const { files, pageFiles } = await sortFiles(snapshot, contentRoot, { named, tool, isExcluded });
  for (const { path } of pageFiles.splice(MAX_PAGES, 1)) {
    problems.error(
      { path, line: null },
      `A site has at most ${MAX_PAGES.toLocaleString("en")} pages; this one and those after it are not shown.`,
    );
    pageFiles.length = MAX_PAGES;
  }
  const breathe = createBreather();
  const pages = await readPages(snapshot, {
    files: pageFiles,
    contentRoot,
    heads: options.heads ?? createPageHeads(),
    variables: config.variables,
    tool,
  });
  for (const { path, message } of pages.conflicts) problems.warning({ path, line: null }, message, "duplicate_address");
  for (const { path, groups } of pages.restricted) {
    const message = `The page is not shown: it is for the groups ${groups.join(", ").slice(0, 200)}, and Docent has no groups of readers. Without "groups" all readers of the site see it.`;
    problems.error({ path, line: null }, message, "left_out");
  }

  const site = { snapshot, contentRoot, config, pages: pages.byRoute, untitled: pages.untitled, problems };
  const configured = options.addApiPages === undefined ? config.navigation : await options.addApiPages(site);
  let navigation = configured && resolveNavigation(configured, pages.byRoute, problems);
  if (configFile !== null && navigation !== null && routesBelow(navigation).length === 0 && pages.byRoute.size > 0) {
    const message = "The navigation names no page that exists; the folders are shown instead.";
    problems.error({ path: configFile, line: null }, message, "navigation");
    navigation = null;
  }
  const menu = tool && toolMenu(tool, pages, problems);
  if (menu !== null) navigation = menu.navigation;
  for (const [route, title] of menu?.titles ?? []) {
    const page = pages.byRoute.get(route);
    if (page !== undefined) pages.byRoute.set(route, { ...page, title });
  }
  if (navigation === null) navigation = navigationFromTree(pages.byRoute.values(), contentRoot);
  else if (tool === null) hideUnlisted(pages.byRoute, navigation);
  await breathe();

  const assets = new Map<Route, Asset>();
  for (const { path, version, sizeBytes } of files) {
    if (markdownFormat(path) !== null || path === configFile || holdsCredentials(path)) continue;
    const relative = stripContentRoot(path, contentRoot) ?? path;
    const places = tool?.site.files.flatMap(({ folder, at }) => addressIn(relative, folder, at) ?? []) ?? [];
    if (!isDeclared && places.length === 0 && !MEDIA.test(path)) continue;
    for (const address of new Set([encodePath(relative), ...places])) assets.set(address, { path, version, sizeBytes });
    const rest = breathe();
    if (rest) await rest;
  }
  for (const [route, asset] of assets) {
    const rest = ASSET_FOLDER.exec(route)?.[1];
    if (rest !== undefined && !assets.has(rest)) assets.set(rest, asset);
  }
  return {
    contentRoot,
    bases: basesOf(
      [tool?.site.base || encodePath(contentRoot.split("/").at(-1) ?? ""), "/docs"],
      [pages.byRoute, assets],
    ),
    configFile,
    config,
    tool: tool && toolFiles(tool),
    problems: [...loaded.problems, ...(tool?.problems.all() ?? []), ...problems.all()],
    pages: pages.byRoute,
    pagesByPath: new Map(
      [...pages.byRoute.values()].filter((page) => !page.isGenerated).map((page) => [page.path, page]),
    ),
    navigation,
    aliases: menu?.aliases ?? new Map(),
    drafts: pages.drafts,
    redirects: createRedirects(config.redirects, (path) => pages.byRoute.has(path) || assets.has(path)),
    assets,
  };
}

function addressIn(path: string, folder: string, at: string): Route | null {
  const inside = stripContentRoot(path, folder);
  return inside === null ? null : encodePath(joinContentRoot(inside, at));
}

function basesOf(usual: readonly Route[], taken: readonly ReadonlyMap<Route, unknown>[]): Route[] {
  const names = new Set(usual);
  names.delete("/");
  const isTaken = (base: Route) =>
    taken.some((routes) => routes.keys().some((route) => route === base || route.startsWith(`${base}/`)));
  return [...names].filter((base) => !isTaken(base));
}

/** The target of an address that was written with the site's base path; null when it has none. */
export function routeInsideBase({ bases, pages, assets }: Docs, route: Route): Route | null {
  for (const base of bases) {
    const inside = route === base ? "/" : route.startsWith(`${base}/`) ? route.slice(base.length) : null;
    if (inside !== null && (pages.has(inside) || assets.has(inside))) return inside;
  }
  return null;
}

/** The page that has the address of a file below the content root, whether or not the file exists. */
export function pageOfFile({ pages, pagesByPath, aliases, contentRoot }: Docs, path: string): Page | undefined {
  const route = routeOfStem(path);
  return pagesByPath.get(joinContentRoot(path, contentRoot)) ?? pages.get(aliases.get(route) ?? route);
}

/** The same site with its API pages, for resolving links; its navigation stays unchanged. */
export async function withApiPages(docs: Docs, snapshot: Snapshot, addApiPages?: AddApiPages): Promise<Docs> {
  if (addApiPages === undefined) return docs;
  const { contentRoot, config } = docs;
  const pages = new Map(docs.pages);
  await addApiPages({ snapshot, contentRoot, config, pages, untitled: new Set(), problems: createProblemList(0) });
  return { ...docs, pages };
}

/** The files of a site, sorted into pages and others. */
async function sortFiles(
  snapshot: Snapshot,
  contentRoot: string,
  { named, tool, isExcluded }: { named: NamedInNavigation; tool: OpenedSite | null; isExcluded(path: string): boolean },
): Promise<{ files: SnapshotFile[]; pageFiles: SnapshotFile[] }> {
  const files: SnapshotFile[] = [];
  const pageFiles: SnapshotFile[] = [];
  const breathe = createBreather();
  for (const file of await snapshot.files()) {
    const rest = breathe();
    if (rest) await rest;
    const relative = file.kind === "file" ? stripContentRoot(file.path, contentRoot) : null;
    if (relative === null || isExcluded(relative)) continue;
    if (isIgnoredPath(file.path) && !isNamedFolder(relative, tool)) continue;
    files.push(file);
    if (tool === null ? isPage(file, contentRoot, named) : isToolPage(relative, tool)) pageFiles.push(file);
  }
  return { files, pageFiles };
}

/** A hidden folder that the tool serves, such as `.gitbook/assets`. */
const isNamedFolder = (path: string, tool: OpenedSite | null): boolean =>
  tool?.site.files.some(({ folder }) => folder.includes(".") && stripContentRoot(path, folder) !== null) ?? false;

const isToolPage = (path: string, { site }: OpenedSite): boolean =>
  markdownFormat(path) !== null && !AGENT_INSTRUCTIONS.test(path) && !isIgnoredPath(path) && site.isPage(path);

function isPage(file: SnapshotFile, contentRoot: string, { pages, languages }: NamedInNavigation): boolean {
  if (markdownFormat(file.path) === null || AGENT_INSTRUCTIONS.test(file.path)) return false;
  const relative = stripContentRoot(file.path, contentRoot) ?? "";
  if (/^skill\.md$/i.test(relative)) return pages.has(relative.replace(/\.[^.]+$/, ""));
  const segments = relative.split("/");
  const isSnippet = segments[0] === "snippets" || (segments[1] === "snippets" && languages.has(segments[0] ?? ""));
  const isPart = isSnippet || segments.some((segment) => segment.startsWith("_"));
  return !isPart || pages.has(relative.replace(/\.[^.]+$/, ""));
}

/** Whether a file of this name is served to readers, as a page, image, video or download. */
export function mayBeShown(path: string): boolean {
  return (markdownFormat(path) !== null && !AGENT_INSTRUCTIONS.test(path)) || MEDIA.test(path);
}

interface NamedInNavigation {
  /** Page references of a configuration, without slash and extension. */
  pages: ReadonlySet<string>;
  /** Codes of its languages, which are also names of folders. */
  languages: ReadonlySet<string>;
}

function namedInNavigation(nodes: readonly ConfigNode[]): NamedInNavigation {
  const [pages, languages] = [new Set<string>(), new Set<string>()];
  const open = [...nodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === "language" && node.language !== null) languages.add(node.language);
    if (node.kind === "page") pages.add(node.page.replace(/^\/+/, "").replace(/\.(md|mdx|markdown)$/i, ""));
    else if (node.kind !== "link" && node.kind !== "operation") open.push(...node.children);
  }
  return { pages, languages };
}

/** A configured navigation is complete: other pages are reachable only by their address. */
function hideUnlisted(pages: Map<Route, Page>, navigation: readonly NavigationNode[]): void {
  const listed = new Set(routesBelow(navigation));
  for (const [route, page] of pages) {
    if (!listed.has(route) && !page.hidden) pages.set(route, { ...page, hidden: true });
  }
}

/** Path in the repository of a path in the site, as returned by `resolveHref` (decoded, with a leading slash). */
export function pathInRepository(docs: Pick<Docs, "contentRoot">, sitePath: string): string {
  return joinContentRoot(sitePath.replace(/^\/+/, ""), docs.contentRoot);
}

/** The same for an included file: with a leading slash it is a path in the repository, otherwise one in the site. */
export const includedPath = (docs: Pick<Docs, "contentRoot">, path: string): string =>
  path.startsWith("/") ? path.slice(1) : joinContentRoot(path, docs.contentRoot);
