import { type Context, Hono } from "hono";
import type { DocsConfig } from "#docs/config/docs-config.ts";
import { headingsOf } from "#docs/links/headings.ts";
import { markdownFormat, type MarkdownParser, parserOf } from "#docs/parser.ts";
import { decodeText } from "#docs/text-encoding.ts";
import type { ProjectAccess } from "#features/keys/page-access.ts";
import type { Project } from "#features/projects/project.ts";
import { createSites, type Sites, type SitesDeps } from "#features/sites/serving/sites.ts";
import { type SiteAddress, type SiteProject, siteOf } from "#features/sites/site-project.ts";
import { loadSiteVersion, type SiteVersion } from "#features/sites/site-version.ts";
import { createSiteVersions } from "#features/sites/site-versions.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { createPageHeads, type Page } from "#docs/tree/page-tree.ts";
import { isObjectId } from "#git/objects/objects.ts";
import type { PageRenderer } from "#features/sites/page-content.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { newId, type ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { positiveInteger } from "#lib/positive-integer.ts";
import { createVirtualTree } from "#tools/virtual-tree.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { type PlainAnswer, toResponse, type WholeRequest } from "#lib/network/plain-http.ts";
import { insideOf, outsideOf } from "./entrance.ts";

export interface RenderedCommitDeps extends Omit<
  SitesDeps,
  "projects" | "collectView" | "versions" | "repoStore" | "contentProcess"
> {
  repoStore: RepoStore;
  access: ProjectAccess;
  /** The parser of a project: projects share the parsers fairly. */
  parserFor(projectId: ProjectId): MarkdownParser;
  /** Drafts are rendered in the background: readers of the site come first. */
  contentProcess: PageRenderer & {
    inBackground: PageRenderer & { parserFor(projectId: ProjectId, signal?: AbortSignal): MarkdownParser };
  };
}

/** Address of a rendered file at a commit, or of its start page; with `line` it points to the heading above that line. */
export const renderedHref = (slug: string, commit: string, path: string | null, line: number | null = null): string =>
  path === null
    ? `${baseOf(slug, commit)}/`
    : `${baseOf(slug, commit)}?file=${encodeURIComponent(path)}${line === null ? "" : `&line=${line}`}`;

const baseOf = (slug: string, commit: string) => `/${slug}/rendered/${commit}`;

/** A file as a person has it in the editor, over a commit. Nothing of it is stored. */
export interface PageDraft {
  commit: string;
  path: string;
  content: Uint8Array;
  /** Ends the work when nobody waits for it any more. */
  signal: AbortSignal;
}

export interface RenderedCommits {
  /** `/{slug}/rendered/{commit}/…`: the site at a commit, for members, in the frames of a review. */
  routes: Hono;
  /** The site at a commit. */
  versionAt(project: Project, commit: string): Promise<SiteVersion>;
  /** The site with a draft, and the draft's page; null for a file that is no page. */
  openDraft(project: Project, draft: PageDraft): Promise<{ version: SiteVersion; page: Page | null }>;
  /** The page of a draft, for a frame. Its links lead to the commit's pages. */
  answerDraft(c: Context, project: Project, draft: PageDraft): Promise<Response>;
}

// Two versions for each review that is open.
const MAX_VERSION_BYTES = 32 * 1024 * 1024;
const MAX_KNOWN = 200;
const DRAFT_API_PATIENCE_MS = 3_000;

/**
 * The pages are a tenant's, but on the dashboard's origin, which has its sessions: they run no script, send no form and
 * cannot navigate the window. The frame keeps its origin, so that its images and styles are requested with the session.
 */
const POLICY =
  "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; media-src 'self' https: http:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const SHOWN = /^(?:text\/(?:html|css)|image\/|font\/|video\/|audio\/)/;

