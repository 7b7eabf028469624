import { z } from "@hono/zod-openapi";
import { queryVisitors } from "./counts.ts";
import { type Day, dayText } from "#features/visitors/day.ts";
import { amount } from "#kit/http/schemas.ts";
import { facets } from "#features/visitors/labels.ts";
import { day, type VisitorReport, type ReportDeps, type ReportQuery } from "./report.ts";
import type { Counts } from "./top-pages.ts";

export interface SeriesRow {
  /** `YYYY-MM-DD`. */
  day: string;
  visitors: Counts;
  views: Counts;
}

/** Longer series lose their oldest days. */
const MAX_SERIES_DAYS = 800;

/**
 * Visitors and views of each day of a range, oldest first; days without views are zeros. Without bounds: from the first
 * day with views to the last. A visitor counts on each of its days, so the days add up to more than the range has.
 * With a `path`, the visitors are those of this page; the views stay those of the site.
 */
export async function reportSeries(
  deps: Pick<ReportDeps, "database" | "cache">,
  query: ReportQuery & { path?: string | null },
): Promise<SeriesRow[]> {
  const tallies = await deps.database.kysely
    .selectFrom("analytics_project as p")
    .innerJoin("view_tally as t", "t.project", "p.number")
    .select(({ fn }) => ["t.day", fn.sum<number>("t.human").as("human"), fn.sum<number>("t.ai").as("ai")])
    .where("p.project_id", "=", query.projectId)
    .where("t.facet", "=", facets.page)
    .where("t.day", ">=", query.from ?? 0)
    .where("t.day", "<", query.to ?? 0xffff)
    .groupBy("t.day")
    .orderBy("t.day")
    .execute();
  const views = new Map(tallies.map((row) => [row.day, { human: Number(row.human), ai: Number(row.ai) }]));
  const last = query.to === null ? (tallies.at(-1)?.day ?? 0) : query.to - 1;
  const first = Math.max(query.from ?? tallies[0]?.day ?? last + 1, last - MAX_SERIES_DAYS + 1);
  const rows: SeriesRow[] = [];
  for (let each = first; each <= last; each++) {
    const { human, ai } = views.get(each) ?? { human: 0, ai: 0 };
    // The same query as the endpoint's, for a single day, so that the numbers cannot differ.
    const range = { ...query, from: each as Day, to: (each + 1) as Day, limit: 1, offset: 0 };
    const visitors = human + ai === 0 ? { human: 0, ai: 0, total: 0 } : (await queryVisitors(deps, range)).totals;
    rows.push({ day: dayText(each), visitors, views: { human, ai, total: human + ai } });
  }
  return rows;
}

/** The columns of a series as CSV rows. */
function seriesCsvRows(series: readonly SeriesRow[]): object[] {
  return series.map(({ day, visitors, views }) => ({
    day,
    humanVisitors: visitors.human,
    aiVisitors: visitors.ai,
    visitors: visitors.total,
    humanViews: views.human,
    aiViews: views.ai,
    views: views.total,
  }));
}

const CountsOf = (of: string) =>
  z.object({
    human: amount.openapi({ description: `${of} people.` }),
    ai: amount.openapi({ description: `${of} AI assistants and agents.` }),
    total: amount.openapi({ description: "People, AI assistants and agents together." }),
  });

/** Visitors and views of each day. */
export const series: VisitorReport<SeriesRow> = {
  path: "series",
  field: "days",
  operation: {
    id: "getSeries",
    summary: "Get visitors and views of each day",
    description:
      "Returns at most the last 800 days of the range, oldest first. A visitor who comes on two days is counted on both, so the days add up to more than the number of visitors in the range.",
  },
  row: z.object({
    day: day("UTC day."),
    visitors: CountsOf("Unique visitors of the day that are").openapi({ description: "Unique visitors of the day." }),
    views: CountsOf("Views of the day by").openapi({ description: "Views of the day." }),
  }),
  name: "Series",
  rows: "Days of the range, oldest first. The counts of days without views are 0.",
  maxRows: MAX_SERIES_DAYS,
  columns: ["day", "humanVisitors", "aiVisitors", "visitors", "humanViews", "aiViews", "views"],
  read: reportSeries,
  csvRows: seriesCsvRows,
};
