import { readFileSync } from "node:fs";
import path from "node:path";
import { Hono } from "hono";
import { sql } from "kysely";
import { authenticate, isKeyAlive } from "#accounts/api-keys.ts";
import { createSessions } from "#accounts/sessions.ts";
import { createAgentTools } from "#agent/tools/tools.ts";
import { createAgentKeyRing } from "#analytics/agent-key-ring.ts";
import { createAnalytics } from "#analytics/analytics.ts";
import { readKeyDirectories } from "#analytics/key-directory.ts";
import { createSignatureCheck } from "#analytics/web-bot-auth.ts";
import type { CodeHost, HostedRepository } from "#code-hosts/code-host.ts";
import { createEmbeddedCodeHost } from "#code-hosts/embedded/embedded-code-host.ts";
import { createSmartHttp } from "#code-hosts/embedded/smart-http.ts";
import type { Config } from "#config.ts";
import { createLinkCache } from "#content/links.ts";
import { createPageHeads } from "#content/page-tree.ts";
import { createContentProcess } from "#content/render/content-process.ts";
import { createAnalyticsRoutes } from "#dashboard/analytics-routes.ts";
import { createDashboardRoutes } from "#dashboard/dashboard-routes.ts";
import { createPullRequestRoutes } from "#dashboard/pull-request-routes.ts";
import { type Database, openDatabase } from "#db/database.ts";
import { createRepoStore, type RepoStore } from "#git/repo-store.ts";
import { createApp } from "#http/app.ts";
import { jobToJson } from "#http/job-json.ts";
import { listen } from "#http/server.ts";
import { removeInstanceFile, writeInstanceFile } from "#instance-file.ts";
import { startAutomations } from "#jobs/automation-triggers.ts";
import { startSweeper } from "#jobs/sweeper.ts";
import { startOutbox } from "#jobs/webhook-worker.ts";
import { runTurn } from "#jobs/run-turn.ts";
import { startWorker } from "#jobs/worker.ts";
import { type Clock, systemClock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { openKeyVault } from "#lib/key-vault.ts";
import type { Logger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/outbound-http.ts";
import { createBuiltinRules } from "#models/builtin-rules/builtin-rules.ts";
import { createModelCatalogue, type ModelCatalogue } from "#models/model.ts";
import { createProviderConnector } from "#models/providers.ts";
import { startMaintenance } from "#projects/maintenance.ts";
import type { Secret } from "#lib/secret.ts";
import type { Project } from "#projects/project.ts";
import { projectCatalogue } from "#projects/project-models.ts";
import { createProjectSecrets } from "#projects/project-secrets.ts";
import { findProject, findProjectBySlug } from "#projects/projects.ts";
import { publicAddress } from "#public-address.ts";
import { secretsFile } from "#secrets-file.ts";
import { siteUrl } from "#site-url.ts";
import { createPreviews, isPreviewSlug, previewSlug } from "#sites/previews.ts";
import { rememberProjects } from "#sites/recent-projects.ts";
import { createSites } from "#sites/sites.ts";

export interface RunningServer extends AsyncDisposable {
  baseUrl: string;
  port: number;
}

export interface ServerOptions {
  logger: Logger;
  clock?: Clock;
  /** For whole-process tests that stop a server at a chosen point: the ports, wrapped. */
  wrapRepoStore?(repoStore: RepoStore): RepoStore;
  wrapCodeHost?(codeHost: CodeHost): CodeHost;
}

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, "..", "package.json"), "utf8")) as {
  version: string;
};

