import { z } from "@hono/zod-openapi";
import { DATE, PAGE_ROWS } from "#features/visitors/range.ts";
import { SentViews as AcceptedSentViews } from "#features/visitors/collect/sent-views.ts";
import { CursorParameter, NextCursor, numberParameter } from "#kit/http/paging.ts";
import { amount, timestamp } from "#kit/http/schemas.ts";

const counts = {
  human: amount.openapi({ description: "By people." }),
  ai: amount.openapi({ description: "By AI assistants and agents." }),
};
const path = z.string().openapi({ description: "Path of the page.", example: "/quickstart" });
const hasMore = z.boolean().openapi({ description: "Whether there are pages after these." });

const Totals = z
  .object({ ...counts, total: amount.openapi({ description: "By both, each visitor once: not necessarily the sum." }) })
  .openapi("VisitorTotals", { description: "Of the whole site in the range, whatever the page." });
const PageVisitors = Totals.extend({ path }).openapi("PageVisitors", { description: "Of one page." });
const pages = (description: string) => z.array(PageVisitors).max(PAGE_ROWS.most).openapi({ description });
export const VisitorsBody = z
  .object({
    totals: Totals,
    visitors: pages("Unique visitors of each page, the most visited first."),
    hasMore,
  })
  .openapi("Visitors");
export const ViewsBody = z
  .object({
    totals: Totals,
    views: pages("Views of each page, the most viewed first."),
    hasMore,
  })
  .openapi("Views");

export const SentViewsBody = AcceptedSentViews.openapi("SentViews");
export const AcceptedViewsBody = z
  .object({
    accepted: amount.openapi({ description: "Views that are safely on disk." }),
    tooOld: amount
      .optional()
      .openapi({ description: "Views from before the first day that the project keeps: not counted." }),
  })
  .openapi("AcceptedViews");

export const SearchesBody = z
  .object({
    searches: z
      .array(
        z.object({
          searchQuery: z.string().openapi({ description: "What was searched for." }),
          hits: amount.openapi({ description: "How often it was searched for." }),
          ctr: z.number().min(0).openapi({ description: "Share of these searches that led to a page, 0 to 1." }),
          topClickedPage: z
            .string()
            .nullable()
            .openapi({ description: "The page that most of them led to; null where none did." }),
          lastSearchedAt: timestamp.openapi({ description: "When it was searched for last." }),
        }),
      )
      .openapi({ description: "Queries, the most frequent first." }),
    totalSearches: amount.openapi({
      description: "All searches of the range, those whose words are not kept among them.",
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
  dateFrom: dateParameter("dateFrom", "First day, inclusive: ISO 8601 or YYYY-MM-DD, reduced to its UTC date."),
  dateTo: dateParameter("dateTo", "Day after the last one: results include dates before it, not on it."),
  limit: rowsParameter("limit", {
    minimum: PAGE_ROWS.least,
    maximum: PAGE_ROWS.most,
    default: PAGE_ROWS.usual,
    description: "Pages of the site in one answer.",
  }),
  offset: rowsParameter("offset", {
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "Pages of the site to skip.",
  }),
});

export const SearchesQuery = z.object({
  dateFrom: RangeQuery.shape.dateFrom,
  dateTo: RangeQuery.shape.dateTo,
  limit: numberParameter("limit", { min: 1, max: 100, fallback: 50, description: "Queries per page." }),
  cursor: CursorParameter,
});
