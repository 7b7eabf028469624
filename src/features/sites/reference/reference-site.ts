import { createPageHeads } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { insideOf, outsideOf } from "#features/sites/entrance/entrance.ts";
import type { AdmitsCall } from "#features/sites/mcp/endpoint.ts";
import { createPageContents, type PageRenderer } from "#features/sites/page-content.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { loadSiteVersion, type SiteVersion } from "#features/sites/site-version.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import type { Guides } from "./guides.ts";
import { referenceFiles, type ServedDocument } from "./reference-files.ts";
import { createReferenceSearch } from "./reference-search.ts";

/** Where the server shows its own interface. */
export const REFERENCE_PATH = "/reference";

/** No project: the owner of its pages where projects take turns. */
const OWNER = "prj_reference" as ProjectId;
const SLUG = "reference";

/** Answers a request to `/reference` and below. Throws `AppError unavailable` while pages cannot be rendered. */
export type ReferenceSite = (
  request: WholeRequest,
  peerAddress: string,
  document: ServedDocument,
) => Promise<PlainAnswer>;

/**
 * The server's own interface as a documentation site: what serves projects' sites serves the document that this server
 * answers with, and guides beside it. It is there without a project, counts no views, and is loaded anew only when the
 * document changes, which it does with the server's address.
 */
export function createReferenceSite(deps: {
  contentProcess: PageRenderer;
  logger: Logger;
  clock: Clock;
  /** Read once, when somebody asks first: a hundred kilobytes that few servers are asked for. */
  readGuides(): Promise<Guides>;
  admitsCall: AdmitsCall;
  admitsSearch(request: PlainRequest, peerAddress: string): boolean;
}): ReferenceSite {
  const { contentProcess, logger, clock, admitsCall } = deps;
  const { apiDocuments } = contentProcess;
  const heads = createPageHeads();
  const project: SiteProject = { id: OWNER, slug: SLUG, name: "Docent API", branch: "" };
  let guides: Promise<Guides> | null = null;
  let shown: { etag: string; version: Promise<SiteVersion> } | null = null;

  async function load(document: ServedDocument): Promise<SiteVersion> {
    guides ??= deps.readGuides();
    const snapshot = referenceFiles(await guides, document);
    return await loadSiteVersion({ apiDocuments, heads }, { commit: document.etag, snapshot, project });
  }

  /** The version of a document; one that could not be loaded is tried again. */
  function versionOf(document: ServedDocument): Promise<SiteVersion> {
    if (shown?.etag === document.etag) return shown.version;
    const version = load(document);
    const next = { etag: document.etag, version };
    shown = next;
    version.catch(() => {
      guides = null;
      if (shown === next) shown = null;
    });
    return version;
  }

  const sites = createSites({
    projects: () => Promise.resolve(project),
    versions: { current: () => shown?.version ?? Promise.reject(new AppError("unavailable", "Not loaded yet.")) },
    repoStore: null,
    contentProcess,
    largeFiles: NO_LARGE_FILES,
    collectView: uncounted,
    logger,
    clock,
    search: createReferenceSearch({
      contents: createPageContents({ contentProcess, logger, maxCharacters: 0, isColoured: false }),
      logger,
      admits: deps.admitsSearch,
    }),
    admitsCall,
  });

  return async (request, peerAddress, document) => {
    const address = { origin: new URL(document.serverUrl).origin, base: REFERENCE_PATH, mainLabel: null };
    project.address = address;
    await versionOf(document);
    return outsideOf(await sites.handle(insideOf(request, address), SLUG, { peerAddress }), REFERENCE_PATH);
  };
}

/** All of its files are in memory. */
const NO_LARGE_FILES = {
  bring: () => Promise.reject(new AppError("not_found", "There is no such file.")),
  read: () => {
    throw new AppError("not_found", "There is no such file.");
  },
  [Symbol.asyncDispose]: () => Promise.resolve(),
};
