import { basePathOf } from "#features/projects/site/external-site.ts";
import { prefersMarkdown } from "#features/sites/accept.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { redirect, FRAME_HEADERS, PAGE_HEADERS } from "./page-headers.ts";
import { routeInsideBase, type Page } from "#docs/tree/page-tree.ts";
import { isSection } from "#docs/tree/navigation.ts";
import { siteLanguage } from "#docs/words/site-language.ts";
import { createIcons } from "#docs/render/icons.ts";
import { internalPath } from "#docs/tree/redirects.ts";
import { canonicalPath, type Route } from "#docs/routes.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, PlainRequest, WholeRequest } from "#lib/network/plain-http.ts";
import type { ThemeFiles } from "#kit/pages/browser-modules.ts";
import type { ApiProxy } from "#features/sites/api-proxy/api-proxy.ts";
import { PROXY_PATH } from "#features/sites/api-proxy/asked-call.ts";
import { pathInside } from "#features/sites/base-path.ts";
import { createSiteAssets } from "#features/sites/media/assets.ts";
import { createBody, sendBody } from "#lib/network/body.ts";
import { findMessage, pageFinder, VIEW_PATH, type ViewCollector } from "#features/sites/view-collector.ts";
import { PICTURE_PATH, type TitlePictures } from "#features/sites/media/title-pictures.ts";
import type { LargeFiles } from "#features/sites/media/large-files.ts";
import { type AdmitsCall, createMcpEndpoint, MCP_PATH, mcpNotice } from "#features/sites/mcp/endpoint.ts";
import { pageBehind } from "#features/sites/layout-index.ts";
import type { PageRenderer } from "#features/sites/page-content.ts";
import { type AuthorView, authorNotices, REPORT_PATH, sendReport } from "./author-view.ts";
import { sendPicture } from "./page-looks.ts";
import { createSiteAnswers, type Visit } from "./site-answers.ts";
import { type AskedSearch, SEARCH_PATH } from "#features/sites/search/search-request.ts";
import { FEEDBACK_PATH } from "#features/sites/feedback/feedback-request.ts";
import type { SiteFeedback } from "#features/sites/feedback/site-feedback.ts";
import { searchFailure, type SiteSearch } from "#features/sites/search/site-search.ts";
import { publishedOrigin, type SiteNotice, type SiteProject } from "#features/sites/site-project.ts";
import { markdownHref } from "#features/sites/site-texts.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { createSiteVersions, type SiteVersions } from "#features/sites/site-versions.ts";
import { assetHref } from "#features/sites/versioned-address.ts";
import { messageDocument, type SiteFrame } from "#features/sites/theme/page.ts";
import { navigationIcons } from "#features/sites/theme/icons.ts";
import { siteTheme } from "#features/sites/theme/site-theme.ts";
import { unknownSiteDocument } from "#features/sites/theme/document.ts";

export interface SitesDeps {
  projects(slug: string): Promise<SiteProject | null>;
  /** Null when `versions` come from elsewhere, such as a local folder. */
  repoStore: RepoStore | null;
  contentProcess: PageRenderer;
  largeFiles: LargeFiles;
  collectView: ViewCollector;
  logger: Logger;
  clock: Clock;
  /** How long a reader waits for a newer version before the old one is shown; 200 ms. */
  patienceMs?: number;
  /** How long a reader waits for a page to be rendered; 20 s. */
  readerPatienceMs?: number;
  /** False where no page is shown twice, such as drafts. */
  isCached?: boolean;
  /** How long a site waits for API descriptions to be parsed; see `createSiteVersions`. */
  apiPatienceMs?: number | null;
  /** `https:` or `http:` as readers see it; behind a proxy that terminates TLS the request does not tell. */
  scheme?(): string;
  /** Versions shared with other readers of the store; its own when absent. */
  versions?: Pick<SiteVersions, "current">;
  /** Shared by all that show pages in the theme; created here when absent. */
  files?: ThemeFiles;
  /** Absent where sites have no search, such as previews. */
  search?: SiteSearch;
  /** Address of the search in files, for an exported site without a server. */
  searchFiles?: string;
  /** Absent where pages are not shared, as in previews, local folders and exports. */
  pictures?: TitlePictures;
  /** Absent where readers are not asked for feedback, such as previews. */
  feedback?: SiteFeedback;
  /** Absent where no request is forwarded, such as previews. */
  apiProxy?: ApiProxy;
  /** Whether an agent may make one more call to a site's MCP server. */
  admitsCall: AdmitsCall;
  /** For visitors who work on the site, as in previews; readers do not see it. */
  author?: AuthorView;
}

/** The sites of all projects. */
export interface Sites {
  /** A document of a site that has no address, for exports. */
  message(project: SiteProject, message: Parameters<typeof messageDocument>[1], origin: string): Promise<string>;
  /** Responds to a request to a project's host. Throws `AppError unavailable` when the repository cannot be read. */
  handle(request: WholeRequest, slug: string, connection: { peerAddress: string }): Promise<PlainAnswer>;
}

