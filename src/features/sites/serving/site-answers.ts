import { ACCESS_PARAMETER } from "#features/sites/access-parameter.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import { editHref } from "#features/projects/edit-address.ts";
import type { Clock } from "#lib/clock.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { Logger } from "#lib/logger.ts";
import type { PlainAnswer, PlainRequest } from "#lib/network/plain-http.ts";
import { acceptsHtml, markdownType, pageVary, prefersMarkdown } from "#features/sites/accept.ts";
import { markdownOf, markdownOutside } from "#features/sites/markdown-page.ts";
import { type Body, createBody, sendBody } from "#lib/network/body.ts";
import { editAddress, issueAddress, type SiteProject } from "#features/sites/site-project.ts";
import { createKeptBodies } from "#features/sites/kept-bodies.ts";
import { createFairPlaces } from "#lib/waiting/fair-places.ts";
import type { CallableOperation } from "#features/sites/api-proxy/api-proxy.ts";
import { createPageDates } from "#features/sites/page-dates.ts";
import { feedPath } from "#features/sites/discovery/feed.ts";
import { createImageSizes, createPageMedias } from "#features/sites/media/page-media.ts";
import type { TitlePictures } from "#features/sites/media/title-pictures.ts";
import { createPageContents, type PageRenderer } from "#features/sites/page-content.ts";
import { createDiscoveryAnswers, llmsFullText } from "./discovery-answers.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { type KeyedView, pageKey } from "./page-key.ts";
import { pictureAddress, createPageLooks } from "./page-looks.ts";
import { createReaderPatience, awaitedMarkdown, awaitedMessage, refuseIncomplete, UNFINISHED } from "./unfinished.ts";
import { emptySiteMessage, notFoundMarkdown, notFoundMessage } from "./site-messages.ts";
import { isSkillPath, skillAnswer } from "./skills.ts";
import { llmsText, markdownHref, robotsText } from "#features/sites/site-texts.ts";
import type { SiteVersion } from "#features/sites/site-version.ts";
import { messageDocument, pageDocument, type SiteFrame } from "#features/sites/theme/page.ts";
import type { ServedView, ViewCollector } from "#features/sites/view-collector.ts";

/** A request to a site, with everything needed to respond. */
export interface Visit {
  request: PlainRequest;
  url: URL;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
  peerAddress: string;
}

/** The responses to a visit. Each reports the view that it counts as. */
export interface SiteAnswers {
  page(visit: Visit, page: Page): Promise<PlainAnswer>;
  markdown(visit: Visit, page: Page): Promise<PlainAnswer>;
  /** The Markdown as text, for requests other than a GET of it. */
  readMarkdown(visit: Visit, page: Page): Promise<string>;
  /** `llms.txt` and similar files; null for any other path. */
  siteFile(visit: Visit, path: string): Promise<PlainAnswer | null>;
  notFound(visit: Visit, path: string): Promise<PlainAnswer>;
  /** Redirects to the requested path of the external site. */
  elsewhere(visit: Pick<Visit, "request" | "url" | "project">): PlainAnswer;
  /** The operation that readers may call from the page at a path; null when the page has none. */
  callable(visit: Visit, path: string): Promise<CallableOperation | null>;
}

/** Time limit for the sizes of a page's images; slower ones are available to the next reader. */
const IMAGE_PATIENCE_MS = 200;
/** Below the timeouts of proxies. */
const READER_PATIENCE_MS = 20_000;
const MAX_CACHED_BYTES = 128 * 1024 * 1024;

