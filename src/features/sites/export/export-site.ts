import { decodePath } from "#docs/routes.ts";
import type { Page } from "#docs/tree/page-tree.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { Clock } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import type { PlainAnswer } from "#lib/network/plain-http.ts";
import { createIndexFiles } from "#search/static/index-files.ts";
import type { LargeFiles } from "#features/sites/media/large-files.ts";
import { createPageContents, type PageRenderer } from "#features/sites/page-content.ts";
import { searchPage } from "#features/sites/search/page-sections.ts";
import { searchablePages } from "#features/sites/search/site-indexer.ts";
import { createSites } from "#features/sites/serving/sites.ts";
import type { SiteProject } from "#features/sites/site-project.ts";
import { markdownHref } from "#features/sites/site-texts.ts";
import { createSiteVersions, type KeptAddresses } from "#features/sites/site-versions.ts";
import { html } from "#kit/pages/markup.ts";
import { uncounted } from "#features/sites/view-collector.ts";
import { browserFiles, redirectFiles, refreshPage, linksIn } from "./redirect-files.ts";

interface ExportDeps {
  repoStore: RepoStore;
  /** Absent: no API description at an address is read. */
  addresses?: KeptAddresses;
  contentProcess: PageRenderer;
  largeFiles: LargeFiles;
  logger: Logger;
  clock: Clock;
}

