import type { Context } from "hono";
import type { Database } from "#db/database.ts";
import type { Job } from "#jobs/job.ts";
import { followJob } from "#jobs/stream.ts";
import { serverSentEvent } from "#jobs/transcript.ts";
import { pulledStream } from "#lib/pulled-stream.ts";

/** Of one process; a browser that gets none asks for the page every few seconds. */
const MAX_STREAMS = 300;

/**
 * Tells a job's page when there is more to show: `change` with the number of an event, at last `done`. What it is the
 * page asks for itself, so that all of it is drawn in one place. Null when there are too many streams already.
 */
export function createJobStreams(deps: {
  database: Database;
  /** Ends every stream: the server is stopping. */
  closing: AbortSignal;
}): (c: Context, job: Job, options: { after: number; isAllowed(): Promise<boolean> }) => Response | null {
  let streams = 0;

  async function* written(
    job: Job,
    options: { after: number; isAllowed(): Promise<boolean>; signal: AbortSignal },
  ): AsyncGenerator<string, void, undefined> {
    streams++;
    try {
      yield "retry: 2000\n\n";
      for await (const item of followJob(deps, { jobId: job.id, ...options })) {
        if (item.kind === "heartbeat") yield ": still here\n\n";
        else if (item.kind === "done") yield serverSentEvent({ type: "done", data: item.status });
        else {
          const seq = item.events.at(-1)?.seq ?? options.after;
          yield serverSentEvent({ id: seq, type: "change", data: seq });
        }
      }
    } finally {
      streams--;
    }
  }

  return (c, job, options) => {
    if (streams >= MAX_STREAMS) return null;
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, deps.closing]);
    const body = pulledStream(written(job, { ...options, signal }), () => gone.abort());
    c.header("Content-Type", "text/event-stream; charset=utf-8");
    c.header("Cache-Control", "no-cache, no-transform");
    c.header("X-Accel-Buffering", "no"); // nginx would hold it back
    return c.body(body, 200);
  };
}
