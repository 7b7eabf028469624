import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { parseDates } from "#features/visitors/range.ts";
import { csvRowsOf, type VisitorReport, reportCsv, type ReportDeps } from "#features/visitors/reports/report.ts";
import { REPORTS } from "#features/visitors/reports/reports.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import type { Clock } from "#lib/clock.ts";
import { countAnalyticsCall, csvAnswer, REPORT_HEADERS, wantsCsv } from "./answers.ts";
import { RangeQuery } from "./schemas.ts";

export interface AnalyticsReportDeps extends ReportDeps {
  clock: Clock;
  analyticsCallsPerHour: number;
}

function reportRoute({ path, field, operation: words, row, name, rows, maxRows, columns }: VisitorReport) {
  const list = maxRows === undefined ? z.array(row) : z.array(row).max(maxRows);
  return operation({
    method: "get",
    path: `/v1/analytics/{projectId}/${path}`,
    tags: ["Analytics"],
    ...words,
    scope: "read",
    params: ProjectParams,
    query: RangeQuery.pick({ dateFrom: true, dateTo: true }),
    answer: [
      200,
      z.object({ [field]: list.openapi({ description: rows }) }).openapi(name),
      "The report. CSV with `Accept: text/csv`.",
    ],
    errors: [429],
    headers: REPORT_HEADERS.filter((header) => header !== "Link"),
    csv: columns.join(", "),
  });
}

/** The reports of the analytics page. Authentication is the caller's. */
export function analyticsReportRoutes(deps: AnalyticsReportDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  for (const report of Object.values<VisitorReport>(REPORTS)) {
    routes.openapi(reportRoute(report), async (c) => {
      await countAnalyticsCall(c, deps);
      const range = parseDates(new URL(c.req.url).searchParams);
      const rows = await report.read(deps, { projectId: c.get("principal").projectId, ...range });
      // The row's schema is known to the document, but not to the compiler.
      if (!wantsCsv(c)) return c.json({ [report.field]: rows }, 200) as never;
      return csvAnswer(c, report.path, reportCsv(report.columns, csvRowsOf(report, rows)));
    });
  }
  return routes;
}
