import { describe } from "vitest";
import { testRemoteCodeHost } from "#hosts/remote/remote-code-host.contract.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { gitlabApi } from "./gitlab-api.ts";

describe("a repository on GitLab", () => {
  testRemoteCodeHost({
    api: gitlabApi,
    start: startGitlabServer,
    signature: ["X-Gitlab-Token", "s3cret"],
    hasContract: true,
  });
});
