import { Hono } from "hono";
import { createNewProjectRoutes, type NewProjectRoutesDeps } from "#features/connections/new-project-routes.ts";
import { createGithubAppRoutes, type GithubAppRoutesDeps } from "#features/connections/github-app-routes.ts";
import { createOperatorAccess, type OperatorAccessDeps } from "#features/keys/operator-access.ts";
import { type ConnectionRoutesDeps, createConnectionRoutes } from "#features/connections/page-routes.ts";
import { createDeploymentsRoutes, type DeploymentsRoutesDeps } from "#features/sites/deployments/deployments-routes.ts";
import { createJumpRoutes, type JumpRoutesDeps } from "#features/overview/jump-routes.ts";
import { createHomeRoutes, type HomeRoutesDeps } from "#features/overview/page-routes.ts";
import { type AutomationPagesDeps, createAutomationPages } from "#features/jobs/automations/page-routes.ts";
import { type ChoreRoutesDeps, createChoreRoutes } from "#features/jobs/pages/chore-routes.ts";
import { createJobsRoutes, type JobsRoutesDeps } from "#features/jobs/pages/jobs-routes.ts";
import { createKeysRoutes, type KeysRoutesDeps } from "#features/keys/page-routes.ts";
import { createProjectAccess, type ProjectAccessDeps } from "#features/keys/page-access.ts";
import { type AccountRoutesDeps, createAccountRoutes } from "#features/people/account-routes.ts";
import { type AuditRoutesDeps, createAuditRoutes } from "#features/people/audit-routes.ts";
import { createMembersRoutes, type MembersRoutesDeps } from "#features/people/members-routes.ts";
import { createPeopleRoutes, type PeopleRoutesDeps } from "#features/people/people-routes.ts";
import { createOauthRoutes, type OauthRoutesDeps } from "#features/people/oauth-routes.ts";
import { createResetRoutes, type ResetRoutesDeps } from "#features/people/reset-routes.ts";
import { createSetupRoutes, type SetupRoutesDeps } from "#features/people/setup-routes.ts";
import { createTwoFactorRoutes, type TwoFactorRoutesDeps } from "#features/people/two-factor-routes.ts";
import { createPersonAccess } from "#features/keys/person-access.ts";
import { createDashboardFileRoutes } from "#kit/pages/dashboard-files.ts";
import type { PageEditorDeps } from "#features/page-editor/form-route.ts";
import { createPageEditorRoutes } from "#features/page-editor/routes.ts";
import { createModelsRoutes, type ModelsRoutesDeps } from "#features/settings/models-routes.ts";
import { createSettingsRoutes, type SettingsRoutesDeps } from "#features/settings/settings-routes.ts";
import { createReviewRoutes, type ReviewRoutesDeps } from "#features/pull-requests/review-routes.ts";
import { createSourcePages, type SourcePagesDeps } from "#features/sources/page-routes.ts";
import { createWebhookPages, type WebhookPagesDeps } from "#features/webhooks/page-routes.ts";

import { createOpenSite, type OpenSiteDeps } from "#features/sites/pages/open-site.ts";
import { createRenderedCommits, type RenderedCommitDeps } from "#features/sites/entrance/rendered-commit.ts";
import { createSiteRoutes, type SiteRoutesDeps } from "#features/sites/pages/site-routes.ts";

type Own = "access" | "operatorAccess" | "personAccess";

export type DashboardDeps = ProjectAccessDeps &
  Omit<HomeRoutesDeps, Own> &
  JumpRoutesDeps &
  Omit<JobsRoutesDeps, Own> &
  Omit<ChoreRoutesDeps, Own> &
  Omit<ReviewRoutesDeps, Own> &
  Omit<PageEditorDeps, Own | "rendered" | "contentProcess"> &
  Omit<KeysRoutesDeps, Own> &
  Omit<ConnectionRoutesDeps, Own> &
  Omit<DeploymentsRoutesDeps, Own> &
  Omit<SiteRoutesDeps, Own> &
  Omit<SettingsRoutesDeps, Own> &
  Omit<ModelsRoutesDeps, Own> &
  Omit<AutomationPagesDeps, Own> &
  Omit<WebhookPagesDeps, Own> &
  Omit<SourcePagesDeps, Own> &
  OpenSiteDeps & { renderedCommits: Omit<RenderedCommitDeps, Own> } & OperatorAccessDeps &
  Omit<NewProjectRoutesDeps, Own> &
  Omit<GithubAppRoutesDeps, Own> &
  Omit<SetupRoutesDeps, Own> &
  ResetRoutesDeps &
  Omit<OauthRoutesDeps, Own> &
  Omit<MembersRoutesDeps, Own> &
  Omit<PeopleRoutesDeps, Own> &
  Omit<AuditRoutesDeps, Own> &
  Omit<AccountRoutesDeps, Own> &
  Omit<TwoFactorRoutesDeps, Own>;

/**
 * Dashboard pages of a project for signed-in readers (overview, jobs, deployments, API keys, connection), and those of
 * the operator.
 */
export function createDashboardRoutes(deps: DashboardDeps): Hono {
  const operatorAccess = createOperatorAccess(deps);
  const shared = {
    ...deps,
    access: createProjectAccess(deps),
    personAccess: createPersonAccess(deps),
    operatorAccess,
  };
  const rendered = createRenderedCommits({ ...deps.renderedCommits, access: shared.access });
  const { inBackground } = deps.renderedCommits.contentProcess;
  return new Hono()
    .route("/", createDashboardFileRoutes())
    .route("/", createSetupRoutes(shared))
    .route("/", createResetRoutes(deps))
    .route("/", createOauthRoutes(shared))
    .route("/", createAccountRoutes(shared))
    .route("/", createTwoFactorRoutes(shared))
    .route("/", createPeopleRoutes(shared))
    .route("/", createMembersRoutes(shared))
    .route("/", createAuditRoutes(shared))
    .route("/", createNewProjectRoutes(shared))
    .route("/", createGithubAppRoutes(shared))
    .route("/", createConnectionRoutes(shared))
    .route("/", createOpenSite(deps))
    .route("/", createSiteRoutes(shared))
    .route("/", rendered.routes)
    .route("/", createPageEditorRoutes({ ...shared, rendered, contentProcess: inBackground }))
    .route("/", createSettingsRoutes(shared))
    .route("/", createModelsRoutes(shared))
    .route("/", createAutomationPages(shared))
    .route("/", createWebhookPages(shared))
    .route("/", createSourcePages(shared))
    .route("/", createJobsRoutes(shared))
    .route("/", createChoreRoutes(shared))
    .route("/", createReviewRoutes(shared))
    .route("/", createDeploymentsRoutes(shared))
    .route("/", createKeysRoutes(shared))
    .route("/", createJumpRoutes(deps))
    .route("/", createHomeRoutes(shared));
}
