import type { ProjectId } from "#lib/ids.ts";
import type { Database } from "#db/database.ts";
import { queryViews, queryVisitors, type PagedViews, type PagedVisitors } from "./counts.ts";
import type { CountsCache } from "./counts-cache.ts";
import { csvText } from "#features/visitors/csv.ts";
import { parsePagedRange } from "#features/visitors/range.ts";
import { countEpochs } from "#features/visitors/secrets.ts";
import type { PageCounts } from "./top-pages.ts";

interface EndpointDeps {
  database: Database;
  cache?: CountsCache;
}

/** The body of `GET /v1/analytics/{projectId}/visitors`. Throws `AppError invalid` for a wrong query. */
export async function visitorsEndpoint(
  deps: EndpointDeps,
  projectId: ProjectId,
  query: URLSearchParams,
): Promise<PagedVisitors> {
  return queryVisitors(deps, { projectId, ...parsePagedRange(query) });
}

/** How many secrets a range reaches over, see `countEpochs`; for a header beside the body. */
export async function visitorEpochs(
  { database }: EndpointDeps,
  projectId: ProjectId,
  query: URLSearchParams,
): Promise<number> {
  return countEpochs(database.kysely, { projectId, ...parsePagedRange(query) });
}

/** The body of `GET /v1/analytics/{projectId}/views`. Throws `AppError invalid` for a wrong query. */
export async function viewsEndpoint(
  deps: EndpointDeps,
  projectId: ProjectId,
  query: URLSearchParams,
): Promise<PagedViews> {
  return queryViews(deps, { projectId, ...parsePagedRange(query) });
}

/** A page of either list as CSV: `path,human,ai,total`. */
export function pageCountsCsv(pages: readonly PageCounts[]): string {
  return csvText(
    ["path", "human", "ai", "total"],
    pages.map((page) => [page.path, page.human, page.ai, page.total]),
  );
}