export function createSiteAnswers(deps: {
  repoStore: Pick<RepoStore, "readBlobStart" | "lastChanges" | "contained"> | null;
  clock: Clock;
  contentProcess: PageRenderer;
  patienceMs?: number;
  /** How long a reader waits for a page to be rendered; 20 s. */
  readerPatienceMs?: number;
  isCached?: boolean;
  collectView: ViewCollector;
  /** Absent where pages have no address that others could share. */
  pictures?: TitlePictures;
  logger: Logger;
}): SiteAnswers {
  const { logger, collectView, isCached = true } = deps;
  const contents = createPageContents({ ...deps, ...(!isCached && { maxCharacters: 0 }) });
  const withinPatience = createReaderPatience({ logger, patienceMs: deps.readerPatienceMs ?? READER_PATIENCE_MS });
  const looksOf = createPageLooks();
  const bodies = createKeptBodies({ maxBytes: isCached ? MAX_CACHED_BYTES : 0 });
  const fullTexts = createFairPlaces({ places: 2, perOwner: 1, maxWaiting: 10 });
  const pageDates = createPageDates(deps);
  const discovery = createDiscoveryAnswers({ pageDates, contents });
  const medias = createPageMedias({ sizes: createImageSizes(deps), patienceMs: deps.patienceMs ?? IMAGE_PATIENCE_MS });

  function report(visit: Visit, view: Pick<ServedView, "path" | "surface" | "found">): void {
    // A reader copies the page: that is not another view.
    if (visit.request.method !== "GET" || visit.request.headers.get("x-docent-copy") !== null) return;
    const { project, request, peerAddress } = visit;
    try {
      collectView.served({ projectId: project.id, request, peerAddress, ...view });
    } catch (error) {
      logger.error({ err: error }, "view not collected");
    }
  }

  /** The Markdown of a page; for an operation, with everything that its HTML contains. */
  async function markdown({ project, version }: Visit, page: Page): Promise<string> {
    const awaited = awaitedMarkdown(page);
    const text = await markdownOf(
      version,
      page,
      awaited ?? (await contents.operationMarkdown(project.id, version, page)),
    );
    return markdownOutside(project, version, text);
  }

  async function sendPage(visit: Visit, page: Page): Promise<PlainAnswer> {
    const { request, project, version, frame } = visit;
    if (prefersMarkdown(request.headers)) return await sendMarkdown(visit, page);
    const content = await withinPatience(contents.render(project.id, version, page));
    const { fonts, css, headers: styled, hasFeed } = looksOf(frame, version, content);
    const media = await medias.of(project.id, version, content);
    const changedAt = await dateOf(visit, page);
    const view: KeyedView = {
      page,
      content,
      css,
      editHref: editHrefOf(visit, page),
      issueHref: issueHrefOf(visit, page),
      changedAt,
      image: pictureAddress(deps.pictures, visit, page),
      feed: hasFeed ? { href: feedPath(page.route), title: page.title } : null,
    };
    const make = async () => {
      const navigation = version.layout.view(page.route);
      const shown = { ...view, navigation, content: { ...content, html: media.html() } };
      return createBody(pageDocument(frame, shown), "text/html; charset=utf-8", { owner: project.id });
    };
    const key = pageKey(frame, view, { project, page, layoutKey: version.layout.key, mediaKey: media.key, fonts });
    const body = await (key === null ? make() : bodies.get(key, make));
    const alternate = `<${markdownHref(page.route)}>; rel="alternate"; type="text/markdown"`;
    const headers = {
      ...styled,
      Vary: pageVary(request.headers),
      Link: alternate,
    };
    if (page.awaits !== null || content.key === null) {
      return await sendBody(request, body, { status: 503, headers: { ...headers, ...UNFINISHED } });
    }
    report(visit, { path: page.route, surface: "html", found: true });
    return await sendBody(request, body, { headers });
  }

  /** The date of the page's last change, if it is known by now; null where the site does not show it. */
  async function dateOf({ project, version }: Visit, { path, isGenerated, showsDate }: Page): Promise<Date | null> {
    if (isGenerated || !(showsDate ?? version.docs.config.showsDates)) return null;
    return (await pageDates.of(project, version, deps.patienceMs ?? 0)).get(path) ?? null;
  }

  function markdownBody(visit: Visit, page: Page): Promise<Body> {
    const { version, project, frame } = visit;
    const key = `markdown ${project.id} ${frame.base} ${project.externalSite ?? ""} ${page.route} ${version.edition}`;
    const make = async () =>
      createBody(await markdown(visit, page), "text/markdown; charset=utf-8", { owner: project.id });
    return withinPatience(bodies.get(key, make));
  }

  async function readMarkdown(visit: Visit, page: Page): Promise<string> {
    const { bytes } = await markdownBody(visit, page);
    const { headers } = visit.request;
    const request = { method: "GET", url: visit.frame.origin + page.route, headers };
    report({ ...visit, request }, { path: page.route, surface: "markdown", found: true });
    return new TextDecoder().decode(bytes);
  }

  async function callable({ project, version }: Visit, path: string): Promise<CallableOperation | null> {
    const page = version.docs.pages.get(path);
    if (!page?.operation) return null;
    const { operation } = await withinPatience(contents.render(project.id, version, page));
    return operation && { method: page.operation.method, servers: operation.servers };
  }

  async function sendMarkdown(visit: Visit, page: Page): Promise<PlainAnswer> {
    const { request, project } = visit;
    const body = await markdownBody(visit, page);
    const headers = {
      "Content-Type": markdownType(request.headers),
      Vary: pageVary(request.headers),
      Link: `<${project.externalSite ?? ""}${page.route}>; rel="canonical"; type="text/html"`,
      "X-Robots-Tag": "noindex",
    };
    if (page.awaits !== null) {
      return await sendBody(request, body, { status: 503, headers: { ...headers, ...UNFINISHED } });
    }
    report(visit, { path: page.route, surface: "markdown", found: true });
    return await sendBody(request, body, { headers });
  }

  async function sendSkill(visit: Visit, path: string): Promise<PlainAnswer | null> {
    const { request, version, project, frame } = visit;
    const { siteName, origin, ownOrigin, base, mcpAddress } = frame;
    const isSearched = frame.searchScript !== null && frame.searchFiles === null;
    const answer = await skillAnswer({ version, siteName, origin, ownOrigin, base, isSearched, mcpAddress }, path);
    if (answer === null) return null;
    if ("location" in answer) {
      return { status: 307, headers: { Location: answer.location, "Cache-Control": "no-cache" }, body: null };
    }
    if (answer.type === "text/markdown") report(visit, { path, surface: "llms", found: true });
    const body = createBody(answer.text, `${answer.type}; charset=utf-8`, { owner: project.id });
    return await sendBody(request, body, { headers: { "X-Robots-Tag": "noindex" } });
  }

  async function sendSiteFile(visit: Visit, asked: string): Promise<PlainAnswer | null> {
    if (isSkillPath(asked)) return await sendSkill(visit, asked);
    // Some clients only look below `.well-known`.
    const path = asked.replace(/^\/\.well-known(?=\/llms(?:-full)?\.txt$)/, "");
    const { request, version, frame, project } = visit;
    const text = {
      siteName: frame.siteName,
      docs: version.docs,
      origin: frame.origin,
      ownOrigin: frame.ownOrigin,
      asksForFeedback: frame.asksForFeedback,
    };
    const start = path === "/llms-full.txt" ? visit.url.searchParams.get("from") : null;
    const from = start !== null && version.docs.pages.has(start) ? start : null;
    const makers: Record<string, [type: string, make: () => Promise<string> | string]> = {
      "/llms.txt": ["text/plain", () => llmsText(text)],
      "/llms-full.txt": [
        "text/plain",
        () => fullTexts.run(project.id, () => llmsFullText(text, { from, markdown: (page) => markdown(visit, page) })),
      ],
      "/robots.txt": ["text/plain", () => robotsText(text)],
    };
    refuseIncomplete(version, path);
    const maker = Object.hasOwn(makers, path) ? makers[path] : undefined;
    if (maker === undefined) return discovery.answer(visit, path);
    const [type, make] = maker;
    const key = `${path} ${from ?? ""} ${project.id} ${version.edition} ${frame.origin} ${frame.ownOrigin} ${frame.asksForFeedback} ${project.name}`;
    const body = await bodies.get(key, async () =>
      createBody(await make(), `${type}; charset=utf-8`, { owner: project.id }),
    );
    if (path.startsWith("/llms")) report(visit, { path, surface: "llms", found: true });
    return sendBody(request, body);
  }

  async function sendNotFound(visit: Visit, path: string): Promise<PlainAnswer> {
    const { request, version, frame } = visit;
    const owner = { owner: visit.project.id };
    const bodyOf = (message: Parameters<typeof messageDocument>[1]) =>
      createBody(messageDocument(frame, message), "text/html; charset=utf-8", owner);
    const namesMarkdown = /\.mdx?$/i.test(path);
    const isMarkdown = prefersMarkdown(request.headers) || (namesMarkdown && !acceptsHtml(request.headers));
    if (visit.project.externalSite !== undefined && !isMarkdown) return elsewhere(visit);
    if (version.docs.pages.size === 0 && path === "/") {
      return sendBody(request, bodyOf(emptySiteMessage(version.commit !== null)), { headers: PAGE_HEADERS });
    }
    const awaited = awaitedMessage(version);
    if (awaited !== null) {
      return sendBody(request, bodyOf(awaited), { status: 503, headers: { ...PAGE_HEADERS, ...UNFINISHED } });
    }
    report(visit, {
      path: path.slice(0, 1_000),
      surface: namesMarkdown || isMarkdown ? "markdown" : "html",
      found: false,
    });
    const body = isMarkdown
      ? createBody(notFoundMarkdown(path, frame.ownOrigin), "text/markdown; charset=utf-8", owner)
      : bodyOf(notFoundMessage(frame, version.layout, path));
    return sendBody(request, body, { status: 404, headers: PAGE_HEADERS });
  }

  return {
    page: sendPage,
    markdown: sendMarkdown,
    readMarkdown,
    siteFile: sendSiteFile,
    notFound: sendNotFound,
    elsewhere,
    callable,
  };
}