/** The sites of commits and of drafts, for members. */
export function createRenderedCommits(deps: RenderedCommitDeps): RenderedCommits {
  const { access, repoStore } = deps;
  const versions = createSiteVersions({
    ...deps,
    apiDocuments: deps.contentProcess.apiDocuments,
    maxBytes: MAX_VERSION_BYTES,
  });
  const known = createLruCache<string, SiteProject>({ maxWeight: MAX_KNOWN });
  const drafts = new Map<string, SiteVersion>();
  const heads = createPageHeads();
  const ofKnown = {
    collectView: uncounted,
    projects: (label: string) => Promise.resolve(known.get(label) ?? null),
  };
  const sites = createSites({ ...deps, ...ofKnown, versions });
  const draftSites = createSites({
    ...deps,
    ...ofKnown,
    contentProcess: deps.contentProcess.inBackground,
    isCached: false,
    versions: { current: async (project) => drafts.get(project.branch) ?? versions.current(project) },
  });
  const routes = new Hono();

  /** `#id` of the last heading at or before a line; empty above the first heading. */
  async function headingAbove(at: {
    project: Project;
    commit: string;
    config: DocsConfig;
    path: string;
    line: number;
  }): Promise<string> {
    const { project, commit, config, path, line } = at;
    const bytes = await commitSnapshot(repoStore, project.id, commit).read(path);
    const { text } = decodeText(bytes ?? new Uint8Array());
    const outcome = await parserOf(deps.parserFor(project.id), config).parse(text, markdownFormat(path) ?? "md");
    const heading = outcome.ok ? headingsOf(outcome.root).findLast((one) => one.line <= line) : undefined;
    return heading ? `#${encodeURIComponent(heading.id)}` : "";
  }

  const versionAt = (project: Project, commit: string) =>
    versions.current({ ...siteOf(project), branch: commit, pinned: commit });

  /** `branch`: versions are cached by it, and each commit and draft has its own. */
  function siteAt(
    c: Context,
    project: Project,
    { commit, branch, within = sites }: { commit: string; branch: string; within?: Sites },
  ) {
    const base = baseOf(project.slug, commit);
    const address: SiteAddress = { origin: new URL(c.req.url).origin, base, mainLabel: null };
    const shown: SiteProject = { ...siteOf(project), branch, pinned: branch, takesFeedback: false, address };
    const label = `${project.id} ${branch}`;
    known.set(label, shown);
    return {
      base,
      shown,
      address,
      handle: async (request: WholeRequest) =>
        outsideOf(await within.handle(insideOf(request, address), label, { peerAddress: "" }), base),
      async say(title: string, words: Html): Promise<PlainAnswer> {
        const body = await within.message(shown, { title, code: null, body: words }, address.origin! + base);
        return { status: 404, headers: { "Content-Type": "text/html; charset=utf-8" }, body };
      },
    };
  }

  async function answer(c: Context, project: Project, commit: string): Promise<PlainAnswer> {
    const { base, shown, address, handle, say } = siteAt(c, project, { commit, branch: commit });
    const file = c.req.query("file");
    if (file === undefined) {
      const found = await handle(wholeRequest(c.req.raw));
      const target = found.headers["Location"];
      // A redirect in a commit must not leave the dashboard's origin.
      const isOutside = target !== undefined && new URL(target, address.origin!).origin !== address.origin;
      return isOutside ? say("A redirect", html`<p>This address redirects to <code>${target}</code>.</p>`) : found;
    }
    const { docs } = await versions.current(shown);
    const page = docs.pagesByPath.get(file);
    if (page) {
      const line = positiveInteger(c.req.query("line"));
      const fragment =
        line === null ? "" : await headingAbove({ project, commit, config: docs.config, path: file, line });
      const Location = base + (page.route === "/" ? "" : page.route) + fragment;
      return { status: 303, headers: { Location }, body: null };
    }
    return say("No page of the site", noPageOf(file));
  }

  async function openDraft(project: Project, { commit, path, content, signal }: PageDraft) {
    const snapshot = createVirtualTree(commitSnapshot(repoStore, project.id, commit), new Map([[path, content]]));
    const { apiDocuments } = deps.contentProcess;
    const parts = { apiDocuments, heads, apiPatienceMs: DRAFT_API_PATIENCE_MS };
    const loaded = await loadSiteVersion(parts, { commit: null, snapshot, project: siteOf(project) });
    const version = { ...loaded, signal };
    return { version, page: version.docs.pagesByPath.get(path) ?? null };
  }

  async function answerDraft(c: Context, project: Project, draft: PageDraft): Promise<Response> {
    const { version, page } = await openDraft(project, draft);
    const branch = newId("req");
    const { base, say, handle } = siteAt(c, project, { commit: draft.commit, branch, within: draftSites });
    drafts.set(branch, version);
    try {
      const isOfSite = draft.path === version.docs.configFile;
      const route = page?.route ?? (isOfSite ? version.layout.homeRoute : null);
      if (route === null) return framed(await say("No page of the site", noPageOf(draft.path)));
      const location = new URL(base + (route === "/" ? "" : route), c.req.url);
      const headers = new Headers({ accept: "text/html" });
      return framed(await handle({ method: "GET", url: location.href, location, headers, textUpTo: noText }));
    } finally {
      drafts.delete(branch);
    }
  }

  routes.get("/:slug/rendered/:commit/*", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const commit = c.req.param("commit");
    if (!isObjectId(commit) || (await repoStore.resolve(opened.project.id, commit)) === null) return sendNotFound(c);
    const found = await answer(c, opened.project, commit);
    const isShown = found.body === null || SHOWN.test(found.headers["Content-Type"] ?? "");
    return isShown ? framed(found) : sendNotFound(c);
  });
  return { routes, versionAt, openDraft, answerDraft };
}

const noPageOf = (path: string): Html =>
  html`<p>The site has no page for <code>${path}</code>: other pages may use it, or it is left out.</p>`;

const framed = ({ status, headers, body }: PlainAnswer): Response =>
  toResponse({
    status,
    body,
    headers: {
      ...headers,
      "Content-Security-Policy": POLICY,
      "Cache-Control": "private, no-cache",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });

const noText = () => Promise.resolve("");

const wholeRequest = ({ method, url, headers }: Request): WholeRequest => ({
  method,
  url,
  location: new URL(url),
  headers,
  textUpTo: noText,
});
