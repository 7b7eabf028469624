import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { countCall, rateLimitHeaders } from "#accounts/rate-limit.ts";
import type { CountsCache } from "#analytics/counts-cache.ts";
import { pageCountsCsv, viewsEndpoint, visitorEpochs, visitorsEndpoint } from "#analytics/endpoints.ts";
import type { Journal } from "#analytics/journal.ts";
import { MAX_SENT_VIEWS, SentViews, sendViewsEndpoint } from "#analytics/sent-views.ts";
import type { Database } from "#db/database.ts";
import { answers } from "#http/answers.ts";
import type { HttpContext, HttpEnv } from "#http/context.ts";
import { jsonBody, limitedBody } from "#http/json-body.ts";
import { createRouter } from "#http/router.ts";
import { ProjectParams, RangeQuery, ViewsBody, VisitorsBody } from "#http/schemas.ts";
import type { Clock } from "#lib/clock.ts";

export interface AnalyticsRoutesDeps {
  database: Database;
  clock: Clock;
  analyticsCallsPerHour: number;
  cache?: CountsCache;
  /** Where views of server-side senders are written. */
  journal: Pick<Journal, "append">;
}

const tags = ["Analytics"];

const visitorsRoute = createRoute({
  method: "get",
  path: "/v1/analytics/{projectId}/visitors",
  tags,
  summary: "Get unique visitors",
  request: { params: ProjectParams, query: RangeQuery },
  responses: answers(
    200,
    VisitorsBody,
    "Unique visitors, site-wide and per page; CSV with `Accept: text/csv`.",
    [400, 401, 404, 429],
  ),
});

const viewsRoute = createRoute({
  method: "get",
  path: "/v1/analytics/{projectId}/views",
  tags,
  summary: "Get views",
  request: { params: ProjectParams, query: RangeQuery },
  responses: answers(
    200,
    ViewsBody,
    "Views, site-wide and per page; CSV with `Accept: text/csv`.",
    [400, 401, 404, 429],
  ),
});

const sendRoute = createRoute({
  method: "post",
  path: "/v1/analytics/{projectId}/views",
  tags,
  summary: "Send views from a server",
  description: `At most ${MAX_SENT_VIEWS} views. The same \`event_id\` on the same UTC day is the same view: sending again is safe.`,
  middleware: [limitedBody, jsonBody],
  request: { params: ProjectParams, body: { required: true, content: { "application/json": { schema: SentViews } } } },
  responses: answers(
    200,
    z.object({ accepted: z.number().int() }).openapi("AcceptedViews"),
    "All of them are safely on disk, and in the counts within a second.",
    [400, 401, 404, 413, 415, 429],
  ),
});

/** The export of visitor and view counts. Authentication is the caller's. */
export function analyticsRoutes(deps: AnalyticsRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  async function count(c: HttpContext): Promise<void> {
    const { projectId } = c.get("principal");
    const state = await countCall(deps.database.kysely, {
      projectId,
      bucket: "analytics",
      limit: deps.analyticsCallsPerHour,
      now: deps.clock.now(),
    });
    for (const [name, value] of Object.entries(rateLimitHeaders(state))) c.header(name, value);
    c.header("Vary", "Accept");
    c.header("Cache-Control", "private, no-cache");
  }

  routes.openapi(visitorsRoute, async (c) => {
    await count(c);
    const { projectId } = c.get("principal");
    const query = new URL(c.req.url).searchParams;
    const body = await visitorsEndpoint(deps, projectId, query);
    // More than 1: the range reaches over a change of the visitor secret, and its numbers are sums of the parts.
    c.header("Docent-Visitor-Epochs", String(await visitorEpochs(deps, projectId, query)));
    if (wantsCsv(c)) return csvAnswer(c, "visitors", pageCountsCsv(body.visitors));
    return c.json(body, 200);
  });

  routes.openapi(viewsRoute, async (c) => {
    await count(c);
    const { projectId } = c.get("principal");
    const body = await viewsEndpoint(deps, projectId, new URL(c.req.url).searchParams);
    if (wantsCsv(c)) return csvAnswer(c, "views", pageCountsCsv(body.views));
    return c.json(body, 200);
  });

  routes.openapi(sendRoute, async (c) => {
    await count(c);
    const { projectId } = c.get("principal");
    return c.json(await sendViewsEndpoint(deps, projectId, c.req.valid("json")), 200);
  });

  return routes;
}

const wantsCsv = (c: HttpContext) => /\btext\/csv\b/i.test(c.req.header("accept") ?? "");

function csvAnswer(c: HttpContext, name: string, text: string): never {
  c.header("Content-Type", "text/csv; charset=utf-8");
  c.header("Content-Disposition", `attachment; filename="${name}.csv"`);
  // The document describes the JSON form; this is the other one that `Accept` can ask for.
  return c.body(text, 200) as never;
}
