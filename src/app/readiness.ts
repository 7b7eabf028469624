import type { ContentProcess } from "#docs/render/process/content-process.ts";
import type { Context } from "./context.ts";
import type { HealthDeps } from "./http/check-routes.ts";
import { loggingChanges } from "./instance/readiness-log.ts";
import { createReadiness } from "./instance/readiness.ts";
import type { Store } from "./store.ts";

/** What load balancers and supervisors learn about this process. */
export const composeReadiness = (
  { config, logger }: Pick<Context, "config" | "logger">,
  parts: { store: Store; content: Pick<ContentProcess, "canRender">; closing: AbortSignal },
): Omit<HealthDeps, "metrics"> => ({
  isDraining: () => parts.closing.aborted,
  reasonsNotReady: loggingChanges(
    createReadiness({
      database: parts.store.database,
      dataDirectory: config.dataDirectory,
      canRender: () => parts.content.canRender(),
    }),
    logger,
  ),
  warnings: () =>
    parts.store.places?.bucket?.trouble() ? ["The object storage is unavailable: pushes and jobs wait for it."] : [],
});
