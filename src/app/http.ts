import { Resolver } from "node:dns/promises";
import { Hono } from "hono";
import type { Analytics } from "#features/visitors/collect/analytics.ts";
import { askForSync, findConnectionState, findWebhookSecret } from "#hosts/remote/connections.ts";
import { listSources } from "#hosts/sources/sources.ts";
import { createRateGuard } from "#features/visitors/collect/rate-guard.ts";
import type { ContentProcess } from "#docs/render/process/content-process.ts";
import { readFailedFetches } from "#features/visitors/clients/failed-fetches.ts";
import { createAnalyticsRoutes } from "#features/visitors/pages/page-routes.ts";
import { createDashboardRoutes } from "./dashboard-routes.ts";
import { createFeedbackRoutes } from "#features/visitors/pages/feedback-routes.ts";
import { createPullRequestRoutes } from "#features/pull-requests/pull-request-routes.ts";
import { countCall } from "#kit/limits/rate-limit.ts";
import { createChangeReader } from "#features/pull-requests/pull-request-view.ts";
import { createOfferWork } from "#features/jobs/chores/offered-work.ts";
import { type ApiParts, composeApi, onlyAtAServer } from "./api.ts";
import { EXAMPLE_FOLDER } from "./example-folder.ts";
import { composeGit } from "./git-http.ts";
import { type App, type AppDeps, createApp } from "./http/app.ts";
import { bearerKey } from "#features/keys/authentication.ts";
import { createHosts } from "#kit/http/hosts.ts";
import { createCheckGuard } from "#features/sites/entrance/domain-routes.ts";
import { replaceProjectToken } from "#features/projects/connect-project.ts";
import { hostedRepository } from "#features/projects/hosted-repository.ts";
import { createDomainProof } from "#features/projects/site/domain-proof.ts";
import { projectOfDomain } from "#features/projects/site/domains.ts";
import { publishedUrl } from "#features/projects/site/external-site.ts";
import { findProject as findProjectById, findProjectBySlug, listProjects } from "#features/projects/projects.ts";
import { arePullRequestsPublic } from "#features/projects/site-access.ts";
import { composeSendMail } from "./mail.ts";
import { composeQuotas, type ProjectQuotas } from "./quotas.ts";
import { composeReadiness } from "./readiness.ts";
import type { LargeFiles } from "#features/sites/media/large-files.ts";
import type { AccessTokens } from "#features/sites/entrance/access-tokens.ts";
import { listInvitations } from "#features/accounts/invitations.ts";
import { listMembers } from "#features/accounts/members.ts";
import type { SiteSearch } from "#features/sites/search/site-search.ts";
import type { LocalModels } from "#models/local-servers.ts";
import type { PreviewLinks } from "#features/sites/preview-links.ts";
import type { Access } from "./access.ts";
import { type CodeHosts, mentionName } from "./code-hosts.ts";
import type { Deployments } from "./deployments.ts";
import { composeRenderedCommits } from "./sites.ts";
import type { Context } from "./context.ts";
import { composeDiscovery } from "./discovery.ts";
import { composeReference } from "./reference.ts";
import type { Jobs } from "./jobs.ts";
import type { ProjectParts } from "./projects.ts";
import type { Store } from "./store.ts";

interface HttpParts {
  store: Store;
  hosts: CodeHosts;
  content: Pick<ContentProcess, "parserFor" | "render" | "readApi" | "apiDocuments" | "canRender" | "inBackground">;
  analytics: Pick<Analytics, "cache" | "journal" | "collector" | "agents" | "eraseReaders" | "unnamedProxy">;
  jobs: Pick<Jobs, "currentPullRequest" | "requests" | "automations" | "webhooks" | "chat" | "catalogueOf">;
  /** Absent: local models are not searched for. */
  localModels?: Pick<LocalModels, "look">;
  access: Access;
  previewLinks: PreviewLinks;
  deployments: Deployments;
  search: Pick<SiteSearch, "ask" | "pagesByTitle">;
  siteTokens: AccessTokens;
  largeFiles: LargeFiles;
  /** Same signature as in `node:dns`. */
  resolveTxt?(name: string): Promise<string[][]>;
  site: AppDeps["site"];
  metrics?: AppDeps["metrics"] | undefined;
  /** Limit and polling interval of event streams; see `agentJobEventsRoutes`. */
  streams?: Pick<AppDeps["jobEvents"], "streamTimes" | "maxStreams">;
  /** Aborted when the server begins to stop, which ends streams and rejects new requests. */
  closing: AbortSignal;
  tryChores?: ApiParts["tryChores"];
}

