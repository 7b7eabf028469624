import { createLinkCache } from "#content/links/links.ts";
import type { Page } from "#content/page-tree.ts";
import { escapeHtml } from "#content/markup/html.ts";
import type { MarkdownParser } from "#content/parser.ts";
import { createIcons } from "#content/render/icons.ts";
import type { Route } from "#content/routes.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { PageContent, PageContents } from "#sites/page-content.ts";
import type { SiteVersion } from "#sites/site-versions.ts";
import { configurationProblems } from "./configuration-problems.ts";
import { findBrokenLinks, linkProblem } from "./link-problems.ts";
import { createPageProblems } from "./page-problems.ts";
import { createProblemGatherer, type Report } from "./report.ts";

export interface ReportOptions {
  signal?: AbortSignal;
  /** Pages looked at so far, and all of them. */
  onProgress?(done: number, all: number): void;
  /** How many problems the report lists. */
  maxListed?: number;
}

/** Makes the report of one version of a site. Rejects only on abort, or when the repository cannot be read. */
export type MakeSiteReport = (
  site: { project: ProjectId; version: SiteVersion },
  options?: ReportOptions,
) => Promise<Report>;

// So that a project whose every page takes seconds is done at some time; what was found is kept for the next report.
const MAX_RENDER_MS = 20 * 60_000;

/**
 * The report's rules, for the server and for `docent check` alike: what the configuration, the navigation, the
 * descriptions of APIs, the pages as they are rendered, and the links between them have wrong. It works page after page
 * in the processes that render for readers; projects take turns at every page. Of a page whose file and snippets are as
 * they were, what was found the last time counts.
 */
export function createSiteReport(deps: {
  contents: PageContents;
  parserFor(owner: string): MarkdownParser;
  /** Pages at once, over all projects. */
  atOnce?: number;
}): MakeSiteReport {
  const { atOnce = 1 } = deps;
  const places = createFairPlaces({ places: atOnce, perOwner: atOnce });
  const linkCache = createLinkCache(200_000);
  const pageProblems = createPageProblems(deps.contents);
  const icons = createIcons();

  return async ({ project, version }, { signal, onProgress, maxListed } = {}) => {
    const startedAt = performance.now();
    const { docs } = version;
    const found = createProblemGatherer(maxListed);
    const inTurn = <T>(task: () => Promise<T>) =>
      places.run(project, () => {
        signal?.throwIfAborted();
        return task();
      });

    for (const problem of docs.problems) found.add(problem);
    for (const problem of await configurationProblems(version, icons)) found.add(problem);

    const parser = deps.parserFor(project);
    const links = await findBrokenLinks(version, {
      cache: linkCache,
      parser: { parse: (source, format) => inTurn(() => parser.parse(source, format)) },
    });

    const read = new Set<string>();
    const anchors = new Map<Route, ReadonlySet<string>>();
    const pages = [...docs.pages.values()];
    let done = 0;
    let renderMs = 0;
    const look = async (page: Page): Promise<void> => {
      if (renderMs > MAX_RENDER_MS) return;
      const doubted = links.doubted.get(page.route);
      const result = await inTurn(async () => {
        const from = performance.now();
        const looked = await pageProblems({ project, version, page, isRendered: doubted !== undefined });
        renderMs += performance.now() - from;
        return looked;
      });
      for (const problem of result.problems) found.add(problem);
      for (const path of result.includes) read.add(path);
      if (doubted !== undefined && result.content) anchors.set(page.route, shownAnchors(result.content, doubted));
      done += 1;
      onProgress?.(done, pages.length);
    };
    const waiting = pages.values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const page of waiting) await look(page);
      }),
    );
    if (done < pages.length) found.add(unfinished(version, pages.length - done));

    const broken = links.broken.filter(({ link, target }) => {
      if (!docs.pagesByPath.has(link.path) && !read.has(link.path)) return false;
      return target === null || !(anchors.get(target.route)?.has(target.hash) ?? false);
    });
    for (const { link } of broken) found.add(linkProblem(link));
    found.addUnlisted("error", links.more);
    return {
      pages: docs.pages.size,
      ...found.result(),
      links: { checked: links.checked, broken: broken.length + links.more },
      durationMs: Math.round(performance.now() - startedAt),
    };
  };
}

/** Those of the anchors that the page has as it is shown: an expression or a description of an API may make some. */
function shownAnchors({ html }: PageContent, wanted: ReadonlySet<string>): Set<string> {
  const shown = new Set(html.matchAll(/ id="([^"]{1,1000})"/g).map(([, id]) => id));
  return new Set([...wanted].filter((hash) => shown.has(escapeHtml(hash))));
}

function unfinished({ docs }: SiteVersion, count: number) {
  return {
    severity: "warning" as const,
    code: "more" as const,
    path: docs.configFile ?? docs.contentRoot,
    line: null,
    message: `${count} pages were not looked at: those before them took longer than 20 minutes to render.`,
  };
}
