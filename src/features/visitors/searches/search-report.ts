import { sql } from "kysely";
import type { DayRange } from "#features/visitors/range.ts";
import type { Database } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";

/** Readers' searches in a range of days. */
export interface SearchReportRow {
  searchQuery: string;
  hits: number;
  /** The fraction of the searches in which a page was opened, 0 to 1. */
  ctr: number;
  topClickedPage: string | null;
  lastSearchedAt: string;
  /** The number of results of the last search. */
  results: number;
}

type Query = DayRange & { projectId: ProjectId; limit: number; offset: number };

/** The queries of a range by frequency. Queries that are only counted are included in `totalSearches` alone. */
export async function reportSearches(
  { database }: { database: Database },
  { projectId, from, to, limit, offset }: Query,
): Promise<{ searches: SearchReportRow[]; totalSearches: number; hasMore: boolean }> {
  const inRange = sql`project_id = ${projectId} and day >= ${from ?? 0} and day < ${to ?? 1_000_000}`;
  const { rows } = await sql<{ query: string; hits: number; clicks: number; results: number; last_at: number }>`
    select query, sum(searches) as hits, sum(clicks) as clicks, max(last_at) as last_at,
      (select results from search_count as last where last.project_id = ${projectId} and last.query = search_count.query
        order by last.day desc limit 1) as results
    from search_count where ${inRange} and query <> ''
    group by query order by hits desc, query limit ${limit + 1} offset ${offset}`.execute(database.kysely);
  const total = await sql<{ total: number | null }>`
    select sum(searches) as total from search_count where ${inRange}`.execute(database.kysely);
  const shown = rows.slice(0, limit);
  const pages = await topPages(database, { inRange, queries: shown.map(({ query }) => query) });
  return {
    searches: shown.map(({ query, hits, clicks, results, last_at }) => ({
      searchQuery: query,
      hits: Number(hits),
      ctr: Math.round((Number(clicks) / Number(hits)) * 10_000) / 10_000,
      topClickedPage: pages.get(query) ?? null,
      lastSearchedAt: new Date(Number(last_at)).toISOString(),
      results: Number(results),
    })),
    totalSearches: Number(total.rows[0]?.total ?? 0),
    hasMore: rows.length > limit,
  };
}

async function topPages(
  database: Database,
  { inRange, queries }: { inRange: ReturnType<typeof sql>; queries: readonly string[] },
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  if (queries.length === 0) return pages;
  const { rows } = await sql<{ query: string; page: string }>`
    select query, page, sum(clicks) as clicks from search_click
    where ${inRange} and query in (${sql.join(queries)})
    group by query, page order by clicks desc, page`.execute(database.kysely);
  for (const { query, page } of rows) if (!pages.has(query)) pages.set(query, page);
  return pages;
}

export const SEARCH_COLUMNS = ["searchQuery", "hits", "ctr", "topClickedPage", "lastSearchedAt"] as const;
