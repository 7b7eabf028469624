import { createPageHeads } from "#docs/tree/page-tree.ts";
import type { ApiDocuments } from "#docs/api/api-documents.ts";
import type { DialectName } from "#docs/dialect.ts";
import { type ProjectId, newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { createPageContents } from "#features/sites/page-content.ts";
import type { Report } from "#features/sites/report/report.ts";
import { createSiteReport } from "#features/sites/report/site-report.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { loadSiteVersion } from "#features/sites/site-version.ts";
import { sharedContent } from "./shared-content.ts";
import { createTestSnapshot } from "./snapshot.ts";

/** The report of `docent check` and of a deployment for these files; `dialect` as in `versionOf`. */
export async function reportOf(
  files: Parameters<typeof createTestSnapshot>[0],
  dialect: DialectName | null = null,
): Promise<Report> {
  const content = sharedContent();
  const { apiDocuments } = content;
  const contents = createPageContents({
    logger: silentLogger,
    contentProcess: content,
    readsLinks: true,
  });
  const project = newProjectId();
  const version = await versionOf(files, { apiDocuments, project, dialect });
  return await createSiteReport({ contents, parserFor: content.parserFor })({ project, version });
}

/** A site with these files, as pages of `dialect` if that is not null. */
export async function versionOf(
  files: Parameters<typeof createTestSnapshot>[0],
  {
    apiDocuments,
    project,
    dialect = null,
  }: { apiDocuments: ApiDocuments; project: ProjectId; dialect?: DialectName | null },
): Promise<SiteVersion> {
  const snapshot = createTestSnapshot(files);
  const heads = createPageHeads();
  const version = await loadSiteVersion({ apiDocuments, heads }, { commit: null, snapshot, project: { id: project } });
  if (dialect === null) return version;
  return { ...version, docs: { ...version.docs, config: { ...version.docs.config, dialect } } };
}

/** Each problem on one line: `index.md:3 warning left_out: The attribute …`. */
export function problemLines({ problems }: Report): string[] {
  return problems.map(
    ({ path, line, severity, code, message }) =>
      `${path}${line === null ? "" : `:${line}`} ${severity} ${code}: ${message}`,
  );
}
