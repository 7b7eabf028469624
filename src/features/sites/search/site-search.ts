import { isOfOwnSite } from "#features/visitors/collect/own-site.ts";
import { isNavigation, isPrivate } from "#features/visitors/collect/request-record.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import { partsText } from "#search/excerpt.ts";
import { byPage } from "#search/search-result.ts";
import { resultJson } from "#search/result-json.ts";
import type { Search, SearchOutcome } from "#search/search.ts";
import { hrefBelow } from "#features/sites/base-path.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import { acceptsHtml } from "#features/sites/accept.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import type { SiteFrame } from "#features/sites/theme/page.ts";
import { searchDocument } from "#features/sites/theme/search-page.ts";
import { type AskedSearch, readSearch } from "./search-request.ts";
import type { SiteIndexer } from "./site-indexer.ts";
import { partOfPage, versionsOf } from "./site-parts.ts";

/** A request to the search of a site. */
export interface SearchVisit {
  request: PlainRequest;
  url: URL;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
  peerAddress: string;
}

/** The search of all sites. */
export interface SiteSearch {
  /** Ensures that a version will be indexed; returns at once. */
  follow(project: SiteProject, version: SiteVersion): void;
  /**
   * Responds with results: JSON, or a page for browsers. 429 for a flood from one address.
   *
   * @throws AppError `invalid` for an invalid query, `unavailable` when too many of the project's searches wait.
   */
  answer(visit: SearchVisit): Promise<PlainAnswer>;
  /** Searches on behalf of a program's user, and counts the search; `unavailable` as for `answer`. */
  ask(visit: Omit<SearchVisit, "frame">, asked: AskedSearch): Promise<SearchOutcome & { isIndexing: boolean }>;
  /** Pages whose titles contain the words of a query, best first: for members of the project, so it is not counted. */
  pagesByTitle(project: ProjectId, query: string, limit: number): Promise<{ title: string; route: string }[]>;
  /** Receives the report of the dialog's script at the end of a search: what was searched for, found and opened. */
  told(visit: Omit<SearchVisit, "frame">): PlainAnswer;
}

/** How long the first search of a site waits for its index. */
const FIRST_INDEX_MS = 3_000;
const RETRY_SECONDS = 30;
const MAX_RESULTS = 50;
const MAX_COUNTED = 1_000;

