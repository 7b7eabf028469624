import { type Context, Hono } from "hono";
import { type AgentList, builtInAgents } from "#features/visitors/clients/agent-list.ts";
import { knownAddresses } from "#features/visitors/clients/verify-agent.ts";
import type { CountsCache } from "#features/visitors/reports/counts-cache.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import type { UnnamedProxy } from "#features/visitors/collect/unnamed-proxy.ts";
import { ingestSnippet } from "#features/visitors/collect/ingest-snippet.ts";
import { REPORT_COLUMNS, reportCsv } from "#features/visitors/reports/report-csv.ts";
import {
  reportAgents,
  reportExcluded,
  reportMissing,
  reportReferrers,
  reportSurfaces,
} from "#features/visitors/reports/reports.ts";
import { reportSeries, seriesCsvRows } from "#features/visitors/reports/series.ts";
import {
  countVotes,
  FEEDBACK_COLUMNS,
  feedbackRow,
  listFeedback,
  PAGE_FEEDBACK_COLUMNS,
  reportFeedbackByPage,
} from "#features/visitors/feedback/feedback-report.ts";
import { reportSearches } from "#features/visitors/searches/search-report.ts";
import type { Database } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { analyticsPage, RANGES } from "./page.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { createProjectAccess, type ProjectAccessDeps } from "#features/keys/page-access.ts";
import { sendPage } from "#kit/pages/send-page.ts";

export interface AnalyticsPageDeps extends ProjectAccessDeps {
  database: Database;
  cache: CountsCache;
  /** The list of agents in use; what comes with Docent by default. */
  agents?(): AgentList;
  /** A proxy that makes its readers one visitor. */
  unnamedProxy?(): UnnamedProxy | null;
  clock: Clock;
  /** Address of this server. */
  baseUrl(): string;
}

const DEFAULT_DAYS = 30;
const MAX_CSV_PAGES = 100_000;

type Query = { projectId: ProjectId; from: Day; to: Day };

const everything = (query: Query) => ({ ...query, source: null, statuses: [], limit: MAX_CSV_PAGES });

/** Each report as a function of a range: the page and the CSV show the same rows. */
function createReports(deps: AnalyticsPageDeps) {
  const pages = async (query: Query) =>
    (await queryVisitors(deps, { ...query, limit: MAX_CSV_PAGES, offset: 0 })).visitors;
  return {
    days: {
      columns: REPORT_COLUMNS.series,
      rows: async (query: Query) => seriesCsvRows(await reportSeries(deps, query)),
    },
    pages: { columns: ["path", "human", "ai", "total"], rows: pages },
    agents: {
      columns: REPORT_COLUMNS.agents,
      rows: (query: Query) => reportAgents(deps, query),
    },
    surfaces: { columns: REPORT_COLUMNS.surfaces, rows: (query: Query) => reportSurfaces(deps, query) },
    referrers: { columns: REPORT_COLUMNS.referrers, rows: (query: Query) => reportReferrers(deps, query) },
    missing: { columns: REPORT_COLUMNS.missing, rows: (query: Query) => reportMissing(deps, query) },
    searches: {
      columns: ["searchQuery", "hits", "ctr", "topClickedPage", "lastSearchedAt", "results"],
      rows: async (query: Query) =>
        (await reportSearches(deps, { ...query, limit: MAX_CSV_PAGES, offset: 0 })).searches,
    },
    helpful: {
      columns: PAGE_FEEDBACK_COLUMNS,
      rows: async (query: Query) => (await reportFeedbackByPage(deps, { ...everything(query), offset: 0 })).feedback,
    },
    feedback: {
      columns: FEEDBACK_COLUMNS,
      rows: async (query: Query) =>
        (await listFeedback(deps, { ...everything(query), cursor: null })).feedback.map(feedbackRow),
    },
    excluded: { columns: REPORT_COLUMNS.notCounted, rows: (query: Query) => reportExcluded(deps, query) },
  } satisfies Record<string, { columns: readonly string[]; rows(query: Query): Promise<readonly object[]> }>;
}

/** `/{slug}/analytics` and `/{slug}/analytics/{report}.csv`, for readers who are signed in to the project. */
export function createAnalyticsRoutes(deps: AnalyticsPageDeps): Hono {
  const access = createProjectAccess(deps);
  const reports = createReports(deps);
  const routes = new Hono();
  const rangeOf = (c: Context) => {
    const days = RANGES.find((range) => String(range) === c.req.query("days")) ?? DEFAULT_DAYS;
    const to = (dayOf(deps.clock.now().getTime()) + 1) as Day;
    return { days, from: (to - days) as Day, to };
  };
  routes.get("/:slug/analytics", async (c) => {
    const { project, place, answer } = await access.open(c);
    if (answer) return answer;
    const { days, from, to } = rangeOf(c);
    const query = { projectId: project.id, from, to };
    const page = analyticsPage({
      place,
      days,
      agentAddresses: knownAddresses(deps.agents?.() ?? builtInAgents, to - 1),
      unnamedProxy: deps.unnamedProxy?.() ?? null,
      snippet: ingestSnippet({ endpoint: `${deps.baseUrl()}/ingest/${project.id}` }),
      visitors: await queryVisitors(deps, { ...query, limit: 50, offset: 0 }),
      series: await reportSeries(deps, query),
      agents: await reports.agents.rows(query),
      surfaces: await reports.surfaces.rows(query),
      referrers: await reports.referrers.rows(query),
      missing: await reports.missing.rows(query),
      searches: await reports.searches.rows(query),
      feedback: {
        votes: await countVotes(deps, query),
        pages: (await reportFeedbackByPage(deps, { ...everything(query), limit: 50, offset: 0 })).feedback,
        words: (await listFeedback(deps, { ...everything(query), limit: 5, cursor: null, hasWords: true })).feedback,
      },
      excluded: await reports.excluded.rows(query),
    });
    return sendPage(c, page);
  });

  routes.get("/:slug/analytics/:file{[a-z]+\\.csv}", async (c) => {
    const { project, answer } = await access.open(c);
    if (answer) return answer;
    const name = c.req.param("file").slice(0, -".csv".length);
    const report = Object.entries(reports).find(([known]) => known === name)?.[1];
    if (!report) return sendNotFound(c);
    const { from, to } = rangeOf(c);
    const text = reportCsv(report.columns, await report.rows({ projectId: project.id, from, to }));
    return c.body(text, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${project.slug}-${name}.csv"`,
      "Cache-Control": "private, no-cache",
    });
  });
  return routes;
}
