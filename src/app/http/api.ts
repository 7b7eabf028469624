import type { OpenAPIHono } from "@hono/zod-openapi";
import type { WebhookDeps } from "#features/webhooks/webhook-endpoints.ts";
import { instanceKey, type KeyDeps, projectKey } from "#features/keys/authentication.ts";
import { conditionalAnswers } from "#kit/http/conditional.ts";
import { deprecationHeaders } from "#kit/http/deprecation.ts";
import { type Operations, operationsIn } from "#kit/http/operation.ts";
import { refusedBodies } from "#kit/http/refused-bodies.ts";
import { type AgentJobDiffDeps, agentJobDiffRoutes } from "#features/jobs/http/diff-routes.ts";
import { type AgentJobEventsDeps, agentJobEventsRoutes } from "#features/jobs/http/event-routes.ts";
import { type AgentSessionDeps, agentSessionRoutes } from "#features/jobs/http/session-routes.ts";
import { agentJobLifecycleRoutes } from "#features/jobs/http/lifecycle-routes.ts";
import { type TryChoresDeps, tryChoresRoutes } from "#features/jobs/chores/try-routes.ts";
import { type AgentJobRoutesDeps, agentJobRoutes } from "#features/jobs/http/routes.ts";
import { type KeyRoutesDeps, keyRoutes } from "#features/keys/routes.ts";
import { type LogRoutesDeps, logRoutes } from "#features/logs/routes.ts";
import { type ProjectConnectionDeps, projectConnectionRoutes } from "#features/connections/routes.ts";
import { type ProjectRoutesDeps, projectRoutes } from "#features/projects/routes.ts";
import { type SiteLinkRoutesDeps, siteLinkRoutes } from "#features/sites/entrance/link-routes.ts";
import { auditApiRoutes } from "#features/people/audit-api.ts";
import { invitationApiRoutes, type InvitationApiDeps } from "#features/people/invitation-api.ts";
import { peopleRoutes } from "#features/people/members-api.ts";
import { type SourceRoutesDeps, sourceRoutes } from "#features/sources/routes.ts";
import { type AnalyticsReportDeps, analyticsReportRoutes } from "#features/visitors/http/report-routes.ts";
import { type PullRequestEndRoutesDeps, pullRequestEndRoutes } from "#features/jobs/http/pull-request-routes.ts";
import { type AnalyticsRoutesDeps, analyticsRoutes } from "#features/visitors/http/routes.ts";
import { type AnalyticsUpkeepDeps, analyticsUpkeepRoutes } from "#features/visitors/http/upkeep-routes.ts";
import { type AutomationRoutesDeps, automationRoutes } from "#features/jobs/automations/routes.ts";
import { automationTriggerRoutes } from "#features/jobs/automations/trigger-routes.ts";
import { type DiscoveryDeps, discoveryRoutes, siteNamed } from "#features/sites/mcp/discovery-routes.ts";
import { type ApiAddressRoutesDeps, apiAddressRoutes } from "#features/sites/api-addresses/routes.ts";
import { feedbackRoutes } from "#features/visitors/http/feedback-routes.ts";
import { type DeploymentRoutesDeps, deploymentRoutes } from "#features/sites/deployments/routes.ts";
import { type SiteUpdateRoutesDeps, siteUpdateRoutes } from "#features/sites/deployments/update-routes.ts";
import { webhookRoutes } from "#features/webhooks/routes.ts";
import type { HttpEnv } from "#kit/http/context.ts";
import { refuseOtherMethods } from "#kit/http/method-not-allowed.ts";
import { createRouter } from "#kit/http/router.ts";

export interface ApiDeps extends KeyDeps {
  trials: TryChoresDeps;
  agentJobs: AgentJobRoutesDeps & PullRequestEndRoutesDeps;
  jobEvents: AgentJobEventsDeps & AgentJobDiffDeps;
  webhooks: WebhookDeps;
  automations: AutomationRoutesDeps;
  agentSessions: AgentSessionDeps;
  keys: KeyRoutesDeps;
  projects: ProjectRoutesDeps & ProjectConnectionDeps & SourceRoutesDeps;
  invitations: InvitationApiDeps;
  siteLinks: SiteLinkRoutesDeps;
  logs: LogRoutesDeps;
  deployments: DeploymentRoutesDeps;
  apiAddresses: ApiAddressRoutesDeps;
  analytics: AnalyticsRoutesDeps & AnalyticsReportDeps & AnalyticsUpkeepDeps;
  /** Absent if no site is served, as in a command on a data directory. */
  sites?: { discovery: DiscoveryDeps; updates: SiteUpdateRoutesDeps };
}