interface ExportOptions {
  project: SiteProject;
  /** Scheme and host that the site will have, without a slash at the end. */
  origin: string;
  /** Writes a file, given its path in the site. */
  write(file: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  onProgress(done: number, total: number): void;
  signal: AbortSignal;
}

export interface Exported {
  commit: string;
  pages: number;
  files: number;
  /** What readers will miss, one sentence each. */
  warnings: string[];
}

const SEARCH_FOLDER = "/_docent/search/";
const PAGES_AT_ONCE = 8;
const MAX_LINKED = 20_000;
const MAX_WARNINGS = 1_000;
const MAX_NAME_BYTES = 255;
const MAX_PARTS = 100;

/** An export waits until everything is complete. */
const NO_HURRY = { apiPatienceMs: null, readerPatienceMs: 24 * 3_600_000 };

/**
 * Writes a site as files that any web server can serve: what the server would answer, at the commit that it
 * shows, with a search that needs no server and without what only a server can do.
 *
 * @throws AppError `not_found` for a branch without content, `unavailable` when the repository cannot be read.
 */
export async function exportSite(deps: ExportDeps, options: ExportOptions): Promise<Exported> {
  const { origin, signal } = options;
  const { id, branch, pinned } = options.project;
  const commit = pinned ?? (await deps.repoStore.resolve(id, `refs/heads/${branch}`));
  if (commit === null) throw new AppError("not_found", `The branch ${branch} has no content yet.`);
  // A push meanwhile changes nothing: all pages are from one commit.
  const project = { ...options.project, pinned: commit };
  const parts = { ...deps, ...NO_HURRY, apiDocuments: deps.contentProcess.apiDocuments };
  const version = await createSiteVersions(parts).current(project);
  const { docs, layout } = version;
  const contents = createPageContents({ ...parts, maxCharacters: 0 });
  const sites = createSites({
    ...parts,
    projects: () => Promise.resolve(project),
    collectView: uncounted,
    scheme: () => new URL(origin).protocol,
    searchFiles: `${SEARCH_FOLDER}find-in-files.js`,
    admitsCall: () => false,
  });

  const written = new Set<string>();
  const linked = new Map<string, string>();
  const warnings: string[] = [];
  const warn = (text: string) => void (warnings.length < MAX_WARNINGS && warnings.push(text));

  const folders = new Set<string>();
  /** On a server `/license` can be both a page and a file, on a disk only one of them: the first one wins. */
  function isTaken(file: string): boolean {
    const parents = parentsOf(file);
    if (folders.has(file) || parents.some((each) => written.has(each))) return true;
    for (const each of parents) folders.add(each);
    return false;
  }

  async function write(file: string, content: string | Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
    if (written.has(file)) return;
    if (isTaken(file))
      return warn(`/${file} is not there: on a disk its name is taken by a folder, or by a file above it.`);
    written.add(file);
    await options.write(file, content);
  }

  const ask = (path: string, accept: string): Promise<PlainAnswer> => {
    const location = new URL(path, origin);
    const headers = { get: (name: string) => (name === "accept" ? accept : null) };
    const request = { method: "GET", url: location.href, location, headers, textUpTo: () => Promise.resolve("") };
    return sites.handle(request, project.slug, { peerAddress: "127.0.0.1" });
  };

  /**
   * Writes the response for a path to a file and collects its links; a redirect becomes a page that redirects. False
   * when the path does not exist.
   */
  async function take(path: string, file: string | null, accept: string): Promise<boolean> {
    const { status, headers, body } = await ask(path, accept);
    const { Location: location } = headers;
    if (file === null || (status !== 200 && location === undefined)) return false;
    if (location !== undefined) {
      await write(pageFile(path) ?? file, refreshPage(location));
      return true;
    }
    const type = headers["Content-Type"] ?? "";
    if (
      !/^text\/(?:html|css)/.test(type) ||
      (body !== null && typeof body === "object" && !(body instanceof Uint8Array))
    ) {
      await write(file, body ?? "");
      return true;
    }
    const text = typeof body === "string" ? body : new TextDecoder().decode(body ?? new Uint8Array());
    for (const link of linksIn(text, origin)) if (linked.size < MAX_LINKED && !linked.has(link)) linked.set(link, path);
    await write(file, type.startsWith("text/html") ? withPolicy(text, headers["Content-Security-Policy"]) : text);
    return true;
  }

  const index = createIndexFiles();
  const searchable = new Set(searchablePages(version));
  async function takePage(page: Page) {
    signal.throwIfAborted();
    const { route } = page;
    const file = pageFile(route);
    if (!(await take(route, file, "text/html")))
      warn(`${route} is not there: ${file === null ? "its name is too long" : "it could not be rendered"}.`);
    await take(markdownHref(route), assetFile(markdownHref(route)), "text/markdown");
    if (!searchable.has(page)) return null;
    const content = await contents.render(project.id, version, page);
    if (content.degraded === "plain") warn(`${route} is shown as plain text: ${content.warnings[0]?.message ?? ""}`);
    return searchPage(version, page, content);
  }

  const pages = [...docs.pages.values()];
  for (let at = 0; at < pages.length; at += PAGES_AT_ONCE) {
    const batch = pages.slice(at, at + PAGES_AT_ONCE);
    for (const sections of await mapConcurrently(batch, PAGES_AT_ONCE, takePage)) if (sections) index.add(sections);
    options.onProgress(Math.min(pages.length, at + PAGES_AT_ONCE), pages.length);
  }
  const redirects = redirectFiles(docs, layout.homeRoute);
  await writeHostFiles();
  for (const route of docs.assets.keys()) {
    signal.throwIfAborted();
    if (!(await take(route, assetFile(route), "*/*"))) warn(`${route} is not there: it is too large, or not here.`);
  }

  await takeSiteFiles();
  for (const { path, location } of redirects.exact) {
    const file = pageFile(path);
    if (file !== null) await write(file, refreshPage(location));
  }
  await write(".nojekyll", ""); // otherwise GitHub Pages leaves out folders that begin with "_"
  await writeSearch();
  await write("404.html", withPolicy(await documentOf(NOT_FOUND), PAGE_POLICY));
  await takeLinked();
  return { commit, pages: pages.length, files: written.size, warnings };

  async function documentOf(message: Parameters<typeof sites.message>[1]): Promise<string> {
    const text = await sites.message(project, message, origin);
    for (const link of linksIn(text, origin)) if (!linked.has(link)) linked.set(link, "/404.html");
    return text;
  }

  /** Files for static hosts: a repository's own headers are kept, and its redirects come before those of the site. */
  async function writeHostFiles(): Promise<void> {
    const own = async (name: string) => {
      const asset = docs.assets.get(`/${name}`);
      const bytes = asset && (await version.snapshot.read(asset.path));
      return bytes ? new TextDecoder().decode(bytes) : null;
    };
    const lines = [(await own("_redirects"))?.trimEnd() ?? "", redirects.text.trimEnd()].filter((text) => text !== "");
    await write("_redirects", `${lines.join("\n")}\n`);
    const headers = await own("_headers");
    if (headers !== null)
      warn(`The repository's own _headers stands: see that it sends what Docent's would: ${LACKING}.`);
    await write("_headers", headers ?? HEADERS);
  }

  async function takeSiteFiles(): Promise<void> {
    for (const path of ["/llms.txt", "/sitemap.xml", "/robots.txt", "/skill.md"])
      await take(path, assetFile(path), "*/*");
    let address: string | undefined = "/llms-full.txt";
    for (let part = 1; address !== undefined && part <= MAX_PARTS; part += 1) {
      const { body } = await ask(address, "*/*");
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
      const next = /The text goes on at (\S+)/.exec(text)?.[1];
      const file = (number: number) => (number === 1 ? "llms-full.txt" : `llms-full-${number}.txt`);
      const named = next === undefined ? text : text.replaceAll(next, () => `${origin}/${file(part + 1)}`);
      await write(file(part), named);
      address = next?.slice(origin.length);
    }
    const list = "/.well-known/agent-skills/index.json";
    const { body } = await ask(list, "*/*");
    const { skills } = JSON.parse(new TextDecoder().decode(body as Uint8Array)) as { skills: { url: string }[] };
    for (const path of [list, ...skills.map(({ url }) => url)]) await take(path, assetFile(path), "*/*");
  }

  async function writeSearch(): Promise<void> {
    const folder = SEARCH_FOLDER.slice(1);
    for await (const [name, json] of index.files()) {
      signal.throwIfAborted();
      await write(folder + name, json);
    }
    for (const [name, script] of browserFiles("../../../search/static/find-in-files.ts"))
      await write(folder + name, script);
    const listed = [...searchable].map((page) => html`<li><a href="${page.route}">${page.title}</a></li>`);
    const body = html`<p>The search in the header needs a script. These are all pages.</p>
      <ul>
        ${listed}
      </ul>`;
    await write(
      `${folder}index.html`,
      withPolicy(await documentOf({ title: "All pages", code: null, body }), PAGE_POLICY),
    );
  }

  /** Addresses that pages reference besides pages: scripts, styles, generated images, redirects. */
  async function takeLinked(): Promise<void> {
    for (const [path, from] of linked) {
      signal.throwIfAborted();
      const file = assetFile(path);
      if (docs.pages.has(path) || file === null || written.has(file) || written.has(pageFile(path) ?? "")) continue;
      if (!(await take(path, file, "text/html,*/*"))) warn(`${from} leads to ${path}, which is not there.`);
    }
  }
}

/** `/guides/install` → `guides/install/index.html`, which every static server finds. */
const pageFile = (route: string): string | null => fileOf(route, "index.html");
const assetFile = (path: string): string | null => fileOf(path, null);

function fileOf(path: string, name: string | null): string | null {
  const segments = [...(decodePath(path) ?? []), ...(name === null ? [] : [name])];
  if (segments.length === 0 || segments.some((each) => Buffer.byteLength(each) > MAX_NAME_BYTES)) return null;
  return segments.join("/");
}

/** `a/b/c` → `a`, `a/b`. */
const parentsOf = (file: string): string[] =>
  file.split("/").flatMap((_, at, segments) => (at === 0 ? [] : [segments.slice(0, at).join("/")]));

/** A static server sends no policy: the page contains it, as far as that is possible. */
function withPolicy(document: string, policy: string | undefined): string {
  if (policy === undefined) return document;
  const own = policy
    .split("; ")
    .filter((each) => !/^(?:frame-ancestors|sandbox|report-)/.test(each))
    .join("; ");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${own.replaceAll('"', "&quot;")}">`;
  return document.replace(/<meta charset="utf-8"[^>]*>/, (charset) => charset + meta);
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' https: http: data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'";

const HEADERS = `/*
  X-Content-Type-Options: nosniff
  Referrer-Policy: strict-origin-when-cross-origin
/*.svg
  Content-Security-Policy: sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:
`;

const LACKING = "X-Content-Type-Options, Referrer-Policy, and a Content-Security-Policy for /*.svg";

const NOT_FOUND = {
  title: "Page not found",
  code: "404",
  body: html`<p>There is no page at this address.</p>
    <p><a href="/">To the first page</a></p>`,
};
