import { describe } from "vitest";
import { HMAC, testRemoteCodeHost } from "#hosts/remote/remote-code-host.contract.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { githubApi } from "./github-api.ts";

describe("a repository on GitHub", () => {
  testRemoteCodeHost({
    api: githubApi,
    start: startGithubServer,
    signature: ["X-Hub-Signature-256", `sha256=${HMAC}`],
    hasContract: true,
  });
});
