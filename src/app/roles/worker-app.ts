import type { Context } from "#app/context.ts";
import type { App } from "#app/http/app.ts";
import { checkRoutes } from "#app/http/check-routes.ts";
import type { MetricsDeps } from "#app/http/metrics-routes.ts";
import { composeReadiness } from "#app/readiness.ts";
import { requestContext } from "#kit/http/context.ts";
import { createFaultLog } from "#kit/http/fault-log.ts";
import { createRouter } from "#kit/http/router.ts";
import { sendErrorJson } from "#kit/http/send-error.ts";

/** Says more than the usual 404, and tells nothing about what exists. */
const NOT_HERE = "This process is a worker: it answers /health, /ready and /metrics only. Send requests to a web node.";

/** Composes all that a worker answers: health checks and metrics. */
export function composeWorkerApp(
  context: Context,
  parts: Parameters<typeof composeReadiness>[1] & { metrics: MetricsDeps | null },
): App {
  const { logger } = context;
  const readiness = composeReadiness(context, parts);
  const app = createRouter();
  app.use(requestContext({ logger, faults: createFaultLog(logger, readiness) }));
  app.onError((error, c) => sendErrorJson(c, error));
  app.route("/", checkRoutes({ ...readiness, metrics: parts.metrics }));
  app.notFound((c) => c.json({ error: NOT_HERE, code: "not_found", requestId: c.get("requestId") }, 404));
  return {
    siteOf: () => null,
    turnOwnerOf: ({ socket }) => socket.remoteAddress ?? "",
    site: () => Promise.reject(new Error(NOT_HERE)), // `siteOf` names none
    fetch: async (request, { peerAddress }) => app.fetch(request, { peerAddress, clientAddress: peerAddress }),
    routes: app.routes,
  };
}
