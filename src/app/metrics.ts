import { Registry } from "prom-client";
import type { Context } from "./context.ts";
import type { MetricsDeps } from "./http/metrics-routes.ts";
import { addMemoryMetrics } from "./metrics/memory-metrics.ts";
import { addProcessMetrics } from "./metrics/process-metrics.ts";
import { addStoreMetrics } from "./metrics/store-metrics.ts";
import { addWorkMetrics } from "./metrics/work-metrics.ts";
import type { Store } from "./store.ts";

/** Prometheus metrics at `/metrics`; composed only if `DOCENT_METRICS_TOKEN` is set. */
export function composeMetrics(
  { config, clock, version }: Context,
  {
    store,
    views,
  }: { store: Pick<Store, "database" | "repoStore" | "places">; views: Parameters<typeof addStoreMetrics>[1]["views"] },
): Pick<MetricsDeps, "contentType" | "text"> & Disposable {
  const registry = new Registry();
  const stack = new DisposableStack();
  stack.use(addProcessMetrics(registry, { version }));
  addMemoryMetrics(registry);
  stack.use(addWorkMetrics(registry, { providers: ["docent", ...config.models.providers.map(({ name }) => name)] }));
  const look = addStoreMetrics(registry, { config, clock, ...store, views });
  return {
    contentType: registry.contentType,
    async text() {
      await look();
      return registry.metrics();
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}
