import { createPageHeads } from "#docs/tree/page-tree.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import type { Report } from "#features/sites/report/report.ts";
import { createSiteReport } from "#features/sites/report/site-report.ts";
import { loadSiteVersion } from "#features/sites/site-version.ts";
import { sharedContent } from "./shared-content.ts";
import { createTestSnapshot } from "./snapshot.ts";

/** What `docent check` and a deployment say of these files. */
export async function reportOf(files: Parameters<typeof createTestSnapshot>[0]): Promise<Report> {
  const content = sharedContent();
  const { apiDocuments } = content;
  const contents = createPageContents({
    logger: silentLogger,
    contentProcess: content,
    readsLinks: true,
  });
  const project = newProjectId();
  const snapshot = createTestSnapshot(files);
  const heads = createPageHeads();
  const version = await loadSiteVersion({ apiDocuments, heads }, { commit: null, snapshot, project: { id: project } });
  return await createSiteReport({ contents, parserFor: content.parserFor })({ project, version });
}

/** Each problem in one line: `index.md:3 warning left_out: The attribute …`. */
export function problemLines({ problems }: Report): string[] {
  return problems.map(
    ({ path, line, severity, code, message }) =>
      `${path}${line === null ? "" : `:${line}`} ${severity} ${code}: ${message}`,
  );
}
