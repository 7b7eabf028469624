import { describe } from "vitest";
import { HMAC, testRemoteCodeHost } from "#hosts/remote/remote-code-host.contract.ts";
import { startForgejoServer } from "#testing/hosts/gitea-server.ts";
import { forgejoApi } from "./gitea-api.ts";

describe("a repository on Forgejo", () => {
  testRemoteCodeHost({
    api: forgejoApi,
    start: startForgejoServer,
    signature: ["X-Forgejo-Signature", HMAC],
    hasContract: true,
  });
});