/** Serves the sites: pages, Markdown, assets, indexes and redirects, always from the newest commit of the branch. */
export function createSites(deps: SitesDeps): Sites {
  const versions = deps.versions ?? ownVersions(deps);
  const answers = createSiteAnswers(deps);
  const assets = createSiteAssets(deps);
  const files = deps.files ?? siteTheme();
  const icons = createIcons();
  const mcp = createMcpEndpoint({ logger: deps.logger, admits: deps.admitsCall });

  const proxyOf = (project: SiteProject) => (project.proxiesApis === true && deps.apiProxy) || null;

  async function answer(visit: Visit): Promise<PlainAnswer> {
    const { request, url, project, version, frame } = visit;
    const { docs } = version;
    if (url.pathname === REPORT_PATH && deps.author) return await sendReport(deps.author, visit);
    if (url.pathname === SEARCH_PATH && deps.search) return await deps.search.answer(visit).catch(searchFailure);
    const path = canonicalPath(url.pathname);
    if (path === null) return answers.notFound(visit, url.pathname);
    if (path === PICTURE_PATH && deps.pictures)
      return (await sendPicture(deps.pictures, visit)) ?? answers.notFound(visit, path);

    const leaves = project.externalSite !== undefined && !prefersMarkdown(request.headers);
    if (leaves && (path === "/" || docs.pages.has(path))) return answers.elsewhere(visit);
    const home = version.layout.homeRoute;
    if (path === "/" && home !== null && home !== "/") return redirect(home, url, 307);
    const page = docs.pages.get(path);
    if (page !== undefined) {
      const isItsAddress = url.pathname === "/" || !url.pathname.endsWith("/");
      return isItsAddress ? await answers.page(visit, page) : redirect(path, url, 308);
    }
    const named = docs.aliases.get(path);
    if (named !== undefined) return redirect(named, url, 307);
    const asset = docs.assets.get(path);
    const sent = asset && (await assets.send(request, { project, version, url }, asset));
    if (sent) return sent;
    if (asset) return answers.notFound(visit, path);
    const siteFile = await answers.siteFile(visit, path);
    if (siteFile !== null) return siteFile;
    const behind = pageBehind(docs, path);
    if (behind?.isMarkdown === true) return answers.markdown(visit, behind.page);
    if (behind !== null) return redirect(behind.page.route, url, 308);

    const target = docs.redirects.match(path);
    if (target !== null) return redirect(target.location, url, target.permanent ? 308 : 307);
    const markdown = markdownBehind(version, path);
    if (markdown !== null) return redirect(markdown, url, 307);
    // Authors who know the site's base path may have included it in links.
    const inside = pathInside(basePathOf(frame.origin), path);
    const isInside = docs.pages.has(inside) || docs.assets.has(inside) || pageBehind(docs, inside) !== null;
    if (inside !== path && isInside) return redirect(inside, url, 307);
    const withoutBase = routeInsideBase(docs, path);
    if (withoutBase !== null) return redirect(withoutBase, url, 307);
    const otherCase = version.layout.routeIgnoringCase(path) ?? markdownIgnoringCase(version, path);
    if (otherCase !== null) return redirect(otherCase, url, 307);
    if (path === MCP_PATH) return mcpNotice(visit.frame.ownOrigin, visit.frame.siteName);
    return answers.notFound(visit, path);
  }

  function unknownSite(request: PlainRequest): Promise<PlainAnswer> {
    const body = createBody(unknownSiteDocument(files), "text/html; charset=utf-8");
    return sendBody(request, body, { status: 404, headers: PAGE_HEADERS });
  }

  async function visitOf(
    request: PlainRequest & { location: URL },
    project: SiteProject,
    peerAddress: string,
  ): Promise<Visit> {
    const url = request.location;
    const version = await versions.current(project);
    deps.search?.follow(project, version);
    const { docs } = version;
    const { address } = project;
    const base = address?.base ?? "";
    const host = `${deps.scheme?.() ?? url.protocol}//${url.host}`;
    const ownOrigin = (address?.origin ?? host) + base;
    const frame: SiteFrame = {
      siteName: docs.config.name ?? project.name,
      docs,
      files,
      origin: publishedOrigin(project, host),
      ownOrigin,
      base,
      assetHref: (reference) => assetHref(docs, reference),
      showsNameBesideLogo: version.hasSquareLogo,
      ...languageOf(url, version),
      notice: project.notice ? atCommit(project.notice, version.commit) : null,
      authorNotice: deps.author ? authorNotices(deps.author, { project, version, files }) : null,
      isPrivate: project.access !== undefined && project.access.mode !== "public",
      searchScript: deps.search || deps.searchFiles !== undefined ? files.url("search.js") : null,
      searchFiles: deps.searchFiles ?? null,
      mcpAddress: project.notice || deps.searchFiles !== undefined ? null : ownOrigin + MCP_PATH,
      apiProxy: proxyOf(project) && PROXY_PATH,
      asksForFeedback: deps.feedback?.isAsked(project, docs.config) ?? false,
      drawIcon: navigationIcons(icons, { config: docs.config, assetHref: (reference) => assetHref(docs, reference) }),
    };
    return { request, url, project, version, frame, peerAddress };
  }

  function answerAgent(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer> {
    const { search } = deps;
    return mcp.answer({
      request,
      peerAddress,
      async site() {
        const project = slug === "" ? null : await deps.projects(slug);
        if (project === null) return null;
        const visit = await visitOf(request, project, peerAddress);
        const { version, frame } = visit;
        const readable = {
          version,
          origin: frame.origin,
          ownOrigin: frame.ownOrigin,
          base: basePathOf(frame.origin),
          read: (page: Page) => answers.readMarkdown(visit, page),
          ...(search && { search: (query: AskedSearch) => search.ask(visit, query) }),
        };
        return { project, siteName: frame.siteName, readable };
      },
    });
  }

  /** Passes a browser's confirmation of a view to the collector. */
  async function confirmView(request: WholeRequest, slug: string, peerAddress: string): Promise<PlainAnswer> {
    const finding = findMessage(request); // before any await: reading a body is cheapest now
    const project = slug === "" ? null : await deps.projects(slug);
    if (project === null) return unknownSite(request);
    const message = await finding;
    if ("refusal" in message) return { status: message.refusal, headers: {}, body: null };
    const { docs } = await versions.current(project);
    const { read } = message;
    const pageOf = pageFinder(docs);
    return await deps.collectView.confirm({ projectId: project.id, request, peerAddress, read, pageOf });
  }

  return {
    async message(project, message, origin) {
      const location = new URL(`${origin}/`);
      const request = { method: "GET", url: location.href, location, headers: { get: () => null } };
      return messageDocument((await visitOf(request, project, "")).frame, message);
    },
    async handle(request, slug, { peerAddress }) {
      const url = request.location;
      const themeFile = files.find(url.pathname);
      if (themeFile !== null) {
        const policy = themeFile.type.startsWith("text/html") ? FRAME_HEADERS : {};
        const headers = { "Cache-Control": "public, max-age=31536000, immutable", ...policy };
        return sendBody(request, themeFile, { headers });
      }
      if (mcp.takes(request, url.pathname)) return await answerAgent(request, slug, peerAddress);
      if (request.method === "POST" && url.pathname === VIEW_PATH) return await confirmView(request, slug, peerAddress);
      const project = slug === "" ? null : await deps.projects(slug);
      if (project === null) return unknownSite(request);
      if (request.method === "POST" && url.pathname === SEARCH_PATH && deps.search) {
        return deps.search.told({ request, url, project, version: await versions.current(project), peerAddress });
      }
      if (url.pathname === FEEDBACK_PATH && deps.feedback) {
        return await deps.feedback.answer({ ...(await visitOf(request, project, peerAddress)), request });
      }
      if (url.pathname === PROXY_PATH && proxyOf(project)) {
        const visit = { ...(await visitOf(request, project, peerAddress)), request };
        return await proxyOf(project)!.answer(visit, (path) =>
          answers.callable(visit, canonicalPath(pathInside(visit.frame.base, path)) ?? ""),
        );
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        return {
          status: 405,
          headers: { Allow: "GET, HEAD", "Content-Type": "text/plain; charset=utf-8" },
          body: "This address answers GET and HEAD.\n",
        };
      }
      return await answer(await visitOf(request, project, peerAddress));
    },
  };
}

/** The Markdown of a page that moved, or of the front page when no file is called index. */
function markdownBehind({ docs, layout }: SiteVersion, path: Route): Route | null {
  const bare = /^(.+)\.mdx?$/i.exec(path)?.[1];
  if (bare === undefined) return null;
  const moved = docs.redirects.match(bare);
  const route = bare === "/index" ? layout.homeRoute : moved && internalPath(moved.location);
  return route !== null && docs.pages.has(route) ? markdownHref(route) : null;
}

/** The Markdown of a page whose address differs in case. */
function markdownIgnoringCase({ layout }: SiteVersion, path: Route): Route | null {
  const bare = /^(.+)\.mdx?$/i.exec(path)?.[1];
  const route = bare === undefined ? null : layout.routeIgnoringCase(bare);
  return route === null ? null : markdownHref(route);
}

function ownVersions(deps: SitesDeps): SiteVersions {
  const { repoStore, contentProcess } = deps;
  if (repoStore === null) throw new Error("sites need versions, or a store to read them from");
  return createSiteVersions({ ...deps, repoStore, apiDocuments: contentProcess.apiDocuments });
}

/** The language of the page at an address, or of the search that it requests. */
function languageOf(url: URL, { layout, docs }: SiteVersion): Pick<SiteFrame, "language" | "searchedLanguage"> {
  const searchedLanguage = url.pathname === SEARCH_PATH ? url.searchParams.get("language") : null;
  const code = searchedLanguage ?? layout.language(canonicalPath(url.pathname) ?? "/");
  const hasSeveral = docs.navigation.some((node) => isSection(node) && node.language !== null);
  return { language: siteLanguage(code), searchedLanguage: hasSeveral ? code : null };
}

const atCommit = ({ text, links }: SiteNotice, commit: string | null): SiteNotice => ({
  text: commit === null ? text : `${text} at commit ${commit.slice(0, 7)}`,
  links,
});