/** The operations of the API, in document order, each with the key that it requires. */
export function createApi(deps: ApiDeps): OpenAPIHono<HttpEnv> {
  const api = createRouter();
  let known: Operations | undefined;
  const operations = () => (known ??= operationsIn(api));
  const keyDeps = { ...deps, operations };
  for (const version of ["/v1/*", "/v2/*"]) api.use(version, deprecationHeaders(operations), conditionalAnswers);
  api.use("/v2/agent/:projectId/*", projectKey(keyDeps));
  api.use("/v1/analytics/:projectId/*", projectKey(keyDeps));
  api.use("/v2/project/:projectId/*", projectKey(keyDeps));
  api.use("/v1/agent/:projectId/*", projectKey(keyDeps));
  api.use("/v1/workflow/:projectId/*", projectKey(keyDeps));
  if (deps.sites) {
    const { discovery, updates } = deps.sites;
    const ofUpdate = (id: string | undefined) => updates.deployments.updates.findProjectId(id ?? "");
    api.use("/discovery/v1/:what{search|page}/:domain", projectKey(keyDeps, siteNamed(discovery)));
    api.use("/v1/project/update/:projectId", projectKey(keyDeps));
    api.use("/v1/project/preview/:projectId", projectKey(keyDeps));
    api.use(
      "/v1/project/update-status/:statusId",
      projectKey(keyDeps, (c, holder) =>
        "projectId" in holder && holder.projectId !== null ? holder.projectId : ofUpdate(c.req.param("statusId")),
      ),
    );
  }
  api.use("/v2/projects", instanceKey(keyDeps));
  api.use("/v2/instance/*", instanceKey(keyDeps));
  const refused = refusedBodies();
  for (const version of ["/v1/*", "/v2/*", "/discovery/v1/*"]) api.use(version, refused);
  api.route("/", agentJobRoutes(deps.agentJobs));
  api.route("/", tryChoresRoutes(deps.trials));
  api.route("/", agentJobLifecycleRoutes(deps.agentJobs));
  api.route("/", pullRequestEndRoutes(deps.agentJobs));
  api.route("/", agentJobEventsRoutes(deps.jobEvents));
  api.route("/", agentJobDiffRoutes(deps.jobEvents));
  api.route("/", agentSessionRoutes(deps.agentSessions));
  api.route("/", webhookRoutes(deps.webhooks));
  api.route("/", automationRoutes(deps.automations));
  api.route("/", automationTriggerRoutes(deps.automations));
  if (deps.sites) api.route("/", discoveryRoutes(deps.sites.discovery));
  api.route("/", analyticsRoutes(deps.analytics));
  api.route("/", analyticsReportRoutes(deps.analytics));
  api.route("/", feedbackRoutes(deps.analytics));
  api.route("/", analyticsUpkeepRoutes(deps.analytics));
  api.route("/", projectRoutes(deps.projects));
  api.route("/", projectConnectionRoutes(deps.projects));
  api.route("/", sourceRoutes(deps.projects));
  api.route("/", peopleRoutes(deps.projects));
  api.route("/", invitationApiRoutes(deps.invitations));
  api.route("/", auditApiRoutes(deps.projects));
  api.route("/", siteLinkRoutes(deps.siteLinks));
  api.route("/", keyRoutes(deps.keys));
  api.route("/", logRoutes(deps.logs));
  api.route("/", deploymentRoutes(deps.deployments));
  if (deps.sites) api.route("/", siteUpdateRoutes(deps.sites.updates));
  api.route("/", apiAddressRoutes(deps.apiAddresses));
  refuseOtherMethods(api);
  return api;
}
