import { expect, it, onTestFinished } from "vitest";
import type { HostedRepository, PullRequest } from "#hosts/code-host.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { newProjectId } from "#lib/ids.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { createRecentPullRequests } from "./recent-pull-requests.ts";

/** Pull request 1 of a connected project, on a host that a test can hang, with a clock that it sets. */
async function open() {
  const server = startGithubServer({ "index.md": "one\n" });
  const connected = await openConnectedHost({ kind: "github", api: githubApi, server });
  onTestFinished(() => connected[Symbol.asyncDispose]());
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
  const state = { isHanging: false, now: 0, asked: 0 };
  const getPullRequest = (_of: HostedRepository, number: number): Promise<PullRequest | null> => {
    state.asked += 1;
    return state.isHanging ? new Promise(() => undefined) : Promise.resolve(number === 1 ? pullRequest : null);
  };
  const codeHost = { ...connected.host, getPullRequest };
  const clock = { now: () => new Date(state.now) };
  const { find: recent, hint } = createRecentPullRequests({ codeHost, repoStore, clock, patienceMs: 1 });
  return { recent, hint, repository, pullRequest, state };
}

it("returns the last known pull request without waiting for a host that hangs, and sends it one request", async () => {
  const { recent, repository, pullRequest, state } = await open();
  expect(await recent(repository, 1)).toBe(pullRequest);
  expect(await recent(repository, 3)).toBeNull();
  state.isHanging = true;
  for (state.now = 60_000; state.now < 120_000; state.now += 20_000) {
    expect(await recent(repository, 1)).toBe(pullRequest);
    await expect(recent(repository, 2)).rejects.toMatchObject({ code: "unavailable" });
  }
  expect(state.asked).toBe(4);
});

it("a cached pull request of one project is not shown for another project's of the same number", async () => {
  const { recent, repository, pullRequest, state } = await open();
  expect(await recent(repository, 1)).toBe(pullRequest);
  state.isHanging = true;
  await expect(recent({ ...repository, projectId: newProjectId() }, 1)).rejects.toMatchObject({ code: "unavailable" });
});

it("is requested again at once after an event of the host in the project", async () => {
  const { recent, hint, repository, state } = await open();
  await recent(repository, 1);
  state.now = 1_000;
  await recent(repository, 1);
  expect(state.asked).toBe(1);
  hint(newProjectId());
  await recent(repository, 1);
  expect(state.asked).toBe(1);
  hint(repository.projectId);
  state.now = 1_001;
  await recent(repository, 1);
  await recent(repository, 1);
  expect(state.asked).toBe(2);
});
