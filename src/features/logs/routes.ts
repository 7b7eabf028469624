import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { operation } from "#kit/http/operation.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { linkNextCursor, MAX_ROWS, NextCursor, PageQuery, wrongCursor } from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { timestamp } from "#kit/http/schemas.ts";
import { isLineId, LEVEL_NAMES, type KeptLine, type LogQuery } from "#lib/logs/read-log.ts";

export interface LogRoutesDeps {
  /** Matching lines of all nodes, newest first. */
  readKeptLog(query: LogQuery): Promise<KeptLine[]>;
}

const Level = z.enum(LEVEL_NAMES, `must be one of ${LEVEL_NAMES.join(", ")}`);
const SINCE = "must be a time with its zone, such as 2026-11-20T12:34:56Z";

const LinesQuery = PageQuery.extend({
  level: Level.default("trace").openapi({
    param: { name: "level", in: "query" },
    description: "Lowest level of the lines to return. Lines below the server's `DOCENT_LOG_LEVEL` are not in the log.",
  }),
  since: z.iso
    .datetime({ offset: true, error: SINCE })
    .optional()
    .openapi({
      param: { name: "since", in: "query" },
      description: "Earliest time of the lines to return, inclusive.",
    }),
});

const LineBody = z
  .object({
    id: z.string().openapi({ description: "Id of the line.", pattern: "^[a-z0-9-]+\\.\\d+\\.\\d+$" }),
    node: z.string().openapi({
      description: "Process that wrote the line, by its host and port. Several processes can use one data directory.",
      example: "docs-1-4000",
    }),
    time: timestamp.openapi({ description: "Date and time when the line was written." }),
    level: Level.openapi({ description: "Severity of the line. `fatal`: the process ended." }),
    message: z
      .string()
      .openapi({ description: "Sentence that describes what happened. Always the same for the same kind of event." }),
    fields: z.record(z.string(), z.unknown()).openapi({
      description: "Context of the line, such as `requestId`, `projectId` and, for an error, `err` with its stack.",
    }),
  })
  .openapi("LogLine", { description: "Line of the log." });

const listRoute = operation({
  method: "get",
  path: "/v2/instance/logs",
  id: "listLogLines",
  tags: ["Server"],
  summary: "Read the log",
  description:
    "Lists what the nodes of this server logged, newest first: the last 5 to 10 MB of each node. Values that the log hides are `[redacted]` in the response, too.",
  scope: "admin",
  isOfInstance: true,
  query: LinesQuery,
  answer: [
    200,
    z
      .object({
        lines: z.array(LineBody).max(MAX_ROWS).openapi({ description: "Lines, newest first." }),
        nextCursor: NextCursor,
      })
      .openapi("LogLines"),
    "Lines, newest first.",
  ],
  headers: ["Link"],
});

/** The log of the server. The caller authenticates requests. */
export function logRoutes({ readKeptLog }: LogRoutesDeps): OpenAPIHono<HttpEnv> {
  const routes = createRouter();
  routes.openapi(listRoute, async (c) => {
    const { level, since, limit, cursor } = c.req.valid("query");
    const found = await readKeptLog({
      level,
      since: since === undefined ? null : new Date(since),
      before: cursor === undefined ? null : lineInCursor(cursor),
      limit: limit + 1,
    });
    const lines = found.slice(0, limit);
    const last = found.length > limit ? lines.at(-1)! : null;
    const nextCursor = last && `${last.time}_${last.id}`;
    linkNextCursor(c, nextCursor);
    return c.json({ lines, nextCursor }, 200);
  });
  return routes;
}

function lineInCursor(cursor: string): { time: string; id: string } {
  const [time = "", id = "", ...more] = cursor.split("_");
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time);
  if (!isTime || !isLineId(id) || more.length > 0) throw wrongCursor();
  return { time, id };
}
