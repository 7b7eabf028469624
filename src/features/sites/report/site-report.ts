import { PLUGIN_CONTENT } from "#docs/syntax/plugin-content.ts";
import { createLinkCache, linkKey } from "#docs/links/parsed-file.ts";
import { type Page, mayBeShown } from "#docs/tree/page-tree.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";
import { createIcons } from "#docs/render/icons.ts";
import { type Route, stripContentRoot } from "#docs/routes.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { PageContent, PageContents } from "#features/sites/page-content.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { configurationProblems } from "./configuration-problems.ts";
import type { WithBase } from "#docs/links/links.ts";
import { createFirstUses, isNamedOnce } from "./first-uses.ts";
import { ignoredKeys } from "./ignored-keys.ts";
import { findBrokenLinks, linkProblem } from "./link-problems.ts";
import { linksToUnbuilt } from "./unbuilt-folders.ts";
import { createPageProblems, descriptionsNotChecked, linksNotChecked, pagesLeftOut } from "./page-problems.ts";
import { createProblemGatherer, type Report } from "./report.ts";
import { isIgnoredPath } from "#docs/ignored-path.ts";
import { isLfsPointer, MAX_LFS_POINTER_BYTES, readIfPossible } from "#docs/snapshot.ts";
import type { Problem, Severity } from "#docs/problems.ts";
import { createBreather } from "#lib/waiting/breather.ts";

export interface ReportOptions {
  signal?: AbortSignal;
  /** The number of checked pages, and of all pages. */
  onProgress?(done: number, all: number): void;
  /** How many problems the report lists. */
  maxListed?: number;
}

/** Creates the report of one version of a site. Rejects only on abort, or when the repository cannot be read. */
export type MakeSiteReport = (
  site: { project: ProjectId; version: SiteVersion },
  options?: ReportOptions,
) => Promise<Report>;

// Ends the report of a project whose every page takes seconds, even on a busy machine; its results are kept for the
// next report.
const MAX_RENDER_MS = 2 * 3_600_000;

/**
 * The rules of the report, shared by the server and `docent check`: problems in the configuration, the navigation, the
 * API descriptions, the rendered pages, and the links between them. Works page by page in the processes that render for
 * readers; projects take turns at every page. The previous results of a page are reused while its file and snippets are
 * unchanged.
 */
