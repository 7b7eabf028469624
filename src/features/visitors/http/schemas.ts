import { z } from "@hono/zod-openapi";
import { DATE, PAGE_ROWS } from "#features/visitors/range.ts";
import { SentViews as AcceptedSentViews } from "#features/visitors/collect/sent-views.ts";
import { CursorParameter, NextCursor, numberParameter } from "#kit/http/paging.ts";
import { amount, timestamp } from "#kit/http/schemas.ts";

const counts = {
  human: amount.openapi({ description: "Count for people." }),
  ai: amount.openapi({ description: "Count for AI assistants and agents." }),
};
const path = z.string().openapi({ description: "Path of the page.", example: "/quickstart" });
const hasMore = z.boolean().openapi({ description: "Whether there are more pages." });

const Totals = z
  .object({
    ...counts,
    total: amount.openapi({
      description:
        "Count for people and AI together. Each visitor is counted once, so this is not necessarily the sum.",
    }),
  })
  .openapi("VisitorTotals", { description: "Counts for the whole site in the range, regardless of the page." });
const PageVisitors = Totals.extend({ path }).openapi("PageVisitors", { description: "Counts for one page." });
const pages = (description: string) => z.array(PageVisitors).max(PAGE_ROWS.most).openapi({ description });
export const VisitorsBody = z
  .object({
    totals: Totals,
    visitors: pages("Unique visitors of each page, most visited page first."),
    hasMore,
  })
  .openapi("Visitors");
export const ViewsBody = z
  .object({
    totals: Totals,
    views: pages("Views of each page, most viewed page first."),
    hasMore,
  })
  .openapi("Views");

export const SentViewsBody = AcceptedSentViews.openapi("SentViews");
export const AcceptedViewsBody = z
  .object({
    accepted: amount.openapi({ description: "Number of views that are stored on disk." }),
    tooOld: amount.optional().openapi({
      description:
        "Number of views that were not counted because they are older than the project's retention period. Omitted if it is zero.",
    }),
  })
  .openapi("AcceptedViews");

export const SearchesBody = z
  .object({
    searches: z
      .array(
        z.object({
          searchQuery: z.string().openapi({ description: "Search query." }),
          hits: amount.openapi({ description: "Number of searches with the query." }),
          ctr: z.number().min(0).openapi({ description: "Share of these searches that led to a page, from 0 to 1." }),
          topClickedPage: z
            .string()
            .nullable()
            .openapi({ description: "Page that most of these searches led to. `null` if none led to a page." }),
          lastSearchedAt: timestamp.openapi({ description: "Date and time of the last search with the query." }),
        }),
      )
      .openapi({ description: "Search queries, most frequent first." }),
    totalSearches: amount.openapi({
      description: "Number of all searches in the range, including those whose words are not kept.",
    }),
    nextCursor: NextCursor,
  })
  .openapi("Searches");

const dateParameter = (name: string, description: string) =>
  z
    .string()
    .optional()
    .openapi({ param: { name, in: "query" }, description, pattern: DATE.source, example: "2026-11-20" });

/**
 * The numbers of the analytics API: parsed by the feature itself, which distinguishes repeated from missing ones, with
 * its own messages.
 */
const rowsParameter = (
  name: string,
  rules: { minimum: number; maximum: number; default: number; description: string },
) =>
  z
    .string()
    .optional()
    .openapi({ param: { name, in: "query" }, type: "integer", ...rules });

export const RangeQuery = z.object({
  dateFrom: dateParameter(
    "dateFrom",
    "First day of the range, inclusive, in ISO 8601 or as YYYY-MM-DD. A date-time is reduced to its UTC date.",
  ),
  dateTo: dateParameter(
    "dateTo",
    "End of the range, exclusive: results include dates before this day, but not the day itself.",
  ),
  limit: rowsParameter("limit", {
    minimum: PAGE_ROWS.least,
    maximum: PAGE_ROWS.most,
    default: PAGE_ROWS.usual,
    description: "Number of pages of the site in the response.",
  }),
  offset: rowsParameter("offset", {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "Number of pages of the site to skip.",
  }),
});

export const SearchesQuery = z.object({
  dateFrom: RangeQuery.shape.dateFrom,
  dateTo: RangeQuery.shape.dateTo,
  limit: numberParameter("limit", { min: 1, max: 100, fallback: 50, description: "Queries per page." }),
  cursor: CursorParameter,
});
