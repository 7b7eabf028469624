import { bodyBelowFrontMatter } from "#docs/front-matter.ts";
import { checkLinks, type LinkReport } from "#docs/links/links.ts";
import { createLinkCache } from "#docs/links/parsed-file.ts";
import { type MarkdownParser, parserOf } from "#docs/parser.ts";
import type { Problem } from "#docs/problems.ts";
import { decodeText } from "#docs/text-encoding.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { PageDraft } from "#features/sites/entrance/rendered-commit.ts";
import { createPageContents, type PageRenderer } from "#features/sites/page-content.ts";
import { linkProblem } from "#features/sites/report/link-problems.ts";
import { createPageProblems, notChecked } from "#features/sites/report/page-problems.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { untilAborted } from "#lib/waiting/until-aborted.ts";
import { kibibytes } from "./source-file.ts";

export type FindDraftProblems = (
  project: ProjectId,
  draft: Pick<PageDraft, "path" | "content" | "signal"> & {
    version: SiteVersion;
    page: Page | null;
    /** The file before the edit. */
    before: Uint8Array | null;
  },
) => Promise<readonly Problem[]>;

const MAX_CACHED_FILES = 20_000;
const PATIENCE_MS = 6_000;
/** Larger texts take seconds of a processor, at each pause in typing. */
const MAX_CHECKED_BYTES = 256 * 1024;

/**
 * Finds what the report of a deployment would say of one file: its page, its links, its configuration. What takes longer
 * than `patienceMs` is named as not checked.
 */
export function createDraftProblems(deps: {
  contentProcess: PageRenderer & { parserFor(projectId: ProjectId, signal?: AbortSignal): MarkdownParser };
  logger: Logger;
  patienceMs?: number;
}): FindDraftProblems {
  const { contentProcess, patienceMs = PATIENCE_MS } = deps;
  const contents = createPageContents({ ...deps, maxCharacters: 0, isColoured: false });
  const lookAt = createPageProblems(contents, { patienceMs: null, attempts: 1 });
  const cache = createLinkCache(MAX_CACHED_FILES);
  return async (project, { version: draft, page, path, content, before, signal: client }) => {
    const ofFile = draft.docs.problems.filter((problem) => problem.path === path);
    const own = hasFrontMatter(before) && !hasFrontMatter(content) ? [...ofFile, noFrontMatter(path)] : ofFile;
    if (content.length > MAX_CHECKED_BYTES) {
      const limit = `The text has ${kibibytes(content.length)}, and up to ${kibibytes(MAX_CHECKED_BYTES)} are checked while you type. The report of the pull request checks it.`;
      return [notChecked(path, limit), ...own];
    }
    const late = AbortSignal.timeout(patienceMs);
    const signal = AbortSignal.any([client, late]);
    const version = { ...draft, signal };
    const { docs, snapshot } = version;
    const inTime = async (work: () => Promise<readonly Problem[]>, message: string) => {
      try {
        return await untilAborted(work(), signal);
      } catch (error) {
        client.throwIfAborted();
        if (!late.aborted) throw error;
        return [notChecked(path, message)];
      }
    };
    const parser = parserOf(contentProcess.parserFor(project, signal), docs.config);
    const ofPage = await inTime(
      async () => (page === null ? [] : (await lookAt({ project, version, page, isRendered: false })).problems),
      "The page could not be checked in time.",
    );
    const ofLinks = await inTime(async () => {
      const links = await checkLinks({ snapshot, docs, parser, cache, onlyBroken: true, only: new Set([path]) });
      // The render of a page finds its syntax errors, with better messages.
      const unparsed = page === null ? links.unparsed.map(syntaxProblem) : [];
      return [...unparsed, ...links.broken.map((link) => linkProblem(docs, link))];
    }, "The links of the page could not be checked in time.");
    return [...ofPage, ...ofLinks, ...own].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  };
}

const syntaxProblem = ({ path, line, message }: LinkReport["unparsed"][number]): Problem => ({
  severity: "warning",
  code: "syntax",
  path,
  line,
  message,
});

const hasFrontMatter = (content: Uint8Array | null): boolean =>
  content !== null && bodyBelowFrontMatter(decodeText(content).text) !== null;

const noFrontMatter = (path: string): Problem => ({
  severity: "warning",
  code: "front_matter",
  path,
  line: 1,
  message: "The page has lost its front matter, which begins and ends with a line --- at the start of the file.",
});
