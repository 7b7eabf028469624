import { describe } from "vitest";
import { HMAC, testRemoteCodeHost } from "#hosts/remote/remote-code-host.contract.ts";
import { startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { giteaApi } from "./gitea-api.ts";

describe("a repository on Gitea", () => {
  testRemoteCodeHost({
    api: giteaApi,
    start: startGiteaServer,
    signature: ["X-Gitea-Signature", HMAC],
    // Its requests are identical to Forgejo's.
    hasContract: LONG_TESTS,
  });
});
