import { describe, expect, it, onTestFinished } from "vitest";
import { giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { systemClock } from "#lib/clock.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { createHostCalls } from "./host-call.ts";

const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });

describe.each([
  [
    githubApi,
    startGithubServer,
    "it lacks Contents and Pull requests “Read and write”",
    ["it lacks Pull requests “Read and write”"],
  ],
  [gitlabApi, startGitlabServer, "The token lacks the scope “api”; it has “read_api”", []],
  [giteaApi, startGiteaServer, "it lacks the permission “repository: Read and Write”", []],
] as const)("$name", (api, startServer, missing, partly) => {
  it("detects a read-only token, although its owner may write, and leaves nothing behind", async () => {
    const server = await startServer({ "index.md": "one\n" });
    onTestFinished(() => server[Symbol.asyncDispose]());
    server.state.readers.add("reader");
    const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "1", sleep: async () => undefined });
    const missingOf = async (token: string) => {
      const call = calls(api, { apiUrl: api.apiUrl(server.origin), token: new Secret(token) });
      return (await api.readRepository(call, "acme/docs", { isGranted: false }))?.missing;
    };
    expect(await missingOf("reader")).toEqual([expect.stringContaining(missing)]);
    expect(await missingOf(HOST_TOKEN)).toEqual([]);
    // A GitHub token may have one of the two permissions; the other hosts have nothing in between.
    server.state.lacks.set(HOST_TOKEN, ["/pulls"]);
    expect((await missingOf(HOST_TOKEN))?.map((text) => /it lacks .+?”/.exec(text)?.[0])).toEqual(partly);
    const { embedded, repository, repoStore } = server.parts;
    expect(await embedded.listPullRequests(repository, { state: "all", limit: 10, before: null })).toEqual([]);
    expect((await repoStore.branches(repository.projectId)).map(({ name }) => name)).toEqual(["main"]);
  });
});
