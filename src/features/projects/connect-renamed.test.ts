import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { forgejoApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { createGithubApps } from "#hosts/github/github-apps.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { createHostCalls } from "#hosts/remote/host-call.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { createKeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { startForgejoServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { rename } from "#testing/hosts/renamed-repository.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { connectProject } from "./connect-project.ts";

test.each([
  ["github", githubApi, startGithubServer],
  ["gitlab", gitlabApi, startGitlabServer],
  ["forgejo", forgejoApi, startForgejoServer],
] as const)("a repository on %s is connected by its former name, under its new one", async (kind, api, start) => {
  await using made = new AsyncDisposableStack();
  const server = made.use(await start({ "index.md": "# Start\n" }));
  const { database } = made.use(await openTestDatabase("sqlite"));
  const directory = made.use(await createTestDirectory());
  const repoStore = made.use(createRepoStore({ root: directory.path, logger: silentLogger }));
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const sleep = async () => undefined;
  const calls = createHostCalls({ outboundHttp, clock: systemClock, sleep, version: "0.0.0" });
  const vault = createKeyVault(createSecretKey(randomBytes(32)));
  const shared = { database, repoStore, outboundHttp, calls, apis: { [kind]: api }, sleep, clock: systemClock, vault };
  rename(server.state, "other-team/handbook");
  const project = await connectProject(
    { ...shared, hostApps: createGithubApps(shared) },
    { name: "Acme", url: server.url, token: new Secret(HOST_TOKEN), kind, branch: null },
  );
  expect(project.sourceUrl).toBe(`${server.origin}/other-team/handbook`);
});
