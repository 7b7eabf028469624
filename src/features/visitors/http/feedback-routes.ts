import { type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  FEEDBACK_COLUMNS,
  FEEDBACK_SOURCES,
  FEEDBACK_STATUSES,
  feedbackRow,
  type FeedbackStatus,
  listFeedback,
  PAGE_FEEDBACK_COLUMNS,
  reportFeedbackByPage,
} from "#features/visitors/feedback/feedback-report.ts";
import { parseDates } from "#features/visitors/range.ts";
import { reportCsv } from "#features/visitors/reports/report.ts";
import type { Database } from "#db/database.ts";
import { countAnalyticsCall, csvAnswer, offsetCursor, readOffset, REPORT_HEADERS, wantsCsv } from "./answers.ts";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { CursorParameter, linkNextCursor, NextCursor, numberParameter } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { RangeQuery } from "./schemas.ts";
import { amount, id, ProjectParams, timestamp } from "#kit/http/schemas.ts";
import type { Clock } from "#lib/clock.ts";

const tags = ["Analytics"];
const MAX_ENTRIES = 100;

const Source = z.enum(FEEDBACK_SOURCES, `must be one of ${FEEDBACK_SOURCES.join(", ")}`).openapi({
  description:
    "Source of the entry. `contextual`: a reader's vote with a comment. `thumbs_only`: a vote without a comment. `agent`: a program. `code_snippet`: never used, exists for clients of the commercial API.",
});
const Status = z.enum(FEEDBACK_STATUSES).openapi({ description: "Status of the team's work on the entry." });

const isStatus = (text: string): text is FeedbackStatus => FEEDBACK_STATUSES.some((status) => status === text);
const STATUS_RULE = `must be a list of ${FEEDBACK_STATUSES.join(", ")}, with commas`;
const filters = {
  dateFrom: RangeQuery.shape.dateFrom,
  dateTo: RangeQuery.shape.dateTo,
  source: Source.optional().openapi({
    param: { name: "source", in: "query" },
    description: "Source of the entries to return.",
  }),
  status: z
    .string(STATUS_RULE)
    .optional()
    .transform((text) => (text === undefined ? [] : text.split(",").map((each) => each.trim())))
    .refine((statuses): statuses is FeedbackStatus[] => statuses.every(isStatus), STATUS_RULE)
    .openapi({
      param: { name: "status", in: "query", style: "form", explode: false },
      type: "array",
      minItems: 1,
      items: { type: "string", enum: [...FEEDBACK_STATUSES] },
      description: "Statuses of the entries to return, separated by commas. All statuses if omitted.",
      example: ["pending", "in_progress"],
    }),
  cursor: CursorParameter,
};

const hasMore = z.boolean().openapi({ description: "Whether there are more entries." });
const list = <Row extends z.ZodType>(description: string, row: Row) =>
  z.array(row).max(MAX_ENTRIES).openapi({ description });
const FeedbackBody = z
  .object({
    feedback: list(
      "Entries, newest first.",
      z.object({
        id: id("the entry", "fbk_01m7xv5hckfkpv35y27gys8bbd"),
        path: z.string().openapi({ description: "Route of the page.", example: "/quickstart" }),
        comment: z
          .string()
          .nullable()
          .openapi({ description: "Comment as written. Plain text, even if it contains markup." }),
        createdAt: timestamp.openapi({ description: "Date and time of the author's last vote or comment." }),
        source: Source,
        status: Status,
        helpful: z
          .boolean()
          .nullable()
          .openapi({ description: "Whether the page was helpful. `null` if an agent did not say." }),
        contact: z.null().openapi({ description: "Always `null`: readers are not asked for an address." }),
      }),
    ),
    nextCursor: NextCursor,
    hasMore,
  })
  .openapi("Feedback");