/** DNS queries for the proof of a domain, per project. */
const PROOFS_PER_MINUTE = 20;
const DNS_PATIENCE = { timeout: 2_000, tries: 2 };

/** Composes all HTTP routes of this server. */
export function composeHttp(context: Context, parts: HttpParts): App {
  const { config, logger, clock, address, version } = context;
  const { store, hosts, analytics, jobs, access } = parts;
  const { database } = store;
  const findProject = (slug: string) => findProjectBySlug({ database }, slug);
  const hasProject = async (slug: string) => (await findProject(slug)) !== null;
  const domains = {
    domainProof: createDomainProof({
      key: store.vault.keyFor("site domains"),
      resolveTxt: parts.resolveTxt ?? ((name) => new Resolver(DNS_PATIENCE).resolveTxt(name)),
    }),
    admitsProof: createRateGuard({ clock, perMinute: PROOFS_PER_MINUTE }).admits,
  };
  const api = composeApi(context, { ...parts, ...domains });
  const quotas = composeQuotas(context, store);
  const auditDeps = { database, clock, logger };
  return createApp({
    logger,
    logRequests: config.logRequests,
    audit: auditDeps,
    siteDomain: config.siteDomain,
    hosts: createHosts({
      siteDomain: config.siteDomain,
      baseUrl: address.baseUrl,
      hasOwnAddress: config.baseUrl !== null,
      clock,
      hasDomain: async (domain) => (await projectOfDomain(database.kysely, domain)) !== null,
      hasProject,
    }),
    admitsCheck: createCheckGuard(context),
    version,
    baseUrl: address.baseUrl,
    siteUrl: address.siteUrl,
    ...composeReadiness(context, parts),
    ...api,
    sites: {
      discovery: composeDiscovery(context, parts),
      updates: {
        database,
        clock,
        findProject: jobs.requests.findProject,
        deployments: parts.deployments,
        previewLink: ({ id, slug }, branch) => parts.previewLinks.link({ projectId: id, slug, branch }),
      },
    },
    analytics: { ...api.analytics, collector: analytics.collector },
    ...access,
    vault: store.vault,
    clock,
    site: parts.site,
    hostWebhooks: hosts.webhooks,
    git: composeGit(context, { store, access, embedded: hosts.embedded, quotas, changeProject: api.projects.change }),
    hasProject,
    metrics: parts.metrics ?? null,
    reference: composeReference(context, parts),
    pages: composePages(context, parts, {
      ...domains,
      quotas,
      projects: api.projects,
      automations: api.automations,
      webhooks: api.webhooks,
    }),
  });
}

