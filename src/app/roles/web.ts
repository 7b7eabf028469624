import { composeAccess } from "#app/access.ts";
import type { Context } from "#app/context.ts";
import { composeFeedback } from "#app/feedback.ts";
import { composeHttp } from "#app/http.ts";
import type { App } from "#app/http/app.ts";
import { composeLocalModels, tellLocalModels } from "#app/models.ts";
import { composeLargeFiles, composeSites, composeSiteTokens } from "#app/sites.ts";
import type { Turns } from "#app/job-workers.ts";

type HttpParts = Parameters<typeof composeHttp>[1];
type SiteParts = Parameters<typeof composeSites>[1];
/** The parts that only this role has, composed here. */
type Own = "access" | "siteTokens" | "largeFiles" | "feedback" | "localModels" | "site" | "tryChores";

/** Composes what answers requests: sites, the API, the dashboard, git and MCP. */
export function composeWeb(
  stack: AsyncDisposableStack,
  context: Context,
  parts: Omit<HttpParts & SiteParts, Own | "database" | "repoStore"> & { turns: Turns },
): App {
  const { logger, own } = context;
  const { store } = parts;
  const localModels = own(stack, "local models", composeLocalModels(context));
  const seen = {
    ...parts,
    access: own(stack, "last uses of keys", composeAccess(context, store)),
    siteTokens: composeSiteTokens(context, store),
    largeFiles: own(stack, "large files", composeLargeFiles(context, store)),
    feedback: composeFeedback(context, { ...store, analytics: parts.analytics }),
  };
  const site = composeSites(context, { ...store, ...seen });
  const app = composeHttp(context, { ...seen, localModels, site, tryChores: parts.turns.tryChores });
  const told = tellLocalModels(localModels, logger);
  stack.defer(() => told);
  return app;
}
