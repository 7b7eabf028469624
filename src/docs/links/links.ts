import { createBreather } from "#lib/waiting/breather.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { replaceHash, writeHref } from "./href-writer.ts";
import { resolveHref } from "#docs/hrefs.ts";
import type { WrittenLink } from "./link-extraction.ts";
import { createAnchorFinder, createTargetFinder } from "./link-suggestions.ts";
import { linkedId } from "#docs/slugs.ts";
import { anchorsWithIncludes, hasAnchor, type KnownAnchors, lacksAnchor, MAX_INCLUDE_DEPTH } from "./page-anchors.ts";
import { addressInTool, hrefToPage } from "./tool-links.ts";
import { createLinkCache, linkKey, parseLinkedFile, type LinkCache, type LinkedFile } from "./parsed-file.ts";
import { routeInsideBase, type Docs, type Page } from "#docs/tree/page-tree.ts";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";
import { encodePath, joinContentRoot, stripContentRoot, type Route } from "#docs/routes.ts";
import type { Snapshot } from "#docs/snapshot.ts";

export type LinkTarget =
  | { kind: "page"; route: Route; path: string; anchor: string | null }
  | { kind: "asset"; path: string }
  /** Served by the site itself (`/llms.txt`), or redirected by the configuration. */
  | { kind: "site"; path: string }
  | { kind: "redirect"; location: string };

export type BrokenReason = "no_page" | "no_anchor" | "no_asset";

export interface LinkSuggestion {
  /** Replaces the characters from `start` to `end`, in the style of the link as written. */
  url: string;
  /** `redirect`, `case` and `moved` are the only candidate and can be applied automatically; `similar` is a guess. */
  reason: "redirect" | "case" | "moved" | "similar";
}

/** An internal link. `start` and `end` are the range of its URL in the file's source (UTF-16). */
export interface Link extends WrittenLink {
  /** File of the repository that contains the link. */
  path: string;
  /** Null when the link is broken. */
  target: LinkTarget | null;
  broken: BrokenReason | null;
  /** For broken links, and for links that only work through a redirect. Best first. */
  suggestions: readonly LinkSuggestion[];
}

/** Links that have a target only without the base path of another address that they begin with. */
export interface WithBase {
  count: number;
  first: { path: string; line: number } | null;
}

export interface LinkReport {
  /** Empty when only broken links were requested. */
  links: readonly Link[];
  /** The first 50,000 broken links. */
  broken: readonly Link[];
  /** The number of internal links, and of broken ones. */
  counts: { links: number; broken: number };
  withBase: WithBase;
  /** Files that could not be parsed. Only their plain Markdown links are known, and anchors into them are not checked. */
  unparsed: readonly { path: string; line: number | null; message: string }[];
}

type FileVersion = { path: string; version: string };
type Parsing = { parsed: ReadonlyMap<string, LinkedFile>; parse(files: readonly FileVersion[]): Promise<unknown> };

const PARSES_AT_ONCE = 8;
const MAX_BROKEN = 50_000;
const SITE_FILES = new Set(["/llms.txt", "/llms-full.txt", "/sitemap.xml", "/robots.txt"]);

/**
 * Checks every internal link of a site's pages and snippets: Markdown links, images and definitions, and `href`, `src`
 * and `poster` of elements. External links are ignored. Relative links in snippets depend on the including page and are
 * left out. With a cache only new file versions are parsed.
 */
