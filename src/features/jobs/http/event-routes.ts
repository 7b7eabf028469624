import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { operation } from "#kit/http/operation.ts";
import { headersOf } from "#kit/http/document/answer-headers.ts";
import { errorAnswers } from "#kit/http/document/error-answers.ts";
import type { HttpContext, HttpEnv } from "#kit/http/context.ts";
import { notFound } from "#kit/http/errors.ts";
import { jobToJson } from "./job-json.ts";
import {
  CursorParameter,
  documentedHeader,
  linkNextCursor,
  NextCursor,
  numberInCursor,
  numberParameter,
} from "#kit/http/paging.ts";
import { createRouter } from "#kit/http/router.ts";
import { JobParams } from "./schemas.ts";
import { EventBody } from "./event-bodies.ts";
import type { Database } from "#db/database.ts";
import { listEvents } from "#features/jobs/events.ts";
import type { Job } from "#features/jobs/job.ts";
import { findJob } from "#features/jobs/jobs.ts";
import { createJobStreams, type StreamTimes, eventToJson, serverSentEvent } from "#features/jobs/stream.ts";
import { AppError } from "#lib/app-error.ts";
import type { JobId, ProjectId } from "#lib/ids.ts";
import type { FindsProject } from "#features/projects/project-of-key.ts";
import type { Project } from "#features/projects/project.ts";

export interface AgentJobEventsDeps extends FindsProject {
  database: Database;
  repositoryUrl(project: Project): string;
  /** Whether an API key may still be used. */
  isHolderAlive(id: string, seen: { projectId: ProjectId; from: string }): Promise<boolean>;
  /** Aborted when the server stops, which ends every stream. */
  closing: AbortSignal;
  streamTimes?: StreamTimes;
  maxStreams?: number;
}

const tags = ["Agent jobs"];
/** Streams in one process. */
const MAX_STREAMS = 500;
const MAX_SEQ = 1_000_000_000;
const MAX_EVENTS = 500;

const LAST_EVENT_ID = /^\d{1,9}$/;

const After = numberParameter("after", {
  min: 0,
  max: MAX_SEQ,
  fallback: 0,
  description: "Sequence number of an event. Only later events are returned.",
});

const eventsRoute = operation({
  method: "get",
  path: "/v2/agent/{projectId}/job/{id}/events",
  id: "listAgentJobEvents",
  tags,
  summary: "List the events of an agent job",
  description:
    "Returns the transcript of the job as events in order. To get later events, send the request again with `after` set to the last `seq`. `cursor` takes precedence over `after`.",
  scope: "read",
  params: JobParams,
  query: z.object({
    after: After,
    cursor: CursorParameter,
    limit: numberParameter("limit", {
      min: 1,
      max: MAX_EVENTS,
      fallback: 100,
      description: "Number of events per page.",
    }),
  }),
  answer: [
    200,
    z
      .object({
        events: z.array(EventBody).max(MAX_EVENTS).openapi({ description: "Events, oldest first." }),
        hasMore: z.boolean().openapi({ description: "Whether there are later events." }),
        nextCursor: NextCursor,
      })
      .openapi("AgentJobEvents"),
    "Events, oldest first.",
  ],
  headers: ["Link"],
});

const streamRoute = operation({
  method: "get",
  path: "/v2/agent/{projectId}/job/{id}/stream",
  id: "followAgentJob",
  tags,
  summary: "Stream the events of an agent job",
  description:
    "Sends every event of the transcript as a server-sent event with `id` (its `seq`), `event` (its `type`) and `data` " +
    "(JSON), a comment after every 15 seconds of silence, and, once the job is not active, a last event `done` with the " +
    "job. To continue after the connection breaks, reconnect with `Last-Event-ID`. The stream ends within seconds if " +
    "its key is revoked or expires.",
  scope: "read",
  params: JobParams,
  query: z.object({
    after: After,
    answer: z
      .enum(["true", "false"])
      .default("false")
      .openapi({
        param: { name: "answer", in: "query" },
        description:
          "Whether to send what the model is currently writing. If `true`, the stream sends an event `answer` without an `id` about once a second: the end of the model's `text`, and the `tool` whose call the model is writing.",
      }),
  }),
  requestHeaders: documentedHeader("Last-Event-ID", {
    pattern: LAST_EVENT_ID.source,
    description:
      "`id` of the last event that the client received. Only later events are sent. Takes precedence over `after`.",
  }),
  answer: {
    200: {
      description: "The event stream.",
      headers: headersOf(["Cache-Control", "X-Accel-Buffering"]),
      content: {
        "text/event-stream": {
          schema: {
            type: "string",
            description:
              "Server-sent events (WHATWG HTML, 9.2). The `data` of each event is an `AgentJobEvent`; the `data` of the last event, `done`, is an `AgentJob`.",
          },
        },
      },
    },
    204: {
      description: "No further events: `Last-Event-ID` is the last event, and the job is not active.",
      headers: headersOf([]),
    },
    ...errorAnswers(),
  },
});

