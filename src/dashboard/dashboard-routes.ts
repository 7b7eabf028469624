import { Hono } from "hono";
import { createHomeRoutes, type HomeRoutesDeps } from "./home-routes.ts";
import { createJobsRoutes, type JobsRoutesDeps } from "./jobs/jobs-routes.ts";
import { createKeysRoutes, type KeysRoutesDeps } from "./keys-routes.ts";
import { createProjectAccess, type ProjectAccessDeps } from "./layout/project-access.ts";
import { createScript } from "./layout/script.ts";

type Own = "access" | "scriptUrl";

export type DashboardDeps = ProjectAccessDeps &
  Omit<HomeRoutesDeps, Own> &
  Omit<JobsRoutesDeps, Own> &
  Omit<KeysRoutesDeps, Own>;

/** The pages of a project for readers who are signed in to it: overview, jobs, API keys. */
export function createDashboardRoutes(deps: DashboardDeps): Hono {
  const script = createScript();
  const shared = { ...deps, access: createProjectAccess(deps), scriptUrl: script.url };
  return new Hono()
    .route("/", script.routes)
    .route("/", createJobsRoutes(shared))
    .route("/", createKeysRoutes(shared))
    .route("/", createHomeRoutes(shared));
}
