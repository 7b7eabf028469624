import { setTimeout as sleep } from "node:timers/promises";
import type { RemoteKind } from "#hosts/code-host.ts";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { createGithubApps } from "#hosts/github/github-apps.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { findConnection } from "#hosts/remote/connections.ts";
import { createHostCalls } from "#hosts/remote/host-call.ts";
import type { HostApi } from "#hosts/remote/host-api.ts";
import type { RemoteHostDeps } from "#hosts/remote/reach-host.ts";
import { gitRemote } from "#hosts/remote/remote-code-host.ts";
import type { RepositoryOrigin } from "#git/mirror/mirrors.ts";
import type { Config } from "./instance/config.ts";
import type { Clock } from "#lib/clock.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";

/** Supported remote code hosts. Another one needs an entry here and a kind of its port. */
export const APIS: Record<RemoteKind, HostApi> = {
  github: githubApi,
  gitlab: gitlabApi,
  gitea: giteaApi,
  forgejo: forgejoApi,
};

interface Speaker {
  config: Pick<Config, "codeHosts">;
  clock: Clock;
  version: string;
}

type Stored = Pick<RemoteHostDeps, "database" | "vault">;

/** Composes the clients of code hosts. Each call creates its own cache of app tokens. */
export function composeHostCalls({ config, clock, version }: Speaker, { database, vault }: Stored) {
  const outboundHttp = createOutboundHttp({ ...config.codeHosts, isTargetPublic: true });
  const calls = createHostCalls({ outboundHttp, clock, version, sleep });
  const hostApps = createGithubApps({ database, vault, calls, outboundHttp, clock });
  return { outboundHttp, calls, sleep, hostApps };
}

/** Finds the remote of a connected project, from which its mirror fetches missing files. */
export function composeOrigins(speaker: Speaker, stored: Stored): RepositoryOrigin {
  const asking = composeHostCalls(speaker, stored);
  return async (projectId) => {
    const connection = await findConnection({ ...stored, ...asking }, projectId);
    return connection && gitRemote(asking, { connection, api: APIS[connection.kind] });
  };
}