const FeedbackByPageBody = z
  .object({
    feedback: list(
      "Pages, those with the most entries first.",
      z.object({
        path: z.string().openapi({ description: "Route of the page.", example: "/quickstart" }),
        thumbsUp: amount.openapi({ description: "Number of readers who found the page helpful." }),
        thumbsDown: amount.openapi({ description: "Number of readers who did not find the page helpful." }),
        code: amount.openapi({ description: "Always 0, because entries never have the source `code_snippet`." }),
        total: amount.openapi({ description: "Number of all entries, including those of agents." }),
      }),
    ),
    nextCursor: NextCursor,
    hasMore,
  })
  .openapi("FeedbackByPage");

const feedbackRoute = operation({
  method: "get",
  path: "/v1/analytics/{projectId}/feedback",
  id: "getFeedback",
  tags,
  summary: "Get feedback",
  description:
    "Lists votes and comments of readers and agents, newest first. Send `nextCursor` as `cursor` to get the next page.",
  scope: "read",
  params: ProjectParams,
  query: z.object({
    ...filters,
    limit: numberParameter("limit", { min: 1, max: MAX_ENTRIES, fallback: 50, description: "Entries per page." }),
  }),
  answer: [200, FeedbackBody, "Feedback of readers and agents on pages, newest first. CSV with `Accept: text/csv`."],
  errors: [429],
  headers: REPORT_HEADERS,
  csv: FEEDBACK_COLUMNS.join(", "),
});

const byPageRoute = operation({
  method: "get",
  path: "/v1/analytics/{projectId}/feedback/by-page",
  id: "getFeedbackByPage",
  tags,
  summary: "Get feedback by page",
  description:
    "Lists the number of votes and entries of each page. Send `nextCursor` as `cursor` to get the next page.",
  scope: "read",
  params: ProjectParams,
  query: z.object({
    ...filters,
    limit: numberParameter("limit", {
      min: 1,
      max: MAX_ENTRIES,
      fallback: 10,
      description: "Number of pages in the response.",
    }),
  }),
  answer: [
    200,
    FeedbackByPageBody,
    "Number of votes and entries of each page, those with the most entries first. CSV with `Accept: text/csv`.",
  ],
  errors: [429],
  headers: REPORT_HEADERS,
  csv: PAGE_FEEDBACK_COLUMNS.join(", "),
});

/** The export of the feedback of readers and agents. Authentication is the caller's. */
export function feedbackRoutes(deps: {
  database: Database;
  clock: Clock;
  analyticsCallsPerHour: number;
}): OpenAPIHono<HttpEnv> {
  const routes = createRouter();

  routes.openapi(feedbackRoute, async (c) => {
    await countAnalyticsCall(c, deps);
    const { projectId } = c.get("principal");
    const { limit, cursor, source, status } = c.req.valid("query");
    const body = await listFeedback(deps, {
      ...parseDates(new URL(c.req.url).searchParams),
      projectId,
      source: source ?? null,
      statuses: status,
      limit,
      cursor: cursor ?? null,
    });
    linkNextCursor(c, body.nextCursor);
    if (!wantsCsv(c)) return c.json(body, 200);
    return csvAnswer(c, "feedback", reportCsv(FEEDBACK_COLUMNS, body.feedback.map(feedbackRow)));
  });

  routes.openapi(byPageRoute, async (c) => {
    await countAnalyticsCall(c, deps);
    const { projectId } = c.get("principal");
    const { limit, cursor, source, status } = c.req.valid("query");
    const offset = readOffset(cursor);
    const { feedback, hasMore: isCut } = await reportFeedbackByPage(deps, {
      ...parseDates(new URL(c.req.url).searchParams),
      projectId,
      source: source ?? null,
      statuses: status,
      limit,
      offset,
    });
    const nextCursor = isCut ? offsetCursor(offset + limit) : null;
    linkNextCursor(c, nextCursor);
    if (!wantsCsv(c)) return c.json({ feedback, nextCursor, hasMore: isCut }, 200);
    return csvAnswer(c, "feedback-by-page", reportCsv(PAGE_FEEDBACK_COLUMNS, feedback));
  });
  return routes;
}
