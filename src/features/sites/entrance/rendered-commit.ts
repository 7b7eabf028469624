import { type Context, Hono } from "hono";
import type { DialectName } from "#docs/dialect.ts";
import { headingsOf } from "#docs/links/headings.ts";
import { markdownFormat, type MarkdownParser } from "#docs/parser.ts";
import { decodeText } from "#docs/text-encoding.ts";
import type { ProjectAccess } from "#features/keys/page-access.ts";
import type { Project } from "#features/projects/project.ts";
import { createSites, type SitesDeps } from "#features/sites/serving/sites.ts";
import { type SiteAddress, type SiteProject, siteOf } from "#features/sites/site-project.ts";
import { createSiteVersions } from "#features/sites/site-versions.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { isObjectId } from "#git/objects/objects.ts";
import type { RepoStore } from "#git/repo-store.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { html, type Html } from "#kit/pages/markup.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { type PlainAnswer, toResponse, type WholeRequest } from "#lib/network/plain-http.ts";
import { insideOf, outsideOf } from "./entrance.ts";

export interface RenderedCommitDeps extends Omit<SitesDeps, "projects" | "collectView" | "versions" | "repoStore"> {
  repoStore: RepoStore;
  access: ProjectAccess;
  /** The parser of a project: projects share the parsers fairly. */
  parserFor(projectId: ProjectId): MarkdownParser;
}

/** Address of a rendered file at a commit; with `line` it points to the heading above that line. */
export const renderedHref = (slug: string, commit: string, path: string, line: number | null = null): string =>
  `${baseOf(slug, commit)}?file=${encodeURIComponent(path)}${line === null ? "" : `&line=${line}`}`;

const baseOf = (slug: string, commit: string) => `/${slug}/rendered/${commit}`;

// Two versions for each review that is open.
const MAX_VERSION_BYTES = 32 * 1024 * 1024;
const MAX_KNOWN = 200;

/**
 * The pages are a tenant's, but on the dashboard's origin, which has its sessions: they run no script, send no form and
 * cannot navigate the window. The frame keeps its origin, so that its images and styles are requested with the session.
 */
const POLICY =
  "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' https: http: data:; media-src 'self' https: http:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
const SHOWN = /^(?:text\/(?:html|css)|image\/|font\/|video\/|audio\/)/;

/** `/{slug}/rendered/{commit}/…`: the site at a commit, for members, in the frames of a review. */
export function createRenderedCommits(deps: RenderedCommitDeps): Hono {
  const { access, repoStore } = deps;
  const versions = createSiteVersions({
    ...deps,
    apiDocuments: deps.contentProcess.apiDocuments,
    maxBytes: MAX_VERSION_BYTES,
  });
  const known = createLruCache<string, SiteProject>({ maxWeight: MAX_KNOWN });
  const sites = createSites({
    ...deps,
    versions,
    collectView: uncounted,
    projects: (label) => Promise.resolve(known.get(label) ?? null),
  });
  const routes = new Hono();

  /** `#id` of the last heading at or before a line; empty above the first heading. */
  async function headingAbove(at: {
    project: Project;
    commit: string;
    dialect: DialectName;
    path: string;
    line: number;
  }): Promise<string> {
    const { project, commit, dialect, path, line } = at;
    const bytes = await commitSnapshot(repoStore, project.id, commit).read(path);
    const { text } = decodeText(bytes ?? new Uint8Array());
    const outcome = await deps.parserFor(project.id).parse(text, markdownFormat(path) ?? "md", dialect);
    const heading = outcome.ok ? headingsOf(outcome.root).findLast((one) => one.line <= line) : undefined;
    return heading ? `#${encodeURIComponent(heading.id)}` : "";
  }

  async function answer(c: Context, project: Project, commit: string): Promise<PlainAnswer> {
    const base = baseOf(project.slug, commit);
    const address: SiteAddress = { origin: new URL(c.req.url).origin, base, mainLabel: null };
    // Versions are cached by branch name: each commit is a branch of its own.
    const shown: SiteProject = { ...siteOf(project), branch: commit, pinned: commit, takesFeedback: false, address };
    const label = `${project.id} ${commit}`;
    known.set(label, shown);
    const file = c.req.query("file");
    const say = async (title: string, words: Html): Promise<PlainAnswer> => {
      const body = await sites.message(shown, { title, code: null, body: words }, address.origin! + base);
      return { status: 404, headers: { "Content-Type": "text/html; charset=utf-8" }, body };
    };
    if (file === undefined) {
      const request = insideOf(wholeRequest(c.req.raw), address);
      const found = outsideOf(await sites.handle(request, label, { peerAddress: "" }), base);
      const target = found.headers["Location"];
      // A redirect in a commit must not leave the dashboard's origin.
      const isOutside = target !== undefined && new URL(target, address.origin!).origin !== address.origin;
      return isOutside ? say("A redirect", html`<p>This address redirects to <code>${target}</code>.</p>`) : found;
    }
    const { docs } = await versions.current(shown);
    const page = docs.pagesByPath.get(file);
    if (page) {
      const { dialect } = docs.config;
      const line = Number(/^[1-9]\d{0,6}$/.exec(c.req.query("line") ?? "")?.[0] ?? 0);
      const fragment = line === 0 ? "" : await headingAbove({ project, commit, dialect, path: file, line });
      const Location = base + (page.route === "/" ? "" : page.route) + fragment;
      return { status: 303, headers: { Location }, body: null };
    }
    const words = html`<p>The site has no page for <code>${file}</code>: other pages may use it, or it is left out.</p>`;
    return say("No page of the site", words);
  }

  routes.get("/:slug/rendered/:commit/*", async (c) => {
    const opened = await access.open(c);
    if (opened.answer) return opened.answer;
    const commit = c.req.param("commit");
    if (!isObjectId(commit) || (await repoStore.resolve(opened.project.id, commit)) === null) return sendNotFound(c);
    const { status, headers, body } = await answer(c, opened.project, commit);
    const isShown = body === null || SHOWN.test(headers["Content-Type"] ?? "");
    if (!isShown) return sendNotFound(c);
    return toResponse({
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
  });
  return routes;
}

const wholeRequest = ({ method, url, headers }: Request): WholeRequest => ({
  method,
  url,
  location: new URL(url),
  headers,
  textUpTo: () => Promise.resolve(""),
});
