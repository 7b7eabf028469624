import { Hono } from "hono";
import { type ConnectRoutesDeps, createConnectRoutes } from "./admin/connect-routes.ts";
import { createGithubAppRoutes, type GithubAppRoutesDeps } from "./admin/github-app-routes.ts";
import { createOperatorAccess, type OperatorAccessDeps } from "./admin/operator-access.ts";
import { type ConnectionRoutesDeps, createConnectionRoutes } from "./connection/connection-routes.ts";
import { createDeploymentsRoutes, type DeploymentsRoutesDeps } from "./deployments/deployments-routes.ts";
import { createHomeRoutes, type HomeRoutesDeps } from "./home-routes.ts";
import { createJobsRoutes, type JobsRoutesDeps } from "./jobs/jobs-routes.ts";
import { createKeysRoutes, type KeysRoutesDeps } from "./keys-routes.ts";
import { createProjectAccess, type ProjectAccessDeps } from "./layout/project-access.ts";
import { createScript } from "./layout/script.ts";

import { createOpenSite, type OpenSiteDeps } from "./site/open-site.ts";
import { createSiteRoutes, type SiteRoutesDeps } from "./site/site-routes.ts";

type Own = "access" | "operatorAccess" | "scriptUrl";

export type DashboardDeps = ProjectAccessDeps &
  Omit<HomeRoutesDeps, Own> &
  Omit<JobsRoutesDeps, Own> &
  Omit<KeysRoutesDeps, Own> &
  Omit<ConnectionRoutesDeps, Own> &
  Omit<DeploymentsRoutesDeps, Own> &
  Omit<SiteRoutesDeps, Own> &
  OpenSiteDeps &
  OperatorAccessDeps &
  Omit<ConnectRoutesDeps, Own> &
  Omit<GithubAppRoutesDeps, Own>;

/** The pages of a project for readers who are signed in to it: overview, jobs, deployments, API keys, connection; and those of the operator. */
export function createDashboardRoutes(deps: DashboardDeps): Hono {
  const script = createScript();
  const operatorAccess = createOperatorAccess(deps);
  const shared = { ...deps, access: createProjectAccess(deps), operatorAccess, scriptUrl: script.url };
  return new Hono()
    .route("/", script.routes)
    .route("/", createConnectRoutes(shared))
    .route("/", createGithubAppRoutes(shared))
    .route("/", createConnectionRoutes(shared))
    .route("/", createOpenSite(deps))
    .route("/", createSiteRoutes(shared))
    .route("/", createJobsRoutes(shared))
    .route("/", createDeploymentsRoutes(shared))
    .route("/", createKeysRoutes(shared))
    .route("/", createHomeRoutes(shared));
}