/** Not for good: the site may be published here again one day. */
function elsewhere({ request, url, project }: Pick<Visit, "request" | "url" | "project">): PlainAnswer {
  const target = new URL(url);
  // The other host must not be able to read what Docent serves. Deleting re-encodes the rest of the query.
  if (target.searchParams.has(ACCESS_PARAMETER)) target.searchParams.delete(ACCESS_PARAMETER);
  const location = `${project.externalSite ?? ""}${url.pathname}${target.search}`;
  return {
    status: 302,
    headers: { Location: location, "Cache-Control": "no-cache", Vary: pageVary(request.headers) },
    body: null,
  };
}

/** Where readers can edit a page; null for pages that are not a single file, and where the site does not enable it. */
function editHrefOf({ project, version }: Visit, { path, isGenerated, hidesEditLink }: Page): string | null {
  if (!version.docs.config.suggestsEdits || isGenerated || hidesEditLink === true) return null;
  const { hostedAt, dashboard, branch, slug } = project;
  if (hostedAt) return editAddress(hostedAt, { branch, path });
  return dashboard === undefined ? null : dashboard + editHref(slug, { path });
}

/** Where readers can write an issue about a page; null where the site does not enable it. */
function issueHrefOf({ project, version, frame }: Visit, { title, route, path }: Page): string | null {
  const isWanted = version.docs.config.raisesIssues && project.hostedAt;
  return isWanted ? issueAddress(isWanted, { title, address: frame.origin + route, path }) : null;
}
