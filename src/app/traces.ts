import type { Context } from "./context.ts";
import type { TraceSettings } from "./instance/trace-settings.ts";
import { followJobs } from "./traces/job-spans.ts";
import { followRequests } from "./traces/request-spans.ts";
import { followDeployments } from "./traces/site-spans.ts";
import { createTracer } from "./traces/tracer.ts";

/** Traces for an OpenTelemetry collector; loaded and composed only if an endpoint is set. */
export function composeTraces({ logger, version }: Context, settings: TraceSettings): AsyncDisposable {
  const stack = new AsyncDisposableStack();
  const tracer = stack.use(createTracer({ logger, version }, settings));
  stack.use(followRequests(tracer));
  stack.use(followJobs(tracer));
  stack.use(followDeployments(tracer));
  return stack;
}
