import { checkLinks } from "#docs/links/links.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { type MarkdownParser, parserOf } from "#docs/parser.ts";
import type { Problem } from "#docs/problems.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import { createPageContents, type PageRenderer } from "#features/sites/page-content.ts";
import { linkProblem } from "#features/sites/report/link-problems.ts";
import { createPageProblems } from "#features/sites/report/page-problems.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";

export type FindDraftProblems = (
  project: ProjectId,
  draft: { version: SiteVersion; page: Page | null; path: string },
) => Promise<readonly Problem[]>;

const MAX_CACHED_FILES = 20_000;
const PATIENCE_MS = 10_000;

/** Finds what the report of a deployment would say of one file: its page, its links, its configuration. */
export function createDraftProblems(deps: {
  contentProcess: PageRenderer;
  logger: Logger;
  parserFor(projectId: ProjectId): MarkdownParser;
}): FindDraftProblems {
  const contents = createPageContents({ ...deps, maxCharacters: 0, isColoured: false });
  const lookAt = createPageProblems(contents, PATIENCE_MS);
  const cache = createLinkCache(MAX_CACHED_FILES);
  return async (project, { version, page, path }) => {
    const { docs, snapshot } = version;
    const parser = parserOf(deps.parserFor(project), docs.config.dialect);
    const look = page && (await lookAt({ project, version, page, isRendered: false }));
    const links = await checkLinks({ snapshot, docs, parser, cache, onlyBroken: true, only: new Set([path]) });
    const own = docs.problems.filter((problem) => problem.path === path);
    const found = [...(look?.problems ?? []), ...links.broken.map(linkProblem), ...own];
    return found.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  };
}