/** Routes for the transcript and the stream of a job. The caller authenticates the requests. */
export function agentJobEventsRoutes(deps: AgentJobEventsDeps): OpenAPIHono<HttpEnv> {
  const { database } = deps;
  const routes = createRouter();
  const { closing, streamTimes: times, maxStreams: most = MAX_STREAMS } = deps;
  const streams = createJobStreams({ database, closing, most, times });

  async function jobOf(c: HttpContext): Promise<Job> {
    const { projectId } = c.get("principal");
    const job = await findJob({ database }, { projectId, jobId: c.req.param("id") as JobId });
    if (!job) throw notFound();
    return job;
  }

  async function projectOf(job: Job): Promise<Project> {
    const project = await deps.findProject(job.projectId);
    if (!project) throw notFound();
    return project;
  }

  routes.openapi(eventsRoute, async (c) => {
    const job = await jobOf(c);
    const { cursor, limit, after } = c.req.valid("query");
    const seen = numberInCursor(cursor) ?? after;
    const { events, hasMore } = await listEvents({ database }, { jobId: job.id, after: seen, limit });
    const nextCursor = hasMore ? String(events.at(-1)!.seq) : null;
    linkNextCursor(c, nextCursor);
    return c.json({ events: events.map(eventToJson) as z.infer<typeof EventBody>[], hasMore, nextCursor }, 200);
  });

  routes.openapi(streamRoute, async (c) => {
    const job = await jobOf(c);
    const seen = lastEventId(c);
    const query = c.req.valid("query");
    const after = seen ?? query.after;
    if (seen !== null && job.status !== "active" && (await hasSeenAllEvents(job, seen))) {
      // Only this status stops an EventSource from reconnecting after the end (WHATWG HTML, 9.2.3).
      return c.body(null, 204) as never;
    }
    const { keyId, projectId } = c.get("principal");
    const isAllowed = () => deps.isHolderAlive(keyId, { projectId, from: c.env.clientAddress });
    const withAnswer = query.answer === "true";
    return (await streams(c, job, { after, withAnswer, isAllowed, print: (item) => printed(job, item) })) as never;
  });

  const hasSeenAllEvents = async ({ id }: Job, seen: number) =>
    (await listEvents({ database }, { jobId: id, after: seen, limit: 1 })).events.length === 0;

  async function printed(
    job: Job,
    item: Parameters<Parameters<typeof streams>[2]["print"]>[0],
  ): Promise<string | null> {
    if (item.kind === "answer") return serverSentEvent({ type: "answer", data: item.answer });
    if (item.kind === "events") {
      return item.events
        .map((event) => serverSentEvent({ id: event.seq, type: event.type, data: eventToJson(event) }))
        .join("");
    }
    const last = await findJob({ database }, { projectId: job.projectId, jobId: job.id });
    return last && serverSentEvent({ type: "done", data: jobToJson(last, deps.repositoryUrl(await projectOf(last))) });
  }

  return routes;
}

function lastEventId(c: HttpContext): number | null {
  const header = c.req.header("last-event-id");
  if (header === undefined || header === "") return null;
  if (LAST_EVENT_ID.test(header)) return Number(header);
  throw new AppError("invalid", "`Last-Event-ID` must be the id of an event of this stream.", {
    details: [{ path: "Last-Event-ID", message: "not an event's id" }],
  });
}