/** Dashboard pages below `/{slug}/`. */
function composePages(
  context: Context,
  parts: HttpParts,
  further: Pick<ProjectParts, "domainProof" | "admitsProof"> & { quotas: ProjectQuotas } & Pick<
      AppDeps,
      "projects" | "automations" | "webhooks"
    >,
): Hono {
  const { config, clock, address } = context;
  const { store, hosts, content, analytics, jobs, access, previewLinks, closing } = parts;
  const { database, repoStore } = store;
  const findProject = (slug: string) => findProjectBySlug({ database }, slug);
  const shared = {
    database,
    clock,
    cache: analytics.cache,
    findProject,
    session: access.session,
    baseUrl: address.baseUrl,
    siteUrl: address.siteUrl,
  };
  const readChanges = createChangeReader({ repoStore });
  const pullRequests = createPullRequestRoutes({
    ...jobs.requests.submit,
    readChanges,
    codeHost: { ...hosts.embedded, getPullRequest: hosts.recentPullRequest },
    repoStore,
    parserFor: content.parserFor,
    findRepository: async (slug) => {
      const project = await findProject(slug);
      if (project === null) return null;
      const isPublic = await arePullRequestsPublic(database.kysely, project);
      const siteUrl = publishedUrl(project, address.siteUrl);
      return {
        ...hostedRepository(project),
        name: project.name,
        siteUrl,
        isPublic,
        mention: mentionName(project),
        isArchived: project.archivedAt !== null,
        isPublishedElsewhere: project.settings.externalSite !== undefined,
      };
    },
    commentGuards: access.commentGuards,
    session: access.session,
    holderOf: async (request, from) => {
      const key = bearerKey(request.headers.get("authorization") ?? "");
      return key === null ? null : access.authenticate(key, from);
    },
    previewLinks,
  });
  const dashboard = createDashboardRoutes({
    ...shared,
    ...jobs.requests,
    tryChores: parts.tryChores ?? onlyAtAServer,
    offerWork: createOfferWork({ tryChores: parts.tryChores ?? onlyAtAServer, repoStore, closing }),
    findProject, // by slug; the one of the requests above takes an ID
    parserFor: content.parserFor,
    keysPerHour: config.limits.keysPerHour,
    deployments: parts.deployments,
    refreshSite: parts.deployments.watch.refresh,
    repoStore,
    previewLinks,
    findProjectById: (id) => findProjectById({ database }, id),
    listProjects: () => listProjects({ database }),
    siteTokens: parts.siteTokens,
    siteDomain: config.siteDomain,
    hostUrl: address.hostUrl,
    ...further,
    reviews: {
      repoStore,
      readChanges,
      currentPullRequest: jobs.currentPullRequest,
      pullRequestRange: hosts.embedded.pullRequestRange,
    },
    renderedCommits: composeRenderedCommits(context, { repoStore, content, largeFiles: parts.largeFiles }),
    catalogueOf: jobs.catalogueOf,
    defaultModel: config.jobs.defaultModel,
    hasTeam: async ({ id }) =>
      (await listMembers(database.kysely, id, { limit: 1 })).length > 0 ||
      (await listInvitations({ database, clock }, id)).length > 0,
    chat: jobs.chat,
    findLocalModels: parts.localModels?.look ?? (async () => []),
    countTrial: (projectId) =>
      countCall(database.kysely, {
        projectId,
        bucket: "agent",
        limit: config.limits.agentCallsPerHour,
        now: clock.now(),
      }),
    connectionState: (project) => findConnectionState({ database }, project.id),
    connection: {
      webhookSecret: (project) => findWebhookSecret(store, project.id),
      replaceToken: (project, token) => replaceProjectToken({ ...hosts.remote, clock }, project, token),
      syncSoon: (project) => askForSync({ database }, project.id),
    },
    operators: access.operators,
    checkPassword: access.checkPassword,
    checkCode: access.checkCode,
    mayAskForReset: access.mayAskForReset,
    sendMail: composeSendMail(context, store),
    mayMailInvitation: access.mayMailInvitation,
    mayTryChat: access.mayTryChat,
    logger: context.logger,
    auditDays: config.retention.auditDays,
    hostApps: hosts.remote.hostApps,
    vault: store.vault,
    connecting: hosts.connecting,
    exampleFolder: EXAMPLE_FOLDER,
    signIn: access.sessions.create,
    sources: (project) => listSources(database, project.id),
    openPullRequests: (project, limit) =>
      hosts.embedded.listPullRequests(hostedRepository(project), { state: "open", limit, before: null }),
    search: parts.search,
    closing,
  });
  return new Hono()
    .route("/", pullRequests)
    .route(
      "/",
      createAnalyticsRoutes({
        ...shared,
        agents: analytics.agents,
        unnamedProxy: analytics.unnamedProxy,
        failedFetches: () => readFailedFetches(config.dataDirectory),
      }),
    )
    .route("/", createFeedbackRoutes(shared))
    .route("/", dashboard);
}
