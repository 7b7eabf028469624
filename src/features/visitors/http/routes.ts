import type { OpenAPIHono } from "@hono/zod-openapi";
import type { CountsCache } from "#features/visitors/reports/counts-cache.ts";
import { queryViews, queryVisitors } from "#features/visitors/reports/counts.ts";
import { PAGE_COLUMNS, reportCsv } from "#features/visitors/reports/report.ts";
import { countEpochs } from "#features/visitors/secrets.ts";
import type { Journal } from "#features/visitors/journal/journal.ts";
import { readAnalyticsSettings, readFirstKeptDay } from "#features/visitors/settings.ts";
import { type AcceptedViews, MAX_SENT_VIEWS, sendViewsEndpoint } from "#features/visitors/collect/sent-views.ts";
import type { Database } from "#db/database.ts";
import type { TrustedTime } from "#db/trusted-time.ts";
import { operation } from "#kit/http/operation.ts";
import {
  countAnalyticsCall,
  csvAnswer,
  linkNextPage,
  offsetCursor,
  readOffset,
  REPORT_HEADERS,
  wantsCsv,
} from "./answers.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { RATE_LIMIT_HEADERS } from "#kit/http/document/answer-headers.ts";
import { answerOnce } from "#kit/http/idempotency.ts";
import { linkNextCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { ProjectParams } from "#kit/http/schemas.ts";
import {
  AcceptedViewsBody,
  RangeQuery,
  SearchesBody,
  SearchesQuery,
  SentViewsBody,
  ViewsBody,
  VisitorsBody,
} from "./schemas.ts";
import { parseDates, parsePagedRange } from "#features/visitors/range.ts";
import { reportSearches, SEARCH_COLUMNS } from "#features/visitors/searches/search-report.ts";
import { claimKey, storeOutcome } from "#kit/http/request-outcomes.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";

export interface AnalyticsRoutesDeps {
  database: Database;
  clock: Clock;
  /** The clock that decides which views are too old. */
  time: TrustedTime;
  analyticsCallsPerHour: number;
  cache?: CountsCache;
  /** Where views of server-side senders are written. */
  journal: Pick<Journal, "append">;
}

const tags = ["Analytics"];

const visitorsRoute = operation({
  method: "get",
  path: "/v1/analytics/{projectId}/visitors",
  id: "getVisitors",
  tags,
  summary: "Get unique visitors",
  description:
    "Returns the number of unique visitors of the whole site and of each page in a range of UTC days, separately for people and AI. The counts are exact. While `hasMore` is `true`, increase `offset` by `limit` to get the next page.",
  scope: "read",
  params: ProjectParams,
  query: RangeQuery,
  answer: [200, VisitorsBody, "Unique visitors of the site and of each page. CSV with `Accept: text/csv`."],
  errors: [429],
  headers: [...REPORT_HEADERS, "Docent-Visitor-Epochs"],
  csv: "path, human, ai, total",
});

const viewsRoute = operation({
  method: "get",
  path: "/v1/analytics/{projectId}/views",
  id: "getViews",
  tags,
  summary: "Get views",
  description: "Returns the same as `getVisitors`, but counts views instead of visitors.",
  scope: "read",
  params: ProjectParams,
  query: RangeQuery,
  answer: [200, ViewsBody, "Views of the site and of each page. CSV with `Accept: text/csv`."],
  errors: [429],
  headers: REPORT_HEADERS,
  csv: "path, human, ai, total",
});

const searchesRoute = operation({
  method: "get",
  path: "/v1/analytics/{projectId}/searches",
  id: "getSearches",
  tags,
  summary: "Get search queries",
  description: "Lists what readers entered into the search of the site, and the pages that the searches led to.",
  scope: "read",
  params: ProjectParams,
  query: SearchesQuery,
  answer: [200, SearchesBody, "Search queries of readers, most frequent first. CSV with `Accept: text/csv`."],
  errors: [429],
  headers: REPORT_HEADERS,
  csv: SEARCH_COLUMNS.join(", "),
});

const sendRoute = operation({
  method: "post",
  path: "/v1/analytics/{projectId}/views",
  id: "sendViews",
  tags,
  summary: "Send views from a server",
  description: `Sends at most ${MAX_SENT_VIEWS} views. Views with the same \`event_id\` on the same UTC day are the same view, so the request can be retried safely.`,
  scope: "agent",
  params: ProjectParams,
  body: SentViewsBody,
  answer: [
    200,
    AcceptedViewsBody,
    "Accepted views are stored on disk and appear in the counts within a second. Views counted in `tooOld` are from before the first day that the project keeps and do not appear in the counts.",
  ],
  errors: [429],
  headers: ["Cache-Control", "Vary", ...RATE_LIMIT_HEADERS],
});

/** The export of visitor and view counts. Authentication is the caller's. */
export function analyticsRoutes(deps: AnalyticsRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  const views = {
    ...deps,
    firstKeptDay: (projectId: ProjectId) => readFirstKeptDay(deps, projectId),
    siteBase: async (projectId: ProjectId) =>
      (await readAnalyticsSettings(deps.database.kysely, projectId))?.siteBase ?? null,
  };

  routes.openapi(visitorsRoute, async (c) => {
    await countAnalyticsCall(c, deps);
    const { projectId } = c.get("principal");
    const query = { projectId, ...parsePagedRange(new URL(c.req.url).searchParams) };
    const body = await queryVisitors(deps, query);
    // More than 1: the visitor secret changed within the range, and its numbers are sums of the parts.
    c.header("Docent-Visitor-Epochs", String(await countEpochs(deps.database.kysely, query)));
    if (body.hasMore) linkNextPage(c, body.visitors.length);
    if (wantsCsv(c)) return csvAnswer(c, "visitors", reportCsv(PAGE_COLUMNS, body.visitors));
    return c.json(body, 200);
  });

  routes.openapi(viewsRoute, async (c) => {
    await countAnalyticsCall(c, deps);
    const { projectId } = c.get("principal");
    const body = await queryViews(deps, { projectId, ...parsePagedRange(new URL(c.req.url).searchParams) });
    if (body.hasMore) linkNextPage(c, body.views.length);
    if (wantsCsv(c)) return csvAnswer(c, "views", reportCsv(PAGE_COLUMNS, body.views));
    return c.json(body, 200);
  });

  routes.openapi(searchesRoute, async (c) => {
    await countAnalyticsCall(c, deps);
    const { projectId } = c.get("principal");
    const { limit, cursor } = c.req.valid("query");
    const offset = readOffset(cursor);
    const { from, to } = parseDates(new URL(c.req.url).searchParams);
    const { searches, totalSearches, hasMore } = await reportSearches(deps, { projectId, from, to, limit, offset });
    const nextCursor = hasMore ? offsetCursor(offset + limit) : null;
    linkNextCursor(c, nextCursor);
    if (wantsCsv(c)) return csvAnswer(c, "searches", reportCsv(SEARCH_COLUMNS, searches));
    return c.json({ searches: searches.map(({ results: _, ...row }) => row), totalSearches, nextCursor }, 200);
  });

  routes.openapi(sendRoute, async (c) => {
    await countAnalyticsCall(c, deps);
    const { projectId } = c.get("principal");
    const asked = c.req.valid("json");
    const send = () => sendViewsEndpoint(views, projectId, asked);
    const accepted = await answerOnce<AcceptedViews>(c, deps, {
      asked,
      // Views are in a journal, outside the transaction: until the response is stored, their ids identify repeats.
      carryOut: async (key) => {
        const at = deps.clock.now().getTime();
        await deps.database.transaction((transaction) => claimKey(transaction, key, { outcome: "", at }));
        const answer = await send();
        if (key) await storeOutcome(deps.database.kysely, key, JSON.stringify(answer));
        return answer;
      },
      repeat: async (outcome) => (outcome === "" ? send() : (JSON.parse(outcome) as AcceptedViews)),
    });
    return c.json(accepted, 200);
  });

  return routes;
}
