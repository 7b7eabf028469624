import { createHash } from "node:crypto";
import { cacheLimit } from "#lib/cache-limit.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Logger } from "#lib/logger.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { withoutByteOrderMark, decodeText, encodingProblem, type DecodedText } from "#docs/text-encoding.ts";
import { spelledAsIn } from "#docs/routes.ts";
import { includedPath, type Page } from "#docs/tree/page-tree.ts";
import type { ApiDocuments } from "#docs/api/api-documents.ts";
import { linkedInTool } from "./tool-links.ts";
import { escapeHtml } from "#docs/markup/html.ts";
import { renderSettings } from "#docs/render/render-file.ts";
import type { RenderedPage, RenderInput } from "#docs/render/page.ts";
import { operationKey, operationOf } from "./page-operation.ts";
import type { SiteVersion } from "./site-version.ts";

/** Renders Markdown to safe HTML in a process that can be killed. */
export interface PageRenderer {
  render(input: RenderInput): Promise<RenderedPage>;
  apiDocuments: ApiDocuments;
}

/** The part of a rendered page that the layout needs. */
export type PageContent = Pick<
  RenderedPage,
  | "html"
  | "css"
  | "headings"
  | "operation"
  | "description"
  | "degraded"
  | "warnings"
  | "includes"
  | "frontMatter"
  | "written"
> & {
  /** Changes exactly when the page, its snippets or the site's settings for pages change. Null: not cacheable. */
  key: string | null;
};

/** The rendered pages of all sites, cached by their inputs. */
export interface PageContents {
  render(project: ProjectId, version: SiteVersion, page: Page): Promise<PageContent>;
  /** The API description's content for a page, as Markdown; null for a page that documents no operation. */
  operationMarkdown(project: ProjectId, version: SiteVersion, page: Page): Promise<string | null>;
  /** The key that a page would have in a version, if it still reads these snippets. */
  key(project: ProjectId, version: SiteVersion, read: { page: Page; includes: readonly string[] }): Promise<string>;
}

const MAX_CACHED_CHARACTERS = 100_000_000;
// A page that cannot be rendered is shown as plain text up to this length: browsers take seconds for more.
const MAX_PLAIN_CHARACTERS = 500_000;
const MAX_INCLUDE_BYTES = 2 * 1024 * 1024;

/**
 * `maxCharacters`: how much HTML is cached; 0 for a caller that needs each page once. `isColoured`, `readsLinks`: as in
 * `RenderInput`.
 */
