import type { RepoStore } from "#git/repo-store.ts";
import type { Docs, Page } from "#content/page-tree.ts";
import { canonicalPath, routeOfStem, type Route } from "#content/routes.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { markdownType, prefersMarkdown } from "./accept.ts";
import { sendAsset } from "./assets.ts";
import { bodyWeight, createBody, sendBody, type Body } from "./body.ts";
import type { ThemeFiles } from "./browser-modules.ts";
import { confirmView } from "./confirm-view.ts";
import { markdownOf } from "./markdown-page.ts";
import { createPageContents, type PageRenderer } from "./page-content.ts";
import { emptySiteMessage, notFoundMessage } from "./site-messages.ts";
import type { SiteProject } from "./site-project.ts";
import { llmsFullText, llmsText, robotsText, sitemapXml } from "./site-texts.ts";
import { assetHref, createSiteVersions, type SiteVersion } from "./site-versions.ts";
import { messageDocument, pageDocument, type SiteFrame } from "./theme/page.ts";
import { createSiteTheme } from "./theme/site-theme.ts";
import { unknownSiteDocument } from "./theme/unknown-site.ts";
import type { ServedView, ViewCollector } from "./view-collector.ts";

export interface SitesDeps {
  projects(slug: string): Promise<SiteProject | null>;
  repoStore: RepoStore;
  contentProcess: PageRenderer;
  collectView: ViewCollector;
  logger: Logger;
  clock: Clock;
  /** Where a page can be edited in a browser; null where it cannot. */
  editHref?(project: SiteProject, path: string): string | null;
}

/** The sites of all projects. */
export interface Sites {
  /** Answers a request to a project's host. Throws `AppError unavailable` when the repository cannot be read. */
  handle(request: Request, slug: string, connection: { peerAddress: string }): Promise<Response>;
}

const MAX_CACHED_BYTES = 128 * 1024 * 1024;

// Styles are the theme's own file and attributes of the content; scripts are the theme's own files only.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' https: http: data:",
  "media-src 'self' https: http:",
  "font-src 'self'",
  "frame-src https:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

const PAGE_HEADERS = {
  "Content-Security-Policy": PAGE_POLICY,
  "Referrer-Policy": "strict-origin-when-cross-origin",
  Vary: "Accept, User-Agent",
};

/** One request to a site, with all that answering it needs. */
interface Visit {
  request: Request;
  url: URL;
  project: SiteProject;
  version: SiteVersion;
  frame: SiteFrame;
  peerAddress: string;
}