export async function checkLinks(options: {
  snapshot: Snapshot;
  docs: Docs;
  parser: MarkdownParser;
  cache?: LinkCache;
  /** Saves memory for callers that only need broken links: a large site has a million links. */
  onlyBroken?: boolean;
  /** Checks the links of these files only. Of other files, only the targets of those links are parsed. */
  only?: ReadonlySet<string>;
}): Promise<LinkReport> {
  const { snapshot, docs, parser, cache = createLinkCache(), onlyBroken = false, only } = options;
  const all = await markdownFiles(snapshot, docs);
  const parsed = new Map<string, LinkedFile>();
  const parse = (wanted: readonly FileVersion[]) =>
    mapConcurrently(wanted, PARSES_AT_ONCE, async (file) => {
      const key = linkKey(docs, file);
      const known = cache.get(key) ?? (await parseLinkedFile({ snapshot, parser, path: file.path, docs }));
      if (known.ok || !known.isLost) cache.set(key, known);
      parsed.set(file.path, known);
    });
  const files = only === undefined ? all : all.filter(({ path }) => only.has(path));
  await parse(files);
  if (only !== undefined) await parseTargets(all, docs, { parsed, parse });

  const context: Context = {
    docs,
    parsed,
    findTargets: createTargetFinder(docs),
    findAnchors: createAnchorFinder(),
    anchors: new Map(),
    withBase: { count: 0, first: null },
  };
  const links: Link[] = [];
  const broken: Link[] = [];
  const counts = { links: 0, broken: 0 };
  const breathe = createBreather();
  const unparsed: LinkReport["unparsed"][number][] = [];
  for (const { path } of files) {
    const file = parsed.get(path);
    if (file?.ok === false) unparsed.push({ path, line: file.line, message: file.message });
    for (const written of file?.links ?? []) {
      const rest = breathe();
      if (rest) await rest;
      for (const link of checkLink(written, path, context)) {
        counts.links += 1;
        if (!onlyBroken) links.push(link);
        if (link.broken === null) continue;
        counts.broken += 1;
        if (broken.length < MAX_BROKEN) broken.push(link);
      }
    }
  }
  return { links, broken, counts, withBase: context.withBase, unparsed };
}

async function markdownFiles(snapshot: Snapshot, docs: Docs): Promise<FileVersion[]> {
  return (await snapshot.files()).filter(
    ({ kind, path }) =>
      kind === "file" &&
      markdownFormat(path) !== null &&
      stripContentRoot(path, docs.contentRoot) !== null &&
      !isIgnoredPath(path),
  );
}

