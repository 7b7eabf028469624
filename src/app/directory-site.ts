import { availableParallelism } from "node:os";
import { createPageHeads } from "#docs/tree/page-tree.ts";
import { createContentProcess } from "#docs/render/process/content-process.ts";
import { directorySnapshot } from "#git/directory-snapshot.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import { createSiteReport } from "#features/sites/report/site-report.ts";
import { loadSiteVersion } from "#features/sites/site-version.ts";

const PROJECT = "prj_directory" as ProjectId;
/** Each process takes about 100 MB. */
const MAX_PROCESSES = 8;

/** The site of a directory on disk, with its report; writes no files. */
export function composeDirectorySite(
  { logger }: { logger: Logger },
  site: {
    directory: string;
    contentRoot: string | null;
    /** Whether its pages are served, too. */
    isServed: boolean;
    /** Timeout for its API descriptions, and for each page; null: none. */
    patienceMs?: number;
  },
) {
  const { directory, contentRoot, isServed, patienceMs = null } = site;
  const atOnce = Math.min(availableParallelism(), MAX_PROCESSES);
  const content = createContentProcess({ logger, processes: atOnce, isWarmedUp: isServed });
  const { apiDocuments } = content;
  const heads = createPageHeads();
  const contents = createPageContents({
    contentProcess: content,
    logger,
    maxCharacters: 0,
    isColoured: false,
    readsLinks: true,
  });
  const makeReport = createSiteReport({ contents, parserFor: content.parserFor, atOnce, patienceMs });
  return {
    project: PROJECT,
    content,
    contents,
    makeReport,
    async load() {
      const snapshot = await directorySnapshot(directory);
      const project = { id: PROJECT, contentRoot };
      const parts = { apiDocuments, heads, apiPatienceMs: patienceMs };
      return loadSiteVersion(parts, { commit: null, snapshot, project });
    },
    [Symbol.asyncDispose]: () => content[Symbol.asyncDispose](),
  };
}
