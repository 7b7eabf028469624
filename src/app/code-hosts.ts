import type { CodeHost } from "#hosts/code-host.ts";
import { createCodeHosts } from "#hosts/code-hosts.ts";
import { createEmbeddedCodeHost, type EmbeddedCodeHost } from "#hosts/embedded/embedded-code-host.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import {
  askForSync,
  findConnectedBy,
  findConnectionState,
  findWebhookSecret,
  recordWebhook,
} from "#hosts/remote/connections.ts";
import { createProjectMaking } from "#features/projects/project-making.ts";
import { createConnecting } from "#features/projects/connecting.ts";
import { createConversations } from "#hosts/remote/conversations.ts";
import { createFollowing } from "#hosts/remote/following.ts";
import { webhookPath } from "#hosts/remote/webhook-upkeep.ts";
import { createRecentPullRequests } from "#hosts/remote/recent-pull-requests.ts";
import { createReportPosts, type MakePullRequestReport } from "#hosts/remote/report-posts.ts";
import type { RemoteHostDeps } from "#hosts/remote/reach-host.ts";
import { createRemoteCodeHost } from "#hosts/remote/remote-code-host.ts";
import { createSourceFollowing } from "#hosts/sources/source-following.ts";
import { findJobPullRequests } from "#features/jobs/comments/comment-worker.ts";
import { recordPullRequestStates } from "#features/jobs/requests/pull-request-states.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Project } from "#features/projects/project.ts";
import { findProject } from "#features/projects/projects.ts";
import { createPreviewLinks } from "#features/sites/preview-links.ts";
import type { Context } from "./context.ts";
import { APIS, composeHostCalls } from "./host-apis.ts";
import { composeSecrets } from "./models.ts";
import type { Store } from "./store.ts";

const DEFAULT_MENTION = "docent";

export type CodeHosts = ReturnType<typeof composeCodeHosts>;

export function composeCodeHosts(
  { config, clock, logger, address, version, own }: Context,
  store: Pick<Store, "database" | "repoStore" | "vault">,
) {
  const { database, repoStore, vault } = store;
  const secrets = composeSecrets(config, vault);
  const { redact } = secrets.instance;
  const recordStates = (projectId: ProjectId, pullRequests: Parameters<typeof recordPullRequestStates>[2]) =>
    recordPullRequestStates({ database, clock, redact }, projectId, pullRequests);
  const embedded: EmbeddedCodeHost = createEmbeddedCodeHost({
    database,
    repoStore,
    clock,
    logger,
    baseUrl: address.baseUrl,
    onStateChange: (projectId, pullRequest) => recordStates(projectId, [pullRequest]),
  });
  const remote = composeRemoteHosts({ config, clock, version }, store);
  const elsewhere = createRemoteCodeHost({ ...remote, logger });
  const codeHost: CodeHost = createCodeHosts({
    embedded,
    ...Object.fromEntries(Object.keys(APIS).map((kind) => [kind, elsewhere])),
  });
  const previewLinks = createPreviewLinks({ key: vault.keyFor("previews"), siteUrl: address.siteUrl });
  const reports = createReportPosts({ ...remote, clock, logger });
  const conversations = createConversations({
    reports,
    ...remote,
    clock,
    logger,
    findOurs: (projectId, pullRequests) => findJobPullRequests({ database }, projectId, pullRequests),
    recordStates,
    previewPosting: async (projectId) => {
      const project = await findProject({ database }, projectId);
      const slug = project?.slug ?? "";
      return {
        how: project?.settings.previewPosts ?? "status",
        link: (number) => previewLinks.link({ projectId, slug, number }),
      };
    },
    webhookUrl(projectId) {
      const url = new URL(webhookPath(projectId), address.baseUrl());
      return url.port === "0" ? null : url.href; // the server does not listen yet
    },
    redactFor: (projectId) => secrets.redactFor(database.kysely, projectId),
    mentionName: async (projectId) => mentionName(await findProject({ database }, projectId)),
  });
  const recentPullRequests = createRecentPullRequests({ codeHost, repoStore, clock });
  const hint = (projectId: ProjectId) => {
    recentPullRequests.hint(projectId);
    if (config.role !== "web") following.hint(projectId);
    else void passHintOn(projectId);
  };
  /** Workers look at what is due every second. */
  const passHintOn = (projectId: ProjectId) =>
    recordWebhook({ database, clock }, projectId)
      .then(() => askForSync({ database }, projectId))
      .catch((error: unknown) => logger.warn({ err: error, projectId }, "a webhook was not passed on to a worker"));
  const following = createFollowing({
    ...remote,
    clock,
    logger,
    afterLook: (projectId) => void conversations.look(projectId),
  });
  const making = createProjectMaking({ ...remote, clock });
  const connecting = createConnecting({ ...remote, clock, logger });
  const sourceFollowing = createSourceFollowing({ ...remote, clock, logger });
  return {
    /** Dispatches to the code host of a project's repository. */
    codeHost,
    /** The embedded host, which also has pages and accepts pushes. */
    embedded,
    recentPullRequest: recentPullRequests.find,
    remote,
    /** Connections of repositories in progress, from the dashboard. */
    connecting,
    /** Creates projects for API callers. */
    making,
    /** What requests of the dashboard and the API begin; ends when `stack` is disposed. */
    keep(stack: AsyncDisposableStack) {
      own(stack, "connecting", connecting);
      own(stack, "projects in the making", making);
    },
    /** Follows connected projects and sources in the background, until `stack` is disposed. */
    follow(stack: AsyncDisposableStack, { makeReport }: { makeReport: MakePullRequestReport }) {
      own(stack, "reports of pull requests", reports.start(makeReport));
      own(stack, "conversations", conversations);
      own(stack, "following", following.start());
      own(stack, "sources", sourceFollowing.start());
    },
    webhooks: {
      findWebhook: (projectId: ProjectId) => findHostWebhook(remote, projectId),
      follow: hint,
      findAppWebhook: (appId: string) => findAppWebhook(remote, appId),
      async followApp(appId: string, about: { remoteId: string | null; installationId: string | null }) {
        for (const projectId of await findConnectedBy({ database }, appId, about)) hint(projectId);
      },
    },
  };
}

/** The name that addresses the agent in comments; null if comments are ignored. */
export function mentionName(project: Project | null): string | null {
  const name = project?.settings.mention ?? DEFAULT_MENTION;
  return project === null || name === "off" ? null : name;
}

/** How a project's host signs its webhook messages. */
async function findHostWebhook({ database, vault, apis }: RemoteHostDeps, projectId: ProjectId) {
  const state = await findConnectionState({ database }, projectId);
  const secret = await findWebhookSecret({ database, vault }, projectId);
  const api = state && apis[state.kind];
  return api && secret
    ? { secret, isSigned: (headers: Headers, hmac: Buffer) => api.isSigned(headers, secret, hmac) }
    : null;
}

/** How the single webhook of an app is signed. */
async function findAppWebhook({ hostApps }: RemoteHostDeps, appId: string) {
  const secret = await hostApps.webhookSecret(appId);
  return secret && { secret, isSigned: (headers: Headers, hmac: Buffer) => githubApi.isSigned(headers, secret, hmac) };
}

/** Composes the clients of remote hosts; commands use them, too. */
export const composeRemoteHosts = (
  speaker: Parameters<typeof composeHostCalls>[0],
  { database, repoStore, vault }: Pick<Store, "database" | "repoStore" | "vault">,
): RemoteHostDeps => ({
  database,
  repoStore,
  vault,
  ...composeHostCalls(speaker, { database, vault }),
  apis: APIS,
});
