import type { Context } from "hono";
import type { Database } from "#db/database.ts";
import { createBell } from "#lib/waiting/bell.ts";
import type { JobId } from "#lib/ids.ts";
import { type JobEvent, listEvents } from "./events.ts";
import type { Job, JobStatus } from "./job.ts";
import { followAnswer, type LiveAnswer } from "./live-answer.ts";
import { pulledStream } from "#lib/network/pulled-stream.ts";
import { createFairBytes } from "#lib/fair-bytes.ts";

export type StreamItem =
  | { kind: "events"; events: JobEvent[] }
  | { kind: "answer"; answer: LiveAnswer }
  /** Nothing happened for a while; shows the client and the proxies in between that the stream is alive. */
  | { kind: "heartbeat" }
  /** The job is not active, and all its events have been sent. */
  | { kind: "done"; status: JobStatus };

export interface StreamTimes {
  heartbeatMs: number;
  /** How late an event may arrive when its notification was lost. */
  pollMs: number;
  /** How long a reader without access can continue to read, in addition to `pollMs`. */
  accessMs: number;
}

export const STREAM_TIMES: StreamTimes = { heartbeatMs: 15_000, pollMs: 1_000, accessMs: 2_000 };

const PAGE = 100;

/**
 * Follows a job's transcript after event `after` until the job is not active or deleted, `isAllowed` returns false (checked
 * repeatedly, because a key may be revoked) or `signal` fires. Reads one page at a time, only on demand, so that a slow
 * reader costs no more than that page.
 */
export async function* followJob(
  { database }: { database: Database },
  options: {
    jobId: JobId;
    after: number;
    isAllowed(): Promise<boolean>;
    /** Gives the model's answer, too, while it arrives. */
    withAnswer?: boolean | undefined;
    signal: AbortSignal;
    times?: StreamTimes;
  },
): AsyncGenerator<StreamItem, void, undefined> {
  const { jobId, signal, times = STREAM_TIMES } = options;
  const bell = createBell();
  const unsubscribe = database.wakeUp.subscribe("job_event", (payload) => {
    if (payload === jobId || payload === "") bell.ring();
  });
  let answer: LiveAnswer | null = null;
  const endAnswers = options.withAnswer
    ? followAnswer(database, jobId, (latest) => {
        answer = latest;
        bell.ring();
      })
    : undefined;
  try {
    let after = options.after;
    let quietSince = performance.now();
    let allowedAt = quietSince;
    while (!signal.aborted) {
      if (performance.now() - allowedAt >= times.accessMs) {
        if (!(await options.isAllowed())) return;
        allowedAt = performance.now();
      }
      // The job is read before its events. Events that arrive in between are read with the next page, as `event_seq` then says.
      const job = await database.kysely
        .selectFrom("job")
        .select(["status", "event_seq"])
        .where("id", "=", jobId)
        .executeTakeFirst();
      if (!job) return;
      if (job.event_seq > after) {
        const { events } = await listEvents({ database }, { jobId, after, limit: PAGE });
        after = events.at(-1)?.seq ?? after;
        answer = null; // a part of what is now in the transcript
        yield { kind: "events", events };
        quietSince = performance.now();
      } else if (answer !== null && job.status === "active") {
        const latest: LiveAnswer = answer;
        answer = null;
        yield { kind: "answer", answer: latest };
        quietSince = performance.now();
      } else if (job.status !== "active") {
        yield { kind: "done", status: job.status };
        return;
      } else {
        const quietMs = performance.now() - quietSince;
        if (quietMs >= times.heartbeatMs) {
          yield { kind: "heartbeat" };
          quietSince = performance.now();
        }
        await bell.wait(Math.min(times.pollMs, Math.max(1, times.heartbeatMs - quietMs)), signal);
      }
    }
  } finally {
    unsubscribe();
    endAnswers?.();
  }
}

/** A project gets a fifth of the streams at most, so that it cannot leave other projects without any. */
const SHARE = 1 / 5;

/**
 * Responds with a job's transcript as server-sent events. `print` returns the text of an item, or null to end the stream.
 * `most`: the maximum number of streams in this process; each costs one small query a second while its job is active.
 * `AppError unavailable` when the project, or all projects together, have as many streams as they may.
 */
export function createJobStreams(deps: {
  database: Database;
  /** Aborted when the server stops, which ends every stream. */
  closing: AbortSignal;
  most: number;
  times?: StreamTimes | undefined;
}) {
  const { database, closing, most: total, times = STREAM_TIMES } = deps;
  const perOwner = Math.max(1, Math.floor(total * SHARE));
  const room = createFairBytes(
    { total, perOwner },
    {
      ofOwner: `This project follows as many jobs at once as it may: ${perOwner} streams. Try again when one has ended.`,
      ofAll: "The server follows as many jobs at once as it can. Try again soon.",
    },
  );

  async function* written(items: AsyncIterable<StreamItem>, print: PrintNews) {
    yield "retry: 2000\n\n";
    for await (const item of items) {
      const text = item.kind === "heartbeat" ? ": still here\n\n" : await print(item);
      if (text === null) return;
      yield text;
    }
  }

  return async (
    c: Context,
    job: Pick<Job, "id" | "projectId">,
    {
      print,
      ...options
    }: { after: number; withAnswer?: boolean | undefined; isAllowed(): Promise<boolean>; print: PrintNews },
  ): Promise<Response> => {
    const place = room.hold(job.projectId);
    place.take(1);
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, closing]);
    const end = () => {
      gone.abort();
      place[Symbol.dispose]();
    };
    async function* untilTheEnd() {
      try {
        yield* written(followJob({ database }, { jobId: job.id, ...options, signal, times }), print);
      } finally {
        end();
      }
    }
    const body = pulledStream(untilTheEnd(), end);
    if (c.req.method === "HEAD") await body.cancel(); // a HEAD response is not read
    c.header("Content-Type", "text/event-stream; charset=utf-8");
    c.header("Cache-Control", "no-cache, no-transform");
    c.header("X-Accel-Buffering", "no"); // nginx would buffer it
    return c.body(body, 200);
  };
}

type PrintNews = (item: Exclude<StreamItem, { kind: "heartbeat" }>) => string | null | Promise<string | null>;

/** An event as the API returns it, in the transcript and in the stream. */
export function eventToJson(event: JobEvent) {
  return {
    seq: event.seq,
    turn: event.turn,
    type: event.type,
    data: event.data,
    createdAt: event.createdAt.toISOString(),
  };
}

/** A server-sent event (WHATWG HTML, section 9.2). `data` is JSON, so it has no line breaks of its own. */
export function serverSentEvent(event: { id?: number; type: string; data: unknown }): string {
  const id = event.id === undefined ? "" : `id: ${event.id}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}
