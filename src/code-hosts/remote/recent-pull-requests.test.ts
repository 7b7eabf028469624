import { expect, it } from "vitest";
import type { HostedRepository, PullRequest } from "#code-hosts/code-host.ts";
import { githubApi } from "#code-hosts/github/github-api.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { createRecentPullRequests } from "./recent-pull-requests.ts";

it("a host that hangs is not waited for: its pull request is shown as it was seen last, and asked for once", async () => {
  const server = startGithubServer({ "index.md": "one\n" });
  await using connected = await openConnectedHost({ kind: "github", api: githubApi, server });
  const { repoStore, repository } = connected;
  const pullRequest: PullRequest = {
    number: 1,
    url: `${connected.server.url}/pull/1`,
    state: "closed",
    draft: false,
    title: "Change it",
    body: "",
    head: { branch: "docent/one", commit: "a".repeat(40) },
    base: { branch: "main" },
    mergedCommit: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
  };
  let isHanging = false;
  let now = 0;
  let asked = 0;
  const getPullRequest = (_of: HostedRepository, number: number): Promise<PullRequest | null> => {
    asked += 1;
    return isHanging ? new Promise(() => undefined) : Promise.resolve(number === 1 ? pullRequest : null);
  };
  const codeHost = { ...connected.host, getPullRequest };
  const clock = { now: () => new Date(now) };
  const recent = createRecentPullRequests({ codeHost, repoStore, clock, patienceMs: 1 });
  expect(await recent(repository, 1)).toBe(pullRequest);
  expect(await recent(repository, 3)).toBeNull();
  isHanging = true;
  for (now = 60_000; now < 120_000; now += 20_000) {
    expect(await recent(repository, 1)).toBe(pullRequest);
    await expect(recent(repository, 2)).rejects.toMatchObject({ code: "unavailable" });
  }
  expect(asked).toBe(4);
});
