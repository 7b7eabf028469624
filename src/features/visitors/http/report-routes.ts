import type { OpenAPIHono, z } from "@hono/zod-openapi";
import type { AgentList } from "#features/visitors/clients/agent-list.ts";
import { parseDates } from "#features/visitors/range.ts";
import type { CountsCache } from "#features/visitors/reports/counts-cache.ts";
import { REPORT_COLUMNS, reportCsv } from "#features/visitors/reports/report-csv.ts";
import type { ReportQuery } from "#features/visitors/reports/report-rows.ts";
import {
  reportAgents,
  reportExcluded,
  reportMissing,
  reportReferrers,
  reportSurfaces,
} from "#features/visitors/reports/reports.ts";
import { reportSeries, seriesCsvRows } from "#features/visitors/reports/series.ts";
import type { Database } from "#db/database.ts";
import { countAnalyticsCall, csvAnswer, REPORT_HEADERS, wantsCsv } from "./answers.ts";
import {
  AgentsBody,
  DaysQuery,
  MissingBody,
  NotCountedBody,
  ReferrersBody,
  SeriesBody,
  SurfacesBody,
} from "./report-schemas.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import type { Clock } from "#lib/clock.ts";

export interface AnalyticsReportDeps {
  database: Database;
  clock: Clock;
  analyticsCallsPerHour: number;
  cache: CountsCache;
  /** The list of agents in use; what comes with Docent by default. */
  agents?(): AgentList;
}

function reportRoute<Name extends string, Body extends z.ZodType>(
  name: Name,
  { body, columns, ...words }: { body: Body; columns: readonly string[]; id: string; summary: string; description: string }, // oxfmt-ignore
) {
  return operation({
    method: "get",
    path: `/v1/analytics/{projectId}/${name}`,
    tags: ["Analytics"],
    ...words,
    scope: "read",
    params: ProjectParams,
    query: DaysQuery,
    answer: [200, body, "The report; CSV with `Accept: text/csv`."],
    errors: [429],
    headers: REPORT_HEADERS.filter((header) => header !== "Link"),
    csv: columns.join(", "),
  });
}

const seriesRoute = reportRoute("series", {
  body: SeriesBody,
  columns: REPORT_COLUMNS.series,
  id: "getSeries",
  summary: "Get visitors and views of each day",
  description:
    "The last 800 days of the range at most, oldest first. Who comes on two days is a visitor of both, so the days add up to more than the range has.",
});
const agentsRoute = reportRoute("agents", {
  body: AgentsBody,
  columns: REPORT_COLUMNS.agents,
  id: "getAgents",
  summary: "Get readers that are no browsers",
  description: "Assistants, crawlers and programs, by views, with whether they proved who they are.",
});
const surfacesRoute = reportRoute("surfaces", {
  body: SurfacesBody,
  columns: REPORT_COLUMNS.surfaces,
  id: "getSurfaces",
  summary: "Get views by form of the content",
  description: "Counted views of pages, Markdown, llms.txt and the other forms in which the content is read.",
});
const referrersRoute = reportRoute("referrers", {
  body: ReferrersBody,
  columns: REPORT_COLUMNS.referrers,
  id: "getReferrers",
  summary: "Get views by referring host",
  description: "Counted views by the host that readers came from.",
});
const missingRoute = reportRoute("missing", {
  body: MissingBody,
  columns: REPORT_COLUMNS.missing,
  id: "getMissingPages",
  summary: "Get pages that AI readers miss",
  description: "Paths that AI readers asked for and that are not there, by how often.",
});
const notCountedRoute = reportRoute("not-counted", {
  body: NotCountedBody,
  columns: REPORT_COLUMNS.notCounted,
  id: "getNotCounted",
  summary: "Get what was not counted",
  description:
    "Requests and views that count neither as human nor as AI, by the reason. A page that went to a browser is `unconfirmed` until its script reports the view.",
});

/** The reports of the analytics page. Authentication is the caller's. */
export function analyticsReportRoutes(deps: AnalyticsReportDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  async function queryOf(c: HttpContext): Promise<ReportQuery> {
    await countAnalyticsCall(c, deps);
    return { projectId: c.get("principal").projectId, ...parseDates(new URL(c.req.url).searchParams) };
  }

  routes.openapi(seriesRoute, async (c) => {
    const days = await reportSeries(deps, await queryOf(c));
    return wantsCsv(c)
      ? csvAnswer(c, "series", reportCsv(REPORT_COLUMNS.series, seriesCsvRows(days)))
      : c.json({ days }, 200);
  });
  routes.openapi(agentsRoute, async (c) => {
    const agents = await reportAgents(deps, await queryOf(c));
    return wantsCsv(c) ? csvAnswer(c, "agents", reportCsv(REPORT_COLUMNS.agents, agents)) : c.json({ agents }, 200);
  });
  routes.openapi(surfacesRoute, async (c) => {
    const surfaces = await reportSurfaces(deps, await queryOf(c));
    return wantsCsv(c)
      ? csvAnswer(c, "surfaces", reportCsv(REPORT_COLUMNS.surfaces, surfaces))
      : c.json({ surfaces }, 200);
  });
  routes.openapi(referrersRoute, async (c) => {
    const referrers = await reportReferrers(deps, await queryOf(c));
    return wantsCsv(c)
      ? csvAnswer(c, "referrers", reportCsv(REPORT_COLUMNS.referrers, referrers))
      : c.json({ referrers }, 200);
  });
  routes.openapi(missingRoute, async (c) => {
    const missing = await reportMissing(deps, await queryOf(c));
    return wantsCsv(c) ? csvAnswer(c, "missing", reportCsv(REPORT_COLUMNS.missing, missing)) : c.json({ missing }, 200);
  });
  routes.openapi(notCountedRoute, async (c) => {
    const reasons = await reportExcluded(deps, await queryOf(c));
    return wantsCsv(c)
      ? csvAnswer(c, "not-counted", reportCsv(REPORT_COLUMNS.notCounted, reasons))
      : c.json({ notCounted: reasons }, 200);
  });
  return routes;
}