/**
 * Builds everything, the store first, and listens. Disposing goes the other way: no new requests, running jobs given
 * back, views flushed, store closed.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { logger, clock = systemClock } = options;
  await using stack = new AsyncDisposableStack();
  const own = <T extends AsyncDisposable>(part: T): T => stack.use(part);

  const database = own(await openDatabase({ location: config.database, logger, migrate: true }));
  const root = path.join(config.dataDirectory, "repositories");
  const plainStore = own(createRepoStore({ root, logger }));
  const repoStore = options.wrapRepoStore?.(plainStore) ?? plainStore;
  const content = own(createContentProcess({ logger }));
  const address = { baseUrl: publicAddress(config, config.port) };
  const baseUrl = () => address.baseUrl;
  const embedded = createEmbeddedCodeHost({ database, repoStore, clock, logger, baseUrl });
  const codeHost = options.wrapCodeHost?.(embedded) ?? embedded;
  const outboundHttp = createOutboundHttp(config.webhooks);
  const scheme = () => new URL(baseUrl()).protocol;
  const directories = await readKeyDirectories(config.agentKeysFile);
  const agentKeys = own(createAgentKeyRing({ directories, outboundHttp, clock, logger }));
  const analytics = own(
    await createAnalytics({
      database,
      location: config.database,
      dataDirectory: config.dataDirectory,
      trustedProxies: config.trustedProxies,
      checkSignature: createSignatureCheck({ keys: agentKeys, clock, scheme }),
      clock,
      logger,
    }),
  );
  const models = createModels(config);
  models.resolve(config.jobs.defaultModel); // a wrong default shows at the start, not in the first job
  const vault = await openKeyVault(secretsFile(config.dataDirectory));
  const secrets = createProjectSecrets(vault, instanceKeys(config));
  const caches = { heads: createPageHeads(), links: createLinkCache() };
  const jobDeps = {
    database,
    clock,
    logger,
    redact: secrets.instance.redact,
    repoStore,
    codeHost,
    parser: content,
    tools: createAgentTools(caches),
    resolveModel: (project: Project, name: string) => projectCatalogue({ models, vault }, project).resolve(name),
    previewUrl: (project: Project, number: number) =>
      siteUrl(baseUrl(), config.siteDomain, previewSlug(project.slug, number)),
    limits: config.jobs.limits,
    gate: { parser: content, findSecrets: secrets.instance.findSecrets, linkCache: caches.links },
  };
  const runProjectTurn = (turn: Parameters<typeof runTurn>[1]) => {
    const { redact, findSecrets } = secrets.scannerOf(turn.project);
    return runTurn({ ...jobDeps, redact, gate: { ...jobDeps.gate, findSecrets } }, turn);
  };
  const siteDeps = { repoStore, contentProcess: content, logger, clock, scheme };
  const findBySlug = (slug: string) => findProjectBySlug({ database }, slug);
  const findSite = async (slug: string) => {
    const project = await findBySlug(slug);
    return project && { ...project, contentRoot: project.settings.contentRoot ?? null };
  };
  const sites = createSites({
    ...siteDeps,
    collectView: analytics.collector,
    projects: rememberProjects(findSite, clock),
  });
  const previews = createPreviews({ ...siteDeps, codeHost, findProject: findBySlug });
  const authorizeKey = (key: string) => authenticate({ database, clock }, key);
  const sessions = await createSessions({ database, clock });
  const agentJobs = {
    submit: {
      database,
      clock,
      redact: secrets.instance.redact,
      redactFor: secrets.redactFor,
      agentCallsPerHour: config.limits.agentCallsPerHour,
    },
    findProject: (id: ProjectId) => findProject({ database }, id),
    repositoryUrl: (project: Project) => embedded.repositoryUrl(hosted(project)),
    chooseModel: (project: Project, asked: string | null) =>
      projectCatalogue({ models, vault }, project).resolve(asked ?? project.settings.model ?? config.jobs.defaultModel)
        .name,
    listModels: (project: Project) => projectCatalogue({ models, vault }, project).list(),
    listBranches: async (project: Project) => (await repoStore.branches(project.id)).map(({ name }) => name),
    isMissingBranch: async (project: Project, branch: string) =>
      (await embedded.fetchBranch(hosted(project), branch)) === null,
    currentPullRequest: (project: Project, number: number) => embedded.getPullRequest(hosted(project), number),
  };
  const automations = { ...agentJobs, codeHost, repoStore };
  const webhooks = {
    database,
    clock,
    vault,
    outboundHttp,
  };
  const closing = new AbortController();
  const app = createApp({
    logger,
    siteDomain: config.siteDomain,
    version,
    baseUrl,
    isDraining: () => closing.signal.aborted,
    isHealthy: () => isReachable(database),
    authenticate: authorizeKey,
    sessions,
    agentJobs,
    jobEvents: {
      ...agentJobs,
      database,
      repoStore,
      codeHost,
      pullRequestRange: (repository, number) => embedded.pullRequestRange(repository, number),
      isKeyAlive: (keyId) => isKeyAlive({ database, clock }, keyId),
      closing: closing.signal,
    },
    webhooks,
    automations,
    analytics: {
      database,
      clock,
      cache: analytics.cache,
      journal: analytics.journal,
      collector: analytics.collector,
      analyticsCallsPerHour: config.limits.analyticsCallsPerHour,
    },
    site: (request, slug, peerAddress) =>
      (isPreviewSlug(slug) ? previews : sites).handle(request, slug, { peerAddress }),
    git: createSmartHttp({
      repoStore,
      logger,
      authorize: async (slug, key) => {
        const project = await findBySlug(slug);
        const principal = await authorizeKey(key);
        return project && principal?.projectId === project.id ? hosted(project) : null;
      },
      onPush: (repository, push) => embedded.recordPush(repository, push),
    }),
    hasProject: async (slug) => (await findBySlug(slug)) !== null,
    pages: new Hono()
      .route(
        "/",
        createPullRequestRoutes({
          codeHost: embedded,
          repoStore,
          parser: content,
          findRepository: async (slug) => {
            const project = await findBySlug(slug);
            return project && { ...hosted(project), name: project.name };
          },
          session: { read: (request) => sessions.read(request.headers.get("cookie")) },
          siteUrl: (slug) => siteUrl(baseUrl(), config.siteDomain, slug),
        }),
      )
      .route(
        "/",
        createAnalyticsRoutes({
          database,
          cache: analytics.cache,
          clock,
          findProject: findBySlug,
          session: { read: (request) => sessions.read(request.headers.get("cookie")) },
          baseUrl,
          siteUrl: (slug) => siteUrl(baseUrl(), config.siteDomain, slug),
        }),
      )
      .route(
        "/",
        createDashboardRoutes({
          ...agentJobs,
          database,
          clock,
          parser: content,
          cache: analytics.cache,
          keysPerHour: config.limits.keysPerHour,
          findProject: findBySlug,
          findProjectById: agentJobs.findProject,
          openPullRequests: (project, limit) =>
            embedded.listPullRequests(hosted(project), { state: "open", limit, before: null }),
          session: { read: (request) => sessions.read(request.headers.get("cookie")) },
          closing: closing.signal,
          baseUrl,
          siteUrl: (slug) => siteUrl(baseUrl(), config.siteDomain, slug),
        }),
      ),
  });
  own(startMaintenance({ database, repoStore, logger, reconcile: (project) => embedded.reconcile(hosted(project)) }));
  own(
    startOutbox({
      ...webhooks,
      logger,
      random: Math.random,
      userAgent: `Docent/${version}`,
      presentJob: async (job) => {
        const project = await findProject({ database }, job.projectId);
        return jobToJson(job, project ? agentJobs.repositoryUrl(project) : "");
      },
    }),
  );
  own(startAutomations({ ...automations, logger }));
  own(startSweeper({ database, clock, redact: secrets.instance.redact, logger }));
  own(
    startWorker(
      { ...jobDeps, findProject: (id) => findProject({ database }, id), runTurn: runProjectTurn },
      { atOnce: config.jobs.atOnce, leaseMs: config.jobs.leaseMs, maxAttempts: config.jobs.maxAttempts },
    ),
  );
  const http = await listen({ app, logger }, { host: config.host, port: config.port });
  stack.defer(() => http.close());
  address.baseUrl = publicAddress(config, http.port);
  writeInstanceFile(config.dataDirectory, { pid: process.pid, baseUrl: baseUrl() });
  stack.defer(() => removeInstanceFile(config.dataDirectory));
  stack.defer(() => closing.abort());
  const opened = stack.move();
  return { baseUrl: baseUrl(), port: http.port, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The keys of the instance's own model providers. */
export const instanceKeys = ({ models }: Pick<Config, "models">): Secret[] =>
  models.providers.flatMap(({ apiKey }) => (apiKey ? [apiKey] : []));

/** The models that jobs on this instance may use. */
export function createModels(config: Pick<Config, "models">): ModelCatalogue {
  return createModelCatalogue({
    builtin: createBuiltinRules(),
    ...config.models,
    connect: createProviderConnector({ fetch: globalThis.fetch }),
  });
}

const hosted = (project: Project): HostedRepository => ({
  projectId: project.id,
  slug: project.slug,
  branch: project.branch,
});

async function isReachable(database: Database): Promise<boolean> {
  try {
    await sql`select 1`.execute(database.kysely);
    return true;
  } catch {
    return false;
  }
}