/** Serves the sites: pages, Markdown, assets, indexes and redirects, always from the newest commit of the branch. */
export function createSites(deps: SitesDeps): Sites {
  const { logger, collectView } = deps;
  const versions = createSiteVersions(deps);
  const contents = createPageContents(deps);
  const files: ThemeFiles = createSiteTheme();
  const bodies = createLruCache<string, Body>({ maxWeight: MAX_CACHED_BYTES, weigh: bodyWeight });

  function report(visit: Visit, view: Pick<ServedView, "path" | "surface" | "found">): void {
    if (visit.request.method !== "GET") return;
    const { project, request, peerAddress } = visit;
    try {
      collectView.served({ projectId: project.id, request, peerAddress, ...view });
    } catch (error) {
      logger.error({ err: error }, "view not collected");
    }
  }

  async function kept(key: string, make: () => Promise<Body> | Body): Promise<Body> {
    const known = bodies.get(key);
    if (known !== undefined) return known;
    const body = await make();
    bodies.set(key, body);
    return body;
  }

  async function sendPage(visit: Visit, page: Page): Promise<Response> {
    const { request, project, version, frame } = visit;
    if (prefersMarkdown(request.headers)) return sendMarkdown(visit, page);
    const content = await contents.render(project.id, version, page);
    const make = () => {
      const navigation = version.layout.view(page.route);
      const editHref = deps.editHref?.(project, page.path) ?? null;
      return createBody(pageDocument(frame, { page, content, navigation, editHref }), "text/html; charset=utf-8");
    };
    const key = `html ${project.id} ${frame.origin}${page.route} ${content.key} ${version.layout.key} ${project.name}`;
    const body = content.key === null ? make() : await kept(key, make);
    report(visit, { path: page.route, surface: "html", found: true });
    return sendBody(request, body, { headers: PAGE_HEADERS });
  }

  async function sendMarkdown(visit: Visit, page: Page): Promise<Response> {
    const { request, version, project } = visit;
    const key = `markdown ${project.id} ${version.commit} ${page.route}`;
    const body = await kept(key, async () =>
      createBody(await markdownOf(version, page), "text/markdown; charset=utf-8"),
    );
    report(visit, { path: page.route, surface: "markdown", found: true });
    const headers = {
      "Content-Type": markdownType(request.headers),
      Vary: "Accept, User-Agent",
      Link: `<${page.route}>; rel="canonical"; type="text/html"`,
      "X-Robots-Tag": "noindex",
    };
    return sendBody(request, body, { headers });
  }

  async function sendSiteFile(visit: Visit, path: string): Promise<Response | null> {
    const { request, version, frame, project } = visit;
    const text = { siteName: frame.siteName, docs: version.docs, origin: frame.origin };
    const makers: Record<string, [type: string, make: () => Promise<string> | string]> = {
      "/llms.txt": ["text/plain", () => llmsText(text)],
      "/llms-full.txt": ["text/plain", () => llmsFullText(version, text)],
      "/sitemap.xml": ["application/xml", () => sitemapXml(text)],
      "/robots.txt": ["text/plain", () => robotsText(text)],
    };
    const maker = Object.hasOwn(makers, path) ? makers[path] : undefined;
    if (maker === undefined) return null;
    const [type, make] = maker;
    const key = `${path} ${project.id} ${version.commit} ${frame.origin} ${project.name}`;
    const body = await kept(key, async () => createBody(await make(), `${type}; charset=utf-8`));
    if (path.startsWith("/llms")) report(visit, { path, surface: "llms", found: true });
    return sendBody(request, body);
  }

  async function sendNotFound(visit: Visit, path: string): Promise<Response> {
    const { request, version, frame } = visit;
    const isEmpty = version.docs.pages.size === 0;
    if (isEmpty && path === "/") {
      const body = createBody(
        messageDocument(frame, emptySiteMessage(version.commit !== null)),
        "text/html; charset=utf-8",
      );
      return sendBody(request, body, { headers: PAGE_HEADERS });
    }
    const asksForMarkdown = /\.mdx?$/i.test(path) || prefersMarkdown(request.headers);
    report(visit, { path: path.slice(0, 1_000), surface: asksForMarkdown ? "markdown" : "html", found: false });
    const body = asksForMarkdown
      ? createBody(
          `# Page not found\n\nThere is no page at ${path}. ${frame.origin}/llms.txt lists every page.\n`,
          "text/markdown; charset=utf-8",
        )
      : createBody(messageDocument(frame, notFoundMessage(version.docs, path)), "text/html; charset=utf-8");
    return sendBody(request, body, { status: 404, headers: PAGE_HEADERS });
  }

  /** The page that a path names with an extension or `index`: how links in a repository are often written. */
  function pageBehind(docs: Docs, path: Route): { page: Page; isMarkdown: boolean } | null {
    const markdown = /\.(md|mdx|markdown)$/i.test(path);
    const bare = path.replace(/\.(md|mdx|markdown|html?)$/i, "");
    const page = docs.pages.get(bare) ?? docs.pages.get(foldRoute(bare));
    return page === undefined ? null : { page, isMarkdown: markdown };
  }

  async function answer(visit: Visit): Promise<Response> {
    const { request, url, version } = visit;
    const { docs } = version;
    const path = canonicalPath(url.pathname);
    if (path === null) return sendNotFound(visit, url.pathname);

    const page = docs.pages.get(path);
    if (page !== undefined) {
      return url.pathname === "/" || !url.pathname.endsWith("/") ? sendPage(visit, page) : redirect(path, url, 308);
    }
    const asset = docs.assets.get(path);
    const sent = asset && (await sendAsset(request, version, asset));
    if (sent) return sent;
    if (asset) return sendNotFound(visit, path);
    const siteFile = await sendSiteFile(visit, path);
    if (siteFile !== null) return siteFile;
    const behind = pageBehind(docs, path);
    if (behind?.isMarkdown === true) return sendMarkdown(visit, behind.page);
    if (behind !== null) return redirect(behind.page.route, url, 308);

    const target = docs.redirects.match(path);
    if (target !== null) return redirect(target.location, url, target.permanent ? 308 : 307);
    const otherCase = version.layout.routeIgnoringCase(path);
    if (otherCase !== null) return redirect(otherCase, url, 307);
    const first = version.layout.firstRoute;
    if (path === "/" && first !== null) return redirect(first, url, 307);
    return sendNotFound(visit, path);
  }

  return {
    async handle(request, slug, { peerAddress }) {
      const url = new URL(request.url);
      const themeFile = files.find(url.pathname);
      if (themeFile !== null) {
        return sendBody(request, themeFile, { headers: { "Cache-Control": "public, max-age=31536000, immutable" } });
      }
      const project = slug === "" ? null : await deps.projects(slug);
      if (project === null) {
        const body = createBody(unknownSiteDocument(files), "text/html; charset=utf-8");
        return sendBody(request, body, { status: 404, headers: PAGE_HEADERS });
      }
      if (url.pathname === "/_docent/view" && request.method === "POST") {
        const docsNow = async () => (await versions.current(project)).docs;
        return confirmView({ request, peerAddress, project, collectView, docsNow });
      }
      if (request.method !== "GET" && request.method !== "HEAD") {
        return new Response("This address answers GET and HEAD.\n", {
          status: 405,
          headers: { Allow: "GET, HEAD", "Content-Type": "text/plain; charset=utf-8" },
        });
      }
      const version = await versions.current(project);
      const { docs } = version;
      const frame: SiteFrame = {
        siteName: docs.config.name ?? project.name,
        docs,
        files,
        origin: url.origin,
        assetHref: (reference) => assetHref(docs, reference),
        showsNameBesideLogo: version.hasSquareLogo,
      };
      return answer({ request, url, project, version, frame, peerAddress });
    },
  };
}

function foldRoute(path: Route): Route {
  const folded = path.replace(/\/(?:index|readme)$/i, "");
  return folded === "" ? routeOfStem("") : folded;
}

function redirect(location: string, url: URL, status: 307 | 308): Response {
  const [target = "", hash] = location.split("#", 2);
  const query = url.search !== "" && !target.includes("?") ? url.search : "";
  return new Response(null, {
    status,
    headers: {
      Location: target + query + (hash === undefined ? "" : `#${hash}`),
      "Cache-Control": "no-cache",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