/** Parses the targets of the files' links, and what those pages include, for their anchors. */
async function parseTargets(all: readonly FileVersion[], docs: Docs, { parsed, parse }: Parsing): Promise<void> {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const wanted = new Set<string>();
  for (const [path, file] of parsed) {
    const from = stripContentRoot(path, docs.contentRoot) ?? path;
    for (const link of file.links) {
      const href = resolveHref(link.url, from, link.use);
      if (href.kind !== "internal" || !href.hash) continue;
      const target = findLinkTarget(encodePath(href.path.replace(/^\//, "")), link, docs);
      if (target?.kind === "page") wanted.add(target.path);
    }
  }
  for (let depth = 0; depth <= MAX_INCLUDE_DEPTH; depth += 1) {
    for (const file of parsed.values()) {
      for (const choice of file.ok ? file.includes.flat() : []) wanted.add(joinContentRoot(choice, docs.contentRoot));
    }
    const next = [...wanted].filter((path) => !parsed.has(path)).flatMap((path) => byPath.get(path) ?? []);
    if (next.length === 0) return;
    await parse(next);
  }
}

interface Context extends KnownAnchors {
  findTargets: ReturnType<typeof createTargetFinder>;
  findAnchors: ReturnType<typeof createAnchorFinder>;
  withBase: WithBase;
}

/** The link with its target, or nothing when it is not a link of the site. */
function checkLink(link: WrittenLink, path: string, context: Context): Link[] {
  const { docs } = context;
  const from = stripContentRoot(path, docs.contentRoot) ?? path;
  const isPage = docs.pagesByPath.has(path);
  if (!isPage && !/^[\\/]/.test(link.url)) return [];
  const href = resolveHref(link.url, from, link.use);
  if (href.kind === "external" || href.kind === "refused") return [];
  const broken = (reason: BrokenReason, suggestions: LinkSuggestion[]): Link[] => [
    { ...link, path, target: null, broken: reason, suggestions },
  ];
  if (href.kind === "outside") return broken(link.use === "link" ? "no_page" : "no_asset", []);

  const route = encodePath(href.path.replace(/^\//, ""));
  const isOfFile = /\.mdx?(?:[?#]|$)/i.test(link.url);
  const suggest = (): LinkSuggestion[] =>
    context.findTargets(route, from, isOfFile).map(({ target, route: address, hash, reason }) => {
      // A page without the heading is another one, or has changed: it is a guess, without the anchor.
      const isGuess = href.hash !== null && address !== null && lacksAnchor(address, href.hash, context);
      const written = { like: link.url, from, target, hash: isGuess ? null : (href.hash ?? hash) };
      const url = address === null ? writeHref(written) : hrefToPage(docs, { ...written, route: address });
      return { url, reason: isGuess ? "similar" : reason };
    });
  const inTool = addressInTool(docs, { ...link, route, page: docs.pagesByPath.get(path)?.route ?? null });
  const found = findLinkTarget(inTool ?? route, link, docs);
  if (found !== null && inTool === null && findAt(route, link, docs) === null) {
    context.withBase.count += 1;
    context.withBase.first ??= { path, line: link.line };
  }
  if (found === null) return broken(link.use === "source" || isFileName(route) ? "no_asset" : "no_page", suggest());
  if (found.kind === "redirect") return [{ ...link, path, target: found, broken: null, suggestions: suggest() }];
  // HTML tags are left as they are written.
  const hash = href.hash && (link.kind === "attribute" ? href.hash : linkedId(href.hash, docs.config.rules));
  if (found.kind !== "page" || !hash) return [{ ...link, path, target: found, broken: null, suggestions: [] }];

  // The part of a page that shows an operation also has anchors, which are not in any source.
  const isKnown = (docs.pages.get(found.route)?.operation ?? null) === null;
  const anchors = isKnown ? anchorsWithIncludes(found.path, context) : null;
  if (anchors === null || hasAnchor(anchors, hash)) {
    return [{ ...link, path, target: { ...found, anchor: hash }, broken: null, suggestions: [] }];
  }
  const target = stripContentRoot(found.path, docs.contentRoot) ?? found.path;
  return broken(
    "no_anchor",
    context.findAnchors(hash, anchors.ids).map(({ id, reason }) => ({
      url: replaceHash(link.url, id, { from, target }),
      reason,
    })),
  );
}

/** The target of a link in a file of the repository; null when there is nothing or the link leads out of the site. */
export function targetOfLink(docs: Docs, path: string, link: WrittenLink): LinkTarget | null {
  const href = resolveHref(link.url, stripContentRoot(path, docs.contentRoot) ?? path, link.use);
  if (href.kind !== "internal") return null;
  const route = encodePath(href.path.replace(/^\//, ""));
  const inTool = addressInTool(docs, { ...link, route, page: docs.pagesByPath.get(path)?.route ?? null });
  return findLinkTarget(inTool ?? route, link, docs);
}

/** The target of an address of the site; null when there is nothing. */
export function findLinkTarget(route: Route, link: WrittenLink, docs: Docs): LinkTarget | null {
  const inside = routeInsideBase(docs, route);
  return findAt(route, link, docs) ?? (inside === null ? null : findAt(inside, link, docs));
}

function findAt(route: Route, link: WrittenLink, docs: Docs): LinkTarget | null {
  const page =
    link.use === "link" ? (docs.pages.get(route) ?? docs.pages.get(docs.aliases.get(route) ?? "")) : undefined;
  if (page !== undefined) return { kind: "page", route: page.route, path: page.path, anchor: null };
  const asset = docs.assets.get(route);
  if (asset !== undefined) return { kind: "asset", path: asset.path };
  // The site redirects it to its first page.
  const isHome = route === "/" && link.use === "link" && docs.pages.size > 0;
  if (isHome || SITE_FILES.has(route)) return { kind: "site", path: route };
  const redirect = docs.redirects.match(route);
  if (redirect !== null) return { kind: "redirect", location: redirect.location };
  const behind = link.use === "link" && /\.html?$/i.test(route) ? pageBehind(route, docs) : undefined;
  return behind === undefined ? null : { kind: "page", route: behind.route, path: behind.path, anchor: null };
}

/** The site redirects `/guide.html` to the page, as sites built from the same files do. */
function pageBehind(route: Route, docs: Docs): Page | undefined {
  const bare = route.replace(/\.html?$/i, "");
  return docs.pages.get(bare) ?? docs.pages.get(bare.replace(/\/index$/i, "") || "/");
}

function isFileName(route: Route): boolean {
  return /\.[a-z][a-z0-9]{1,5}$/i.test(route) && !/\.(html?|md|mdx|markdown)$/i.test(route);
}
