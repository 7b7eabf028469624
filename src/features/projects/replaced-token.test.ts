import { createSecretKey, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { githubApi } from "#hosts/github/github-api.ts";
import { findConnection, findWebhookSecret } from "#hosts/remote/connections.ts";
import { createGithubApps } from "#hosts/github/github-apps.ts";
import { createHostCalls } from "#hosts/remote/host-call.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { createKeyVault } from "#lib/secrets/key-vault.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { connectProject, replaceProjectToken } from "./connect-project.ts";

test("a token can be replaced after the key that sealed the old one was lost", async () => {
  await using made = new AsyncDisposableStack();
  const server = made.use(await startGithubServer({ "index.md": "# Start\n" }));
  const { database } = made.use(await openTestDatabase("sqlite"));
  const directory = made.use(await createTestDirectory());
  const repoStore = made.use(createRepoStore({ root: directory.path, logger: silentLogger }));
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const calls = createHostCalls({ outboundHttp, clock: systemClock, sleep, version: "0.0.0" });
  const apis = { github: githubApi };
  const shared = { database, repoStore, outboundHttp, calls, apis, sleep, clock: systemClock };
  const withNewKey = () => {
    const vault = createKeyVault(createSecretKey(randomBytes(32)));
    return { ...shared, vault, hostApps: createGithubApps({ ...shared, vault }) };
  };
  const before = withNewKey();
  const token = new Secret(HOST_TOKEN);
  const project = await connectProject(before, { name: "Acme", url: server.url, token, kind: "github", branch: null });
  const webhookSecret = await findWebhookSecret(before, project.id);

  await replaceProjectToken(before, project, token);
  expect((await findWebhookSecret(before, project.id))?.reveal()).toBe(webhookSecret?.reveal());

  const after = withNewKey();
  await expect(findConnection(after, project.id)).rejects.toThrow("stored with another key");
  await replaceProjectToken(after, project, token);
  expect((await findConnection(after, project.id))?.token.reveal()).toBe(HOST_TOKEN);
  const madeAgain = await findWebhookSecret(after, project.id);
  expect(madeAgain?.reveal().length).toBe(webhookSecret?.reveal().length);
  expect(madeAgain?.reveal()).not.toBe(webhookSecret?.reveal());
});