export function createSiteReport(deps: {
  contents: PageContents;
  parserFor(owner: string): MarkdownParser;
  /** Pages rendered at once, over all projects. */
  atOnce?: number;
  /** Wall-clock time limit for a page; null: none. */
  patienceMs?: number | null;
}): MakeSiteReport {
  const { atOnce = 1, patienceMs = null } = deps;
  const places = createFairPlaces({ places: atOnce, perOwner: atOnce });
  const linkCache = createLinkCache(200_000);
  const pageProblems = createPageProblems(deps.contents, { patienceMs });
  const icons = createIcons();

  async function each<Item>(items: readonly Item[], task: (item: Item) => Promise<void>): Promise<void> {
    const waiting = items.values();
    const work = async () => {
      for (const item of waiting) await task(item);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  return async ({ project, version }, { signal, onProgress, maxListed } = {}) => {
    const startedAt = performance.now();
    const { docs } = version;
    const found = createProblemGatherer(maxListed);
    const withPlace = <T>(task: () => Promise<T>) =>
      places.run(project, () => {
        signal?.throwIfAborted();
        return task();
      });

    for (const problem of descriptionsNotChecked(version)) found.add(problem);
    for (const problem of docs.problems) found.add(problem);
    for (const problem of await configurationProblems(version, icons)) found.add(problem);
    for (const problem of await fileProblems(version)) found.add(problem);
    for (const problem of await ignoredKeys(version)) found.add(problem);

    const read = new Set<string>();
    const pages = [...docs.pages.values()].filter(({ isGenerated, awaits }) => !isGenerated || awaits === null);
    let done = 0;
    let renderMs = 0;
    const render = (page: Page, isRendered: boolean) =>
      withPlace(async () => {
        const from = performance.now();
        const looked = await pageProblems({ project, version, page, isRendered });
        renderMs += performance.now() - from;
        return looked;
      });
    const components = createFirstUses();
    await each(pages, async (page) => {
      if (renderMs > MAX_RENDER_MS) return;
      const { problems, includes, content } = await render(page, false);
      for (const problem of problems) (isNamedOnce(docs, problem) ? components : found).add(problem);
      for (const path of includes) read.add(path);
      // Its parse already has the links, which saves another one.
      if (content?.written && !page.isGenerated) linkCache.set(linkKey(docs, page), { ok: true, ...content.written });
      done += 1;
      onProgress?.(done, pages.length);
    });

    for (const problem of components.all()) found.add(problem);

    const parser = deps.parserFor(project);
    const links = await findBrokenLinks(version, {
      cache: linkCache,
      parser: { parse: (source, format, dialect) => withPlace(() => parser.parse(source, format, dialect)) },
    });
    const anchors = new Map<Route, ReadonlySet<string>>();
    const generated = new Map<Route, Problem>();
    await each([...links.doubted], async ([route, hashes]) => {
      const page = docs.pages.get(route);
      if (page === undefined || renderMs > MAX_RENDER_MS) return;
      const { content } = await render(page, true);
      if (content === null) return;
      const shown = shownAnchors(content, hashes);
      anchors.set(route, shown);
      const plugin = content.warnings.find(({ message }) => message === PLUGIN_CONTENT);
      const missing = [...hashes].filter((hash) => !shown.has(hash));
      if (plugin === undefined || missing.length === 0) return;
      anchors.set(route, hashes);
      generated.set(route, generatedAnchors(page, plugin.line, missing));
    });
    if (done < pages.length) found.add(pagesLeftOut(version, pages.length - done));

    let unsure = 0;
    const broken = links.broken.filter(({ link, target }) => {
      if (!docs.pagesByPath.has(link.path) && !read.has(link.path)) return false;
      if (version.awaited.paths.length > 0 && link.broken === "no_page") {
        unsure += 1;
        return false;
      }
      return target === null || !(anchors.get(target.route)?.has(target.hash) ?? false);
    });
    const { problems: unbuilt, others } = linksToUnbuilt(docs, broken);
    for (const problem of unbuilt) found.add(problem);
    for (const { link } of others) found.add(linkProblem(docs, link));
    for (const problem of generated.values()) found.add(problem);
    if (unsure > 0) found.add(linksNotChecked(version, unsure));
    if (links.withBase.first !== null) found.add(withBaseProblem(version, links.withBase));
    found.addUnlisted("error", links.more);
    return {
      pages: docs.pages.size,
      ...found.result(),
      links: { checked: links.checked, broken: broken.length + links.more },
      durationMs: Math.round(performance.now() - startedAt),
    };
  };
}

/** The anchors that exist in the rendered page: an expression or an API description may generate some. */
function shownAnchors({ html }: PageContent, wanted: ReadonlySet<string>): Set<string> {
  const shown = new Set(html.matchAll(/ id="([^"]{1,1000})"/g).map(([, id]) => id));
  return new Set([...wanted].filter((hash) => shown.has(escapeHtml(hash))));
}

const generatedAnchors = ({ path }: Page, line: number | null, hashes: readonly string[]): Problem => ({
  severity: "warning",
  code: "broken_anchor",
  path,
  line,
  message: `Links to ${hashes.length} headings of this page (#${hashes[0]} …) open its top: a plugin generates what it has here, and Docent runs no plugins.`,
});

function withBaseProblem({ docs }: SiteVersion, { count, first }: WithBase) {
  const bases = docs.bases.join(" or ");
  return {
    severity: "warning" as const,
    code: "redirect" as const,
    path: first?.path ?? docs.configFile ?? docs.contentRoot,
    line: first?.line ?? null,
    message: `${count} links and images, this one first, begin with ${bases}, the base path of another address of the site. They are resolved without it.`,
  };
}

/** Files of the site's folder whose content does not reach readers, although their names suggest it. */
async function fileProblems({ docs, snapshot }: SiteVersion): Promise<Problem[]> {
  const problems: Problem[] = [];
  const breathe = createBreather();
  const add = (severity: Severity, path: string, message: string) =>
    problems.push({ severity, code: "missing_file", path, line: null, message });
  const small = new Set<string>();
  const mayBePointer = (sizeBytes: number) => sizeBytes >= 100 && sizeBytes <= MAX_LFS_POINTER_BYTES;
  for (const { path, kind, sizeBytes } of await snapshot.files()) {
    if (stripContentRoot(path, docs.contentRoot) === null || isIgnoredPath(path)) continue;
    if (kind === "file") {
      if (mayBePointer(sizeBytes) && (mayBeShown(path) || path === docs.configFile)) small.add(path);
    } else if (kind === "submodule")
      add(
        "warning",
        path,
        "The files of a submodule are not part of the site: copy them, or create a project for its repository.",
      );
    else if (mayBeShown(path))
      add(
        "warning",
        path,
        "A symbolic link is not followed: readers get nothing at its address. Commit a copy of the file.",
      );
  }
  for (const { path, sizeBytes } of docs.assets.values()) if (mayBePointer(sizeBytes)) small.add(path);
  for (const path of small) {
    const rest = breathe();
    if (rest) await rest;
    const bytes = await readIfPossible(snapshot, path);
    if (bytes === null || !isLfsPointer(bytes)) continue;
    const isPage = markdownFormat(path) !== null;
    const effect =
      path === docs.configFile
        ? "the site has no configuration"
        : isPage
          ? "readers see the pointer"
          : "readers get nothing";
    add(
      "error",
      path,
      `Git LFS keeps this file elsewhere and only a pointer is in the repository: ${effect}. Commit the file itself.`,
    );
  }
  return problems;
}