export function createPageContents(deps: {
  contentProcess: PageRenderer;
  logger: Logger;
  maxCharacters?: number;
  isColoured?: boolean;
  readsLinks?: boolean;
}): PageContents {
  const {
    contentProcess,
    logger,
    maxCharacters = cacheLimit(MAX_CACHED_CHARACTERS),
    isColoured = true,
    readsLinks = false,
  } = deps;
  const weigh = (content: PageContent) => content.html.length + content.css.length + 2_000;
  const kept = createLruCache<string, { content: PageContent; includes: ReadonlyMap<string, string | null> }>({
    maxWeight: maxCharacters,
    weigh: ({ content }) => weigh(content),
  });
  const running = new Map<string, Promise<PageContent>>();

  const knownSettings = new WeakMap<SiteVersion, string>();
  const settingsOf = (version: SiteVersion): string => {
    const known = knownSettings.get(version);
    if (known !== undefined) return known;
    const { dialect, rules, variables, styling, icons } = version.docs.config;
    // When another tool assigns addresses, links depend on those of all pages.
    const { tool, pages, aliases } = version.docs;
    const addresses = tool === null ? [] : [[...pages.keys()], [...aliases]];
    const text = JSON.stringify([
      dialect,
      rules,
      variables,
      styling.latex,
      icons.library,
      stylesheetsOf(version),
      ...addresses,
    ]);
    const hash = createHash("sha256").update(text).digest("base64url").slice(0, 16);
    knownSettings.set(version, hash);
    return hash;
  };
  const knownStylesheets = new WeakMap<SiteVersion, readonly string[]>();
  const stylesheetsOf = (version: SiteVersion): readonly string[] => {
    const known = knownStylesheets.get(version);
    if (known !== undefined) return known;
    const routes = [...version.docs.assets.keys()].filter((route) => /^\/[^/]+\.css$/.test(route));
    const paths = version.docs.configFile === null ? [] : routes.map((route) => decodeURI(route.slice(1))).toSorted();
    knownStylesheets.set(version, paths);
    return paths;
  };
  const versionsOf = (version: SiteVersion, includes: Iterable<string>) =>
    new Map([...includes].map((path) => [path, version.files.get(includedFile(version, path)) ?? null]));

  /** The inputs of a page besides its file and its snippets: its language, and the operation that it documents. */
  const madeOf = async (project: ProjectId, version: SiteVersion, page: Page): Promise<string> =>
    [
      version.layout.language(page.route) ?? "",
      page.operation === null
        ? ""
        : `${page.route} ${await operationKey(contentProcess.apiDocuments, { project, version, page })}`,
    ].join(" ");
  const contentKey = (
    version: SiteVersion,
    page: Page,
    { made, includes }: { made: string; includes: ReadonlyMap<string, string | null> },
  ): string => [page.version, settingsOf(version), made, ...includes.values()].join(" ");

  /** Null when the renderer failed, possibly only temporarily. */
  async function render(project: ProjectId, version: SiteVersion, page: Page): Promise<PageContent | null> {
    const { docs, snapshot } = version;
    try {
      const documented = await operationOf(contentProcess.apiDocuments, { project, version, page });
      const decoded = await readText(version, page);
      const { text } = decoded;
      const rendered = await contentProcess.render({
        owner: project,
        ...(version.signal && { signal: version.signal }),
        ...renderSettings(docs, page.path),
        source: withoutByteOrderMark(text),
        format: page.format,
        language: version.layout.language(page.route),
        stylesheets: stylesheetsOf(version),
        warnsOfStyles: page.route === version.layout.homeRoute,
        isColoured,
        // The link checker counts the byte order mark as a character.
        readsLinks: readsLinks && !text.startsWith("\uFEFF"),
        ...documented,
        async readInclude(path) {
          const file = includedFile(version, path);
          const content = version.files.has(file) ? await snapshot.read(file) : null;
          return content === null || content.length > MAX_INCLUDE_BYTES ? null : decodeText(content).text;
        },
      });
      const { css, headings, description, degraded, warnings, includes, frontMatter, written, operation } = rendered;
      const problem = encodingProblem(decoded);
      const encodingWarnings =
        problem === null ? [] : [{ path: null, line: 1, code: "encoding" as const, message: problem }];
      return {
        html: linkedInTool(docs, page, rendered),
        css,
        headings,
        description,
        degraded,
        warnings: [...encodingWarnings, ...warnings],
        includes,
        frontMatter,
        written,
        operation,
        key: null,
      };
    } catch (error) {
      version.signal?.throwIfAborted();
      logger.warn({ err: error, path: page.path }, "page not rendered");
      return null;
    }
  }

  return {
    async operationMarkdown(project, version, page) {
      const { operation, readDocument } = await operationOf(contentProcess.apiDocuments, { project, version, page });
      if (!operation || readDocument === undefined) return null;
      const rendered = await contentProcess.render({
        owner: project,
        path: page.path,
        source: "",
        format: "md",
        operation: { ...operation, isMarkdownOnly: true },
        readDocument,
        readInclude: () => Promise.resolve(null),
      });
      return rendered.operation?.markdown ?? null;
    },
    async key(project, version, { page, includes }) {
      const made = await madeOf(project, version, page);
      return contentKey(version, page, { made, includes: versionsOf(version, includes) });
    },
    async render(project, version, page) {
      const made = await madeOf(project, version, page);
      const key = `${project} ${page.path} ${page.version} ${settingsOf(version)} ${made}`;
      const known = kept.get(key);
      if (known !== undefined) {
        const now = versionsOf(version, known.includes.keys());
        if ([...now].every(([path, each]) => known.includes.get(path) === each)) return known.content;
      }
      const runKey = `${key} ${version.edition}`;
      // A draft's run ends with its own signal.
      const already = version.signal ? undefined : running.get(runKey);
      if (already !== undefined) return already;
      const run = render(project, version, page)
        .then((content) => {
          if (content === null) return plain(version, page);
          const includes = versionsOf(version, content.includes);
          const complete = { ...content, key: contentKey(version, page, { made, includes }) };
          kept.set(key, { content: complete, includes });
          return complete;
        })
        .finally(() => running.get(runKey) === run && running.delete(runKey));
      if (!version.signal) running.set(runKey, run);
      return run;
    },
  };
}

const includedFile = ({ docs, files }: SiteVersion, path: string): string =>
  spelledAsIn(files, includedPath(docs, path));

/** Text of a page's file. */
export async function readSource(version: SiteVersion, page: Page): Promise<string> {
  return withoutByteOrderMark((await readText(version, page)).text);
}

async function readText({ snapshot }: SiteVersion, page: Page): Promise<DecodedText> {
  const bytes = page.isGenerated ? null : await snapshot.read(page.path);
  return decodeText(bytes ?? new Uint8Array());
}

async function plain(version: SiteVersion, page: Page): Promise<PageContent> {
  const source = await readSource(version, page);
  const isCut = source.length > MAX_PLAIN_CHARACTERS;
  const text = isCut ? source.slice(0, MAX_PLAIN_CHARACTERS) : source;
  return {
    html: `<pre>${escapeHtml(text)}</pre>${isCut ? "<p>The page is truncated here; its Markdown is complete.</p>" : ""}`,
    css: "",
    headings: [],
    description: null,
    degraded: "plain",
    warnings: [{ path: null, line: null, code: "not_rendered", message: "The page could not be rendered." }],
    includes: [],
    frontMatter: {},
    written: null,
    operation: null,
    key: null,
  };
}