export function createSiteSearch(deps: {
  search: Search;
  indexer: Pick<SiteIndexer, "follow" | "state" | "settled">;
  /** Whether the client of a request may search now, or has searched too often. */
  admits(request: PlainRequest, peerAddress: string): boolean;
  /** Counts a search of a project. */
  count(project: ProjectId, search: { query: string; results: number; page: string | null; isPrivate: boolean }): void;
  /** Headers of every page of a site. */
  pageHeaders: Record<string, string>;
}): SiteSearch {
  const { search, indexer, admits, pageHeaders } = deps;
  const places = createFairPlaces({ places: 8, perOwner: 4, maxWaiting: 50 });

  async function find(
    { project, version }: Pick<SearchVisit, "project" | "version">,
    asked: AskedSearch,
  ): Promise<SearchOutcome & { isIndexing: boolean }> {
    const versionOf = asked.scope.version === null ? versionsOf(version.docs) : undefined;
    const attempt = async () => {
      const { edition, isComplete, isNew } = indexer.state(project.id);
      const outcome = await places.run(project.id, () => search(project.id, { ...asked, versionOf, edition }));
      return { outcome: { ...outcome, isIndexing: !isComplete }, isNew };
    };
    const { outcome: first, isNew } = await attempt();
    // Of a new site, titles are found before texts.
    const isEnough = first.results.length > 0 && !isNew;
    if (isEnough || !first.isIndexing || asked.query === "") return first;
    await indexer.settled(project.id, FIRST_INDEX_MS);
    return (await attempt()).outcome;
  }

  function count(
    { project, request, url }: Omit<SearchVisit, "frame">,
    { results, page = null }: { results: number; page?: string | null },
  ): void {
    const query = (url.searchParams.get("q") ?? "").slice(0, MAX_COUNTED);
    deps.count(project.id, { query, results, page, isPrivate: isPrivate(request.headers) });
  }

  return {
    follow: indexer.follow,
    async ask({ request, project, version }, asked) {
      indexer.follow(project, version);
      const outcome = await find({ project, version }, asked);
      const { query } = asked;
      deps.count(project.id, {
        query,
        results: outcome.results.length,
        page: null,
        isPrivate: isPrivate(request.headers),
      });
      return outcome;
    },
    async pagesByTitle(project, query, limit) {
      const words = query.toLowerCase().split(/\s+/);
      const { edition } = indexer.state(project);
      const asked = { query, scope: { language: null, version: null }, limit: MAX_RESULTS, edition };
      const { results } = await places.run(project, () => search(project, asked));
      const pages = byPage(results).flatMap(([first]) =>
        first === undefined ? [] : [{ title: partsText(first.title), route: first.route }],
      );
      return pages.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))).slice(0, limit);
    },
    told(visit) {
      const { request, url, version, peerAddress } = visit;
      if (!isOfOwnSite(request, [])) return { status: 403, headers: {}, body: null };
      if (!admits(request, peerAddress))
        return { status: 429, headers: { "Retry-After": String(RETRY_SECONDS) }, body: null };
      const query = url.searchParams.get("q")?.trim() ?? "";
      const results = Number(url.searchParams.get("results"));
      const page = url.searchParams.get("page");
      const isKnown = page === null || version.docs.pages.has(page);
      if (query === "" || !Number.isInteger(results) || results < 0 || results > MAX_RESULTS || !isKnown) {
        return { status: 400, headers: {}, body: null };
      }
      count(visit, { results, page });
      return { status: 204, headers: {}, body: null };
    },
    async answer(visit) {
      const { request, url, project, version, frame, peerAddress } = visit;
      if (!admits(request, peerAddress)) {
        return {
          status: 429,
          headers: { "Retry-After": String(RETRY_SECONDS), "Content-Type": "text/plain; charset=utf-8" },
          body: "Too many searches from this address. Try again in half a minute.\n",
        };
      }
      indexer.follow(project, version);
      const asked = readSearch(url.searchParams, version.docs);
      const outcome = await find({ project, version }, asked);
      if (acceptsHtml(request.headers) && project.externalSite !== undefined) {
        return { status: 302, headers: { Location: `${project.externalSite}/`, Vary: "Accept" }, body: null };
      }
      if (acceptsHtml(request.headers)) {
        // Only a submitted form counts: links and robots that open this address are not a reader's search.
        const isReaders = isNavigation(request.headers) && request.headers.get("sec-fetch-site") === "same-origin";
        if (isReaders && asked.query !== "" && request.method === "GET")
          count(visit, { results: outcome.results.length });
        const html = searchDocument(frame, { ...outcome, query: asked.query });
        return await sendBody(request, createBody(html, "text/html; charset=utf-8", { owner: project.id }), {
          headers: { ...pageHeaders, Vary: "Accept" },
        });
      }
      const json = JSON.stringify({
        query: asked.query,
        ...asked.scope,
        results: outcome.results.map(resultJson).map((each) => ({
          ...each,
          href: (project.externalSite ?? "") + hrefBelow(frame.base, each.href),
          version: partOfPage(version.docs, each.page).version?.name ?? null,
        })),
        suggestions: outcome.suggestions,
        indexing: outcome.isIndexing,
      });
      return await sendBody(request, createBody(`${json}\n`, "application/json", { owner: project.id }), {
        headers: { Vary: "Accept", "X-Robots-Tag": "noindex" },
      });
    },
  };
}

/** Errors of a search in the format of its results: sites have no error documents. */
export function searchFailure(error: unknown): PlainAnswer {
  if (!(error instanceof AppError) || error.code !== "invalid") throw error;
  return {
    status: 400,
    headers: { "Content-Type": "application/json", "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" },
    body: `${JSON.stringify({ error: error.message, code: error.code })}\n`,
  };
}
