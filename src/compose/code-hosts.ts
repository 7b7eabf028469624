import { setTimeout as sleep } from "node:timers/promises";
import type { CodeHost } from "#code-hosts/code-host.ts";
import { createCodeHosts } from "#code-hosts/code-hosts.ts";
import { createEmbeddedCodeHost, type EmbeddedCodeHost } from "#code-hosts/embedded/embedded-code-host.ts";
import { findConnectionState, findWebhookSecret } from "#code-hosts/remote/connections.ts";
import { createConnecting } from "#projects/connecting.ts";
import { createConversations } from "#code-hosts/remote/conversations.ts";
import { createFollowing } from "#code-hosts/remote/following.ts";
import { createHostCalls } from "#code-hosts/remote/host-call.ts";
import { createRecentPullRequests } from "#code-hosts/remote/recent-pull-requests.ts";
import { createRemoteCodeHost, type RemoteHostDeps } from "#code-hosts/remote/remote-code-host.ts";
import { createSourceFollowing } from "#code-hosts/sources/source-following.ts";
import { findJobPullRequests } from "#jobs/comments/comment-worker.ts";
import type { Config } from "#instance/config.ts";
import type { Clock } from "#lib/clock.ts";
import type { ProjectId } from "#lib/ids.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import type { Project } from "#projects/project.ts";
import { findProject } from "#projects/projects.ts";
import type { Context } from "./context.ts";
import { APIS } from "./host-apis.ts";
import type { Store } from "./store.ts";

const DEFAULT_MENTION = "docent";

export type CodeHosts = ReturnType<typeof composeCodeHosts>;

export function composeCodeHosts(
  { config, clock, logger, address, version, own }: Context,
  store: Pick<Store, "database" | "repoStore" | "vault">,
) {
  const { database, repoStore } = store;
  const embedded: EmbeddedCodeHost = createEmbeddedCodeHost({
    database,
    repoStore,
    clock,
    logger,
    baseUrl: address.baseUrl,
  });
  const remote = composeRemoteHosts({ config, clock, version }, store);
  const elsewhere = createRemoteCodeHost(remote);
  const codeHost: CodeHost = createCodeHosts({
    embedded,
    ...Object.fromEntries(Object.keys(APIS).map((kind) => [kind, elsewhere])),
  });
  const conversations = createConversations({
    ...remote,
    clock,
    logger,
    findOurs: (projectId, pullRequests) => findJobPullRequests({ database }, projectId, pullRequests),
    mentionName: async (projectId) => mentionName(await findProject({ database }, projectId)),
  });
  const following = createFollowing({ ...remote, clock, logger, afterLook: conversations.look });
  const connecting = createConnecting({ ...remote, clock, logger });
  const sourceFollowing = createSourceFollowing({ ...remote, clock, logger });
  return {
    /** Whichever host a project's repository is on. */
    codeHost,
    /** Docent's own, which has pages and takes pushes besides. */
    embedded,
    recentPullRequest: createRecentPullRequests({ codeHost, repoStore, clock }),
    remote,
    /** Repositories on their way in, from the dashboard. */
    connecting,
    /** Follows connected projects and sources in the background, until `stack` is disposed. */
    follow(stack: AsyncDisposableStack) {
      own(stack, "connecting", connecting);
      own(stack, "conversations", conversations);
      own(stack, "following", following.start());
      own(stack, "sources", sourceFollowing.start());
    },
    webhooks: {
      findWebhook: (projectId: ProjectId) => findHostWebhook(remote, projectId),
      follow(projectId: ProjectId) {
        following.hint(projectId);
      },
    },
  };
}

/** Null when none counts. */
function mentionName(project: Project | null): string | null {
  const name = project?.settings.mention ?? DEFAULT_MENTION;
  return project === null || name === "off" ? null : name;
}

/** How a webhook of a project's host is told from others. */
async function findHostWebhook({ database, vault, apis }: RemoteHostDeps, projectId: ProjectId) {
  const state = await findConnectionState({ database }, projectId);
  const secret = await findWebhookSecret({ database, vault }, projectId);
  const api = state && apis[state.kind];
  return api && secret
    ? { secret, isSigned: (headers: Headers, hmac: Buffer) => api.isSigned(headers, secret, hmac) }
    : null;
}

/** What it takes to speak with hosts elsewhere; commands have it, too. */
export function composeRemoteHosts(
  { config, clock, version }: { config: Pick<Config, "codeHosts">; clock: Clock; version: string },
  { database, repoStore, vault }: Pick<Store, "database" | "repoStore" | "vault">,
): RemoteHostDeps {
  const outboundHttp = createOutboundHttp(config.codeHosts);
  const calls = createHostCalls({ outboundHttp, clock, version, sleep });
  return { database, vault, repoStore, outboundHttp, calls, sleep, apis: APIS };
}
