import { Hono } from "hono";
import type { HttpEnv } from "#kit/http/context.ts";
import { type MetricsDeps, metricsRoutes } from "./metrics-routes.ts";

export interface HealthDeps {
  /** While true, every request except health checks gets 503. */
  isDraining(): boolean;
  /** Reasons why this process is not ready; empty when it is. */
  reasonsNotReady(): Promise<string[]>;
  /** What does not work although this process should get requests. */
  warnings(): string[];
  /** Null if metrics are disabled. */
  metrics: MetricsDeps | null;
}

const NOT_STORED = { "Cache-Control": "no-store" };

/** `/health`, `/ready` and `/metrics`, which every process answers. */
export function checkRoutes(deps: HealthDeps): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  // Does not check the database: restarting this process while the database is down would make things worse.
  routes.get("/health", (c) => c.json({ status: "ok" }, 200, NOT_STORED));
  routes.get("/ready", async (c) => {
    const reasons = deps.isDraining() ? ["The server is shutting down."] : await deps.reasonsNotReady();
    const warnings = reasons.length === 0 ? deps.warnings() : [];
    if (reasons.length === 0) {
      return c.json({ status: "ready", ...(warnings.length > 0 && { warnings }) }, 200, NOT_STORED);
    }
    return c.json({ status: "unavailable", reasons }, 503, { ...NOT_STORED, "Retry-After": "5" });
  });
  return routes.route("/", metricsRoutes(deps.metrics));
}
