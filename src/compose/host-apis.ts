import type { RemoteKind } from "#code-hosts/code-host.ts";
import { forgejoApi, giteaApi } from "#code-hosts/gitea/gitea-api.ts";
import { githubApi } from "#code-hosts/github/github-api.ts";
import { gitlabApi } from "#code-hosts/gitlab/gitlab-api.ts";
import { findConnection } from "#code-hosts/remote/connections.ts";
import type { HostApi } from "#code-hosts/remote/host-api.ts";
import { gitRemote } from "#code-hosts/remote/remote-code-host.ts";
import type { Database } from "#db/database.ts";
import type { RepositoryOrigin } from "#git/mirror/mirrors.ts";
import type { Config } from "#instance/config.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import type { KeyVault } from "#lib/secrets/key-vault.ts";

/** The hosts beside Docent's own. A further one is a line here, and a kind of its port. */
export const APIS: Record<RemoteKind, HostApi> = {
  github: githubApi,
  gitlab: gitlabApi,
  gitea: giteaApi,
  forgejo: forgejoApi,
};

/** Where the repositories of connected projects fetch the files from that their mirrors do not hold. */
export function composeOrigins(
  { config }: { config: Pick<Config, "codeHosts"> },
  stored: { database: Database; vault: KeyVault },
): RepositoryOrigin {
  const outboundHttp = createOutboundHttp(config.codeHosts);
  return async (projectId) => {
    const connection = await findConnection(stored, projectId);
    return connection && gitRemote({ outboundHttp }, { connection, api: APIS[connection.kind] });
  };
}
