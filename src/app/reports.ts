import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import { createKeptReports, type KeptReports } from "#features/sites/report/kept-reports.ts";
import { createSiteReport } from "#features/sites/report/site-report.ts";
import type { Context } from "./context.ts";

/** Generates the reports of sites in the background, one page at a time, with the render processes of readers. */
export function composeReports({ logger }: Context, { content }: { content: ContentProcess }): KeptReports {
  const contents = createPageContents({
    contentProcess: content.inBackground,
    logger,
    maxCharacters: 0,
    isColoured: false,
  });
  return createKeptReports({
    makeReport: createSiteReport({ contents, parserFor: content.inBackground.parserFor }),
    logger,
  });
}
