import type { Context } from "hono";
import type { Database } from "#db/database.ts";
import type { Job } from "#features/jobs/job.ts";
import { createStreamPlaces } from "#features/jobs/stream-places.ts";
import { followJob } from "#features/jobs/stream.ts";
import { serverSentEvent } from "#features/jobs/transcript.ts";
import { pulledStream } from "#lib/network/pulled-stream.ts";

/** Of one process; a browser that gets none asks for the page every few seconds. */
const MAX_STREAMS = 300;

/**
 * Tells a job's page when there is more to show: `change` with the number of an event, at last `done`. What it is the
 * page asks for itself, so that all of it is drawn in one place. `AppError unavailable` when too many are followed already.
 */
export function createJobStreams(deps: {
  database: Database;
  /** Ends every stream: the server is stopping. */
  closing: AbortSignal;
}): (c: Context, job: Job, options: { after: number; isAllowed(): Promise<boolean> }) => Response {
  const places = createStreamPlaces(MAX_STREAMS);

  async function* written(
    job: Job,
    { place, ...options }: { after: number; isAllowed(): Promise<boolean>; signal: AbortSignal; place: Disposable },
  ): AsyncGenerator<string, void, undefined> {
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
      place[Symbol.dispose]();
    }
  }

  return (c, job, options) => {
    const place = places.take(job.projectId);
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, deps.closing]);
    const body = pulledStream(written(job, { ...options, signal, place }), () => {
      gone.abort();
      place[Symbol.dispose]();
    });
    if (c.req.method === "HEAD") void body.cancel(); // nobody will read it
    c.header("Content-Type", "text/event-stream; charset=utf-8");
    c.header("Cache-Control", "no-cache, no-transform");
    c.header("X-Accel-Buffering", "no"); // nginx would hold it back
    return c.body(body, 200);
  };
}
