import { posix } from "node:path";
import { createBreather, runInSlices } from "#lib/waiting/breather.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { createLruCache, type LruCache } from "#lib/lru-cache.ts";
import { toolRoutes } from "./tool-routes.ts";
import type { OpenedSite } from "#docs/config/find-site.ts";
import { titleOfName } from "#docs/names.ts";
import { readPageHead, type PageHead } from "./page-head.ts";
import { markdownFormat, type MarkdownFormat } from "#docs/parser.ts";
import { buildRoutes, stripContentRoot, type Route, type RouteConflict } from "#docs/routes.ts";
import { readIfPossible, type Snapshot, type SnapshotFile } from "#docs/snapshot.ts";
import { variablesKey, type Variables } from "#docs/variables.ts";

/** The operation of an API that a page documents. */
export interface PageOperation {
  /** Path of the description below the site's root; null when the page itself describes the operation (`api:`). */
  file: string | null;
  /** `GET`, `POST` …, `WEBHOOK`, or `OVERVIEW` for the API as a whole. */
  method: string;
  /** Path, name of a webhook, or with `api:` the address as written. */
  path: string;
}

export interface Page extends PageHead {
  route: Route;
  /** Path in the repository. */
  path: string;
  title: string;
  format: MarkdownFormat;
  /** The operation of an API that it documents. */
  operation: PageOperation | null;
  /** Whether it is generated from an API description: it has no file, and `path` is that of the description. */
  isGenerated: boolean;
  /** The API description that is still being read and may contain what the page documents; null when the page is complete. */
  awaits: string | null;
  /** The file's version: changes with its content. */
  version: string;
  sizeBytes: number;
}

/** Heads of pages by file version and variables, cached across commits. */
export type PageHeads = LruCache<string, PageHead>;

/** Room for several large sites; about 300 bytes per entry. */
export function createPageHeads(maxPages = 100_000): PageHeads {
  return createLruCache({ maxWeight: maxPages });
}

const READS_AT_ONCE = 32;

/**
 * Assigns Markdown files their routes and reads their heads; a head of a known version is not read again. `variables` are
 * filled into titles and descriptions.
 */
export async function readPages(
  snapshot: Snapshot,
  {
    files,
    contentRoot,
    heads,
    variables,
    tool,
  }: {
    files: readonly SnapshotFile[];
    contentRoot: string;
    heads: PageHeads;
    variables: Variables;
    tool: OpenedSite | null;
  },
): Promise<{
  byRoute: Map<Route, Page>;
  untitled: Set<Route>;
  conflicts: readonly RouteConflict[];
  /** Files that are for some readers alone. */
  restricted: readonly { path: string; groups: readonly string[] }[];
  drafts: ReadonlySet<Route>;
}> {
  const breathe = createBreather();
  const filledWith = variablesKey(variables) + (tool === null ? "" : ` ${tool.dialect.name}`);
  const byRoute = new Map<Route, Page>();
  const untitled = new Set<Route>();
  const restricted: { path: string; groups: readonly string[] }[] = [];
  const read = await mapConcurrently(files, READS_AT_ONCE, async (file) => {
    const rest = breathe();
    if (rest) await rest;
    const known = heads.get(file.version + filledWith);
    if (known !== undefined) return known;
    const bytes = await readIfPossible(snapshot, file.path);
    const head = readPageHead(bytes ?? new Uint8Array(), variables, tool?.site);
    if (bytes !== null) heads.set(file.version + filledWith, head);
    return head;
  });
  const routes =
    tool === null
      ? {
          drafts: new Set<Route>(),
          ...(await runInSlices(
            buildRoutes(
              files.map((file) => file.path),
              contentRoot,
            ),
          )),
        }
      : toolRoutes(tool, new Map(files.map((file, index) => [file.path, read[index]!])));
  for (const [index, file] of files.entries()) {
    const rest = breathe();
    if (rest) await rest;
    const route = routes.routeOf(file.path);
    const head = read[index];
    if (route === null || head === undefined) continue;
    if (head.groups !== undefined) {
      restricted.push({ path: file.path, groups: head.groups });
      continue;
    }
    if (head.title === null) untitled.add(route);
    byRoute.set(route, {
      ...head,
      route,
      path: file.path,
      title: head.title ?? fallbackTitle(file.path, contentRoot),
      format: markdownFormat(file.path) ?? "md",
      operation: null,
      isGenerated: false,
      awaits: null,
      version: file.version,
      sizeBytes: file.sizeBytes,
    });
  }
  return { byRoute, untitled, conflicts: routes.conflicts, restricted, drafts: routes.drafts };
}

function fallbackTitle(path: string, contentRoot: string): string {
  const stem = path.replace(/\.[^.]+$/, "");
  const name = posix.basename(stem);
  if (!/^(index|readme)$/i.test(name)) return titleOfName(name);
  const folder = posix.dirname(stripContentRoot(stem, contentRoot) ?? stem);
  return folder === "." ? "Overview" : titleOfName(posix.basename(folder));
}
