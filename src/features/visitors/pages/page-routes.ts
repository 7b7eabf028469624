import { type Context, Hono } from "hono";
import { builtInAgents } from "#features/visitors/clients/agent-list.ts";
import type { FailedFetch } from "#features/visitors/clients/failed-fetches.ts";
import { knownAddresses } from "#features/visitors/clients/verify-agent.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { countEpochs } from "#features/visitors/secrets.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import type { UnnamedProxy } from "#features/visitors/collect/unnamed-proxy.ts";
import { ingestSnippet } from "#features/visitors/collect/ingest-snippet.ts";
import {
  csvRowsOf,
  PAGE_COLUMNS,
  type VisitorReport,
  reportCsv,
  type ReportDeps,
} from "#features/visitors/reports/report.ts";
import { REPORTS } from "#features/visitors/reports/reports.ts";
import { reportSeries } from "#features/visitors/reports/series.ts";
import {
  countVotes,
  FEEDBACK_COLUMNS,
  feedbackRow,
  listFeedback,
  PAGE_FEEDBACK_COLUMNS,
  reportFeedbackByPage,
} from "#features/visitors/feedback/feedback-report.ts";
import { reportSearches, SEARCH_COLUMNS } from "#features/visitors/searches/search-report.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { analyticsPage } from "./page.ts";
import { rangeOf } from "./shown-range.ts";
import { sendNotFound } from "#kit/pages/problem-page.ts";
import { createProjectAccess, type ProjectAccessDeps } from "#features/keys/page-access.ts";
import { sendPage } from "#kit/pages/send-page.ts";

export interface AnalyticsPageDeps extends ProjectAccessDeps, ReportDeps {
  /** A proxy that makes its readers one visitor. */
  unnamedProxy?(): UnnamedProxy | null;
  /** Lists of addresses that cannot be fetched. */
  failedFetches?(): Promise<FailedFetch[]>;
  clock: Clock;
  /** Address of this server. */
  baseUrl(): string;
}

const MAX_CSV_PAGES = 100_000;

type Query = { projectId: ProjectId; from: Day; to: Day };

const everything = (query: Query) => ({ ...query, source: null, statuses: [], limit: MAX_CSV_PAGES });

interface CsvReport {
  columns: readonly string[];
  rows(query: Query): Promise<readonly object[]>;
}

/** The reports that can be downloaded as CSV, by file name. */
function csvReports(deps: AnalyticsPageDeps): Record<string, CsvReport> {
  const byDays = Object.entries<VisitorReport>(REPORTS).map(([name, report]): [string, CsvReport] => {
    const rows = async (query: Query) => csvRowsOf(report, await report.read(deps, query));
    return [name, { columns: report.columns, rows }];
  });
  return {
    ...Object.fromEntries(byDays),
    pages: {
      columns: PAGE_COLUMNS,
      rows: async (query) => (await queryVisitors(deps, { ...query, limit: MAX_CSV_PAGES, offset: 0 })).visitors,
    },
    searches: {
      columns: [...SEARCH_COLUMNS, "results"],
      rows: async (query) => (await reportSearches(deps, { ...query, limit: MAX_CSV_PAGES, offset: 0 })).searches,
    },
    helpful: {
      columns: PAGE_FEEDBACK_COLUMNS,
      rows: async (query) => (await reportFeedbackByPage(deps, { ...everything(query), offset: 0 })).feedback,
    },
    feedback: {
      columns: FEEDBACK_COLUMNS,
      rows: async (query) =>
        (await listFeedback(deps, { ...everything(query), cursor: null })).feedback.map(feedbackRow),
    },
  };
}

/** `/{slug}/analytics` and `/{slug}/analytics/{report}.csv`, for signed-in members of the project. */
export function createAnalyticsRoutes(deps: AnalyticsPageDeps): Hono {
  const access = createProjectAccess(deps);
  const reports = csvReports(deps);
  const routes = new Hono();
  const shownRange = (c: Context) => rangeOf((name) => c.req.query(name), dayOf(deps.clock.now().getTime()));
  routes.get("/:slug/analytics", async (c) => {
    const { project, place, answer } = await access.open(c);
    if (answer) return answer;
    const range = shownRange(c);
    const { from, to, days } = range;
    const query = { projectId: project.id, from, to };
    const asked = c.req.query("page");
    const path = asked?.startsWith("/") ? asked : null;
    const before = { ...query, path, from: (from - days) as Day, to: from };
    const page = analyticsPage({
      place,
      range,
      path,
      previous: (await queryVisitors(deps, { ...before, limit: 1, offset: 0 })).totals,
      epochs: await countEpochs(deps.database.kysely, query),
      agentAddresses: knownAddresses(deps.agents?.() ?? builtInAgents, to - 1),
      failedFetches: (await deps.failedFetches?.()) ?? [],
      unnamedProxy: deps.unnamedProxy?.() ?? null,
      snippet: ingestSnippet({ endpoint: `${deps.baseUrl()}/ingest/${project.id}` }),
      externalSite: project.settings.externalSite ?? null,
      visitors: await queryVisitors(deps, { ...query, path, limit: 50, offset: 0 }),
      series: await reportSeries(deps, { ...query, path }),
      agents: await REPORTS.agents.read(deps, query),
      surfaces: await REPORTS.surfaces.read(deps, query),
      referrers: await REPORTS.referrers.read(deps, query),
      missing: await REPORTS.missing.read(deps, query),
      excluded: await REPORTS.excluded.read(deps, query),
      searches: (await reportSearches(deps, { ...query, limit: MAX_CSV_PAGES, offset: 0 })).searches,
      feedback: {
        votes: await countVotes(deps, query),
        pages: (await reportFeedbackByPage(deps, { ...everything(query), limit: 50, offset: 0 })).feedback,
        words: (await listFeedback(deps, { ...everything(query), limit: 5, cursor: null, hasWords: true })).feedback,
      },
    });
    return sendPage(c, page);
  });

  routes.get("/:slug/analytics/:file{[a-z]+\\.csv}", async (c) => {
    const { project, answer } = await access.open(c);
    if (answer) return answer;
    const name = c.req.param("file").slice(0, -".csv".length);
    const report = Object.hasOwn(reports, name) ? reports[name] : undefined;
    if (!report) return sendNotFound(c);
    const { from, to } = shownRange(c);
    const text = reportCsv(report.columns, await report.rows({ projectId: project.id, from, to }));
    return c.body(text, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${project.slug}-${name}.csv"`,
      "Cache-Control": "private, no-cache",
    });
  });
  return routes;
}
