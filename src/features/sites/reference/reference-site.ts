import { createPageHeads } from "#docs/tree/page-tree.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import { insideOf, outsideOf } from "#features/sites/entrance/entrance.ts";
import type { AdmitsCall } from "#features/sites/mcp/endpoint.ts";
import { createPageContents, type PageRenderer, type PageContents } from "#features/sites/page-content.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { loadSiteVersion, type SiteVersion } from "#features/sites/site-version.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import { type Guides, referenceFiles, type ServedDocument } from "./guides.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { createSearch } from "#search/search.ts";
import type { SearchIndex } from "#search/search-index.ts";
import { createIndexFiles } from "#search/static/index-files.ts";
import { createStaticIndex } from "#search/static/static-index.ts";
import { searchPage } from "#features/sites/search/page-sections.ts";
import { searchablePages } from "#features/sites/search/site-indexer.ts";
import { createSiteSearch, type SiteSearch } from "#features/sites/search/site-search.ts";
import { PAGE_HEADERS } from "#features/sites/serving/page-headers.ts";

/** Where the server shows its own API reference. */
export const REFERENCE_PATH = "/reference";

/** Not a project: the owner of its pages where projects take turns. */
const OWNER = "prj_reference" as ProjectId;
const SLUG = "reference";

/** Responds to a request to `/reference` and below. Throws `AppError unavailable` while pages cannot be rendered. */
export type ReferenceSite = (
  request: WholeRequest,
  peerAddress: string,
  document: ServedDocument,
) => Promise<PlainAnswer>;

/**
 * The server's own API as a documentation site, built by the same code as projects' sites from the OpenAPI document of
 * this server, with guides. It needs no project, counts no views, and is rebuilt only when the document changes, which
 * it does with the server's address.
 */
export function createReferenceSite(deps: {
  contentProcess: PageRenderer;
  logger: Logger;
  clock: Clock;
  /** Read on first use: a hundred kilobytes that few servers need. */
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

  /** The version for a document; one that failed to load is tried again. */
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

type Index = Pick<SearchIndex, "find" | "vocabulary">;

const EMPTY: Index = { find: () => Promise.resolve([]), vocabulary: () => Promise.resolve([]) };

/**
 * A search in memory, built when the first page is read. It is not part of the index of projects' sites, and its
 * searches are not counted.
 */
function createReferenceSearch(deps: {
  contents: PageContents;
  logger: Logger;
  admits(request: PlainRequest, peerAddress: string): boolean;
}): SiteSearch {
  const { contents, logger } = deps;
  let followed: SiteVersion | null = null;
  let index = EMPTY;
  let isComplete = false;
  let making: Promise<void> = Promise.resolve();

  async function make(project: SiteProject, version: SiteVersion): Promise<void> {
    const files = createIndexFiles();
    // One after the other: readers' pages have priority.
    for (const page of searchablePages(version)) {
      const content = await contents.render(project.id, version, page);
      if (content.key === null) throw new AppError("unavailable", "A page could not be rendered.");
      files.add(searchPage(version, page, content));
    }
    const made = new Map<string, unknown>();
    for await (const [name, json] of files.files()) made.set(name, JSON.parse(json));
    if (followed !== version) return;
    index = createStaticIndex((name) => Promise.resolve(made.get(name)));
    isComplete = true;
  }

  return createSiteSearch({
    search: createSearch({
      index: {
        find: (...given) => index.find(...given),
        vocabulary: (...given) => index.vocabulary(...given),
      },
    }),
    indexer: {
      follow(project, version) {
        if (followed === version) return;
        followed = version;
        isComplete = false;
        making = make(project, version).catch((error: unknown) => {
          logger.warn({ err: error }, "the reference was not indexed");
          if (followed === version) followed = null; // the next view tries again
        });
      },
      state: () => ({ edition: `${followed?.edition ?? ""} ${String(isComplete)}`, isComplete, isNew: false }),
      async settled(_project, patienceMs) {
        const waiting = new AbortController();
        await Promise.race([
          making,
          sleep(patienceMs, undefined, { signal: waiting.signal, ref: false }).catch(() => undefined),
        ]);
        waiting.abort();
      },
    },
    pageHeaders: PAGE_HEADERS,
    admits: deps.admits,
    count: () => undefined,
  });
}
