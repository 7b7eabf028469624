import { setTimeout as sleep } from "node:timers/promises";
import { includedPath, type Page } from "#docs/tree/page-tree.ts";
import type { Problem, ProblemCode, Severity } from "#docs/problems.ts";
import type { RenderWarning } from "#docs/render/page.ts";
import type { ProjectId } from "#lib/ids.ts";
import { FileUnreadable } from "#lib/file-unreadable.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import type { PageContent, PageContents } from "#features/sites/page-content.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { joinContentRoot } from "#docs/routes.ts";
import { sectionsProblem } from "#features/sites/search/page-sections.ts";
import { sharedPictureProblems, sharedPictures } from "./shared-pictures.ts";

export interface PageLook {
  problems: readonly Problem[];
  /** Paths in the repository of the files that the page includes or tries to. */
  includes: readonly string[];
  /** Null when it was not rendered, because it has not changed. */
  content: PageContent | null;
}

interface Known {
  key: string;
  warnings: readonly RenderWarning[];
  includes: readonly string[];
  pictures: readonly [tag: string, picture: string][];
}

/** Problems in which readers lose content; an author may ignore the others. */
const ERRORS: ReadonlySet<ProblemCode> = new Set([
  "front_matter",
  "snippet",
  "broken_link",
  "missing_file",
  "not_rendered",
]);

/** Enough for 25,000 pages, some with many warnings. */
const MAX_KEPT = 150_000;
// A busy machine is not the page's fault.
const ATTEMPTS = 3;

/**
 * Renders a page to find its problems, unless they are cached. `patienceMs`: wall-clock time limit for a page; null:
 * none.
 */
export function createPageProblems(
  contents: PageContents,
  { patienceMs, attempts = ATTEMPTS }: { patienceMs: number | null; attempts?: number },
) {
  const kept = createLruCache<string, Known>({
    maxWeight: MAX_KEPT,
    weigh: ({ warnings, includes, pictures }) => 2 + warnings.length + includes.length + pictures.length,
  });

  /** Null when it cannot be rendered now. */
  async function renderAgain({
    project,
    version,
    page,
  }: {
    project: ProjectId;
    version: SiteVersion;
    page: Page;
  }): Promise<Rendered | null> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const content = await contents.render(project, version, page);
      if (content.key !== null) return { ...content, key: content.key };
    }
    return null;
  }

  return async (at: {
    project: ProjectId;
    version: SiteVersion;
    page: Page;
    /** Whether its content is needed, too. */
    isRendered: boolean;
  }): Promise<PageLook> => {
    const { project, version, page } = at;
    const { docs } = version;
    const inRepository = (includes: readonly string[]) => includes.map((path) => includedPath(docs, path));
    const name = `${project} ${page.route} ${page.route === version.layout.homeRoute}`;
    const problemsOf = async ({ warnings, pictures }: Known) => [
      ...warnings.map((warning) => pageProblem(version, page, warning)),
      ...(await sharedPictureProblems(version, page, pictures)),
    ];
    const known = kept.get(name);
    if (known !== undefined && !at.isRendered) {
      const key = await contents.key(project, version, { page, includes: known.includes });
      if (key === known.key) {
        return { problems: await problemsOf(known), includes: inRepository(known.includes), content: null };
      }
    }
    const content = await withTimeout(renderAgain({ project, version, page }), patienceMs).catch(asLost);
    if (content instanceof FileUnreadable) {
      const lost: Problem = {
        severity: "error",
        code: "missing_file",
        path: page.path,
        line: null,
        message: content.message,
      };
      return { problems: [lost], includes: [], content: null };
    }
    if (content === null) return { problems: [pageNotChecked(page)], includes: [], content: null };
    const { key, includes } = content;
    const unsearched = page.noindex || page.hidden || page.isUnsearched === true ? null : sectionsProblem(content);
    const warnings: readonly RenderWarning[] =
      unsearched === null
        ? content.warnings
        : [...content.warnings, { path: null, line: null, code: "left_out", message: unsearched }];
    const found = { key, warnings, includes, pictures: sharedPictures(content.frontMatter) };
    kept.set(name, found);
    return { problems: await problemsOf(found), includes: inRepository(includes), content };
  };
}

function asLost(error: unknown): FileUnreadable {
  if (error instanceof FileUnreadable) return error;
  throw error;
}

type Rendered = PageContent & { key: string };

/** A page that misses the limit is still rendered, and may be available for the next report. */
async function withTimeout(work: Promise<Rendered | null>, patienceMs: number | null): Promise<Rendered | null> {
  if (patienceMs === null) return work;
  const waiting = new AbortController();
  const timeout = sleep(patienceMs, null, { signal: waiting.signal }).catch(() => null);
  try {
    return await Promise.race([work, timeout]);
  } finally {
    waiting.abort();
  }
}

function pageProblem({ docs }: SiteVersion, page: Page, { path, line, code, message }: RenderWarning): Problem {
  const severity: Severity = ERRORS.has(code) ? "error" : "warning";
  return { severity, code, path: path === null ? page.path : includedPath(docs, path), line, message };
}

/** The report cannot judge this, because the machine was busy: it is neither correct nor a problem. */
export const notChecked = (path: string, message: string): Problem => ({
  severity: "warning",
  code: "not_checked",
  path,
  line: null,
  message,
});

const pageNotChecked = ({ path }: Page): Problem =>
  notChecked(path, "The page was not looked at: the machine was too busy to render it in time.");

export const descriptionsNotChecked = ({ awaited, docs }: SiteVersion): Problem[] =>
  awaited.paths.map((path) =>
    notChecked(
      /^https?:/i.test(path) ? (docs.configFile ?? docs.contentRoot) : joinContentRoot(path, docs.contentRoot),
      `The description of an API was not looked at: the machine was too busy to read ${path.slice(0, 200)} in time. Its pages are missing here.`,
    ),
  );

/** They may point to pages of API descriptions that were not parsed. */
export const linksNotChecked = ({ docs }: SiteVersion, count: number): Problem =>
  notChecked(
    docs.configFile ?? docs.contentRoot,
    `${count} links were not looked at: they may lead to pages of the descriptions that were not read.`,
  );

export const pagesLeftOut = ({ docs }: SiteVersion, count: number): Problem =>
  notChecked(
    docs.configFile ?? docs.contentRoot,
    `${count} pages were not looked at: those before them took longer than two hours to render.`,
  );
