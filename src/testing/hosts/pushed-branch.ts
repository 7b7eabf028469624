import { expect } from "vitest";
import type { PullRequest, RemoteKind } from "#hosts/code-host.ts";
import type { HostApi } from "#hosts/remote/host-api.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { openConnectedHost } from "./connected-host.ts";
import { startForgejoServer, startGiteaServer } from "./gitea-server.ts";
import { startGithubServer } from "./github-server.ts";
import { startGitlabServer } from "./gitlab-server.ts";
import type { Fault } from "./host-server.ts";

const FILES = { "index.md": "one\n", "guide.md": "guide\n" };
const SERVERS: Record<RemoteKind, typeof startGitlabServer> = {
  github: startGithubServer,
  gitlab: startGitlabServer,
  gitea: startGiteaServer,
  forgejo: startForgejoServer,
};
export const PUSHED_BRANCH = "docent/one";

/**
 * A connected project whose branch `docent/one` is pushed but has no pull request yet. `waits`: the recorded sleeps.
 */
export async function openPushedBranch(api: HostApi) {
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const connected = await openConnectedHost({
    kind: api.kind,
    api,
    server: SERVERS[api.kind](FILES),
    sleep,
    isFetched: true,
  });
  const { host, repository, repoStore, server, main } = connected;
  const { embedded, repository: there } = server.parts;
  const commitFile = async (parent: ObjectId, path: string, content: string) =>
    repoStore.commit(repository.projectId, {
      tree: await repoStore.snapshot(repository.projectId, {
        base: parent,
        edits: [{ path, content: Buffer.from(content) }],
      }),
      parents: [parent],
      message: content,
      author: { name: "Docent", email: "docent@example.com" },
      at: new Date(0),
    });
  const commit = (parent: ObjectId, content: string) => commitFile(parent, "index.md", content);
  const head = await commit(main, "two\n");
  expect(await host.push(repository, { branch: PUSHED_BRANCH, commit: head, expected: null })).toEqual({
    outcome: "pushed",
  });
  const ensure = (change: { head?: string; title?: string; body?: string } = {}, by = host) =>
    by.ensurePullRequest(repository, {
      head: PUSHED_BRANCH,
      base: "main",
      title: "Change it",
      body: "Because.",
      draft: false,
      ...change,
    });
  return {
    ...connected,
    waits,
    head,
    commit,
    ensure,
    push: (to: ObjectId, expected: ObjectId | null) =>
      host.push(repository, { branch: PUSHED_BRANCH, commit: to, expected }),
    /** Opens a pull request for a further branch, which changes a file of its own. */
    async propose(branch: string): Promise<PullRequest> {
      const commit = await commitFile(main, `${branch}.md`, "new\n");
      await host.push(repository, { branch, commit, expected: null });
      const made = await ensure({ head: branch });
      if (made.outcome !== "created") throw new Error(`no pull request: ${made.outcome}`);
      return made.pullRequest;
    },
    find: () => host.findPullRequest(repository, PUSHED_BRANCH),
    /** The pull requests at the host, as `1 open`. */
    there: async () =>
      (await embedded.listPullRequests(there, { state: "all", limit: 9, before: null })).map(
        ({ number, state }) => `${number} ${state}`,
      ),
    tipThere: () => embedded.fetchBranch(there, PUSHED_BRANCH),
    break: (fault: Fault) => void (server.state.fault = fault),
    [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
  };
}
