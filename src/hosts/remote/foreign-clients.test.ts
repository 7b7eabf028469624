import { Gitlab } from "@gitbeaker/rest";
import { Octokit } from "@octokit/core";
import { restEndpointMethods } from "@octokit/plugin-rest-endpoint-methods";
import { forgejoApi as createForgejoClient } from "forgejo-js";
import { giteaApi as createGiteaClient } from "gitea-js";
import { describe, expect, it } from "vitest";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startForgejoServer, startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";

// Third-party clients written for the real hosts: they understand what our adapters do, and our adapters understand
// what they do.

interface ForeignClient {
  read(number: number): Promise<{ title: string; state: string; head: string; draft: boolean; body: string }>;
  /** Numbers of the open pull requests. */
  open(): Promise<number[]>;
  create(pullRequest: { head: string; base: string; title: string; body: string }): Promise<number>;
  retitle(number: number, title: string): Promise<unknown>;
  close(number: number): Promise<unknown>;
  merge(number: number, head: ObjectId): Promise<unknown>;
}

const REPOSITORY = { owner: "acme", repo: "docs" };

function octokit({ origin }: HostServer): ForeignClient {
  const client = new (Octokit.plugin(restEndpointMethods))({ auth: HOST_TOKEN, baseUrl: `${origin}/api/v3` });
  const { pulls } = client.rest;
  return {
    async read(number) {
      const { data } = await pulls.get({ ...REPOSITORY, pull_number: number });
      const { title, state, merged_at, draft = false, body, head } = data;
      return { title, state: merged_at ? "merged" : state, head: head.ref, draft, body: body ?? "" };
    },
    open: async () => (await pulls.list(REPOSITORY)).data.map((one) => one.number),
    create: async (wanted) => (await pulls.create({ ...REPOSITORY, ...wanted })).data.number,
    retitle: (number, title) => pulls.update({ ...REPOSITORY, pull_number: number, title }),
    close: (number) => pulls.update({ ...REPOSITORY, pull_number: number, state: "closed" }),
    merge: (number, sha) => pulls.merge({ ...REPOSITORY, pull_number: number, merge_method: "squash", sha }),
  };
}

function gitbeaker({ origin, parts }: HostServer): ForeignClient {
  const { MergeRequests } = new Gitlab({ host: origin, token: HOST_TOKEN });
  const { path } = parts;
  return {
    async read(number) {
      const { title, state, source_branch, draft, description } = await MergeRequests.show(path, number);
      const plain = draft ? title.replace(/^Draft: /, "") : title;
      const states: Record<string, string> = { opened: "open" };
      return { title: plain, state: states[state] ?? state, head: source_branch, draft, body: description ?? "" };
    },
    open: async () => (await MergeRequests.all({ projectId: path, state: "opened" })).map(({ iid }) => iid),
    create: async ({ head, base, title, body }) =>
      (await MergeRequests.create(path, head, base, title, { description: body })).iid,
    retitle: (number, title) => MergeRequests.edit(path, number, { title }),
    close: (number) => MergeRequests.edit(path, number, { stateEvent: "close" }),
    merge: (number, sha) => MergeRequests.merge(path, number, { squash: true, sha }),
  };
}

/** gitea-js and forgejo-js have the same methods. */
function swagger(createClient: typeof createGiteaClient | typeof createForgejoClient) {
  return ({ origin }: HostServer): ForeignClient => {
    const { repos } = createClient(origin, { token: HOST_TOKEN });
    return {
      async read(number) {
        const { data } = await repos.repoGetPullRequest("acme", "docs", number);
        const { title = "", state = "", merged, draft = false, body = "", head } = data;
        const plain = draft ? title.replace(/^WIP: /, "") : title;
        return { title: plain, state: merged ? "merged" : state, head: head!.ref!, draft, body };
      },
      open: async () =>
        (await repos.repoListPullRequests("acme", "docs", { state: "open" })).data.map((one) => one.number!),
      create: async (wanted) => (await repos.repoCreatePullRequest("acme", "docs", wanted)).data.number!,
      retitle: (number, title) => repos.repoEditPullRequest("acme", "docs", number, { title }),
      close: (number) => repos.repoEditPullRequest("acme", "docs", number, { state: "closed" }),
      merge: (number, head) =>
        repos.repoMergePullRequest("acme", "docs", number, { Do: "squash", head_commit_id: head }),
    };
  };
}

describe.each([
  { client: "octokit", api: githubApi, start: startGithubServer, connect: octokit },
  { client: "gitbeaker", api: gitlabApi, start: startGitlabServer, connect: gitbeaker },
  { client: "gitea-js", api: giteaApi, start: startGiteaServer, connect: swagger(createGiteaClient) },
  { client: "forgejo-js", api: forgejoApi, start: startForgejoServer, connect: swagger(createForgejoClient) },
])("$client", ({ api, start, connect }) => {
  async function open() {
    const server = start({ "index.md": "one\n" });
    const connected = await openConnectedHost({ kind: api.kind, api, server, isFetched: true });
    const { host, repository, repoStore, main } = connected;
    const { projectId } = repository;
    const push = async (branch: string, path: string) => {
      const edits = [{ path, content: Buffer.from(`${branch}\n`) }];
      const tree = await repoStore.snapshot(projectId, { base: main, edits });
      const author = { name: "Docent", email: "docent@example.com" };
      const commit = await repoStore.commit(projectId, {
        tree,
        parents: [main],
        message: "x",
        author,
        at: new Date(0),
      });
      expect(await host.push(repository, { branch, commit, expected: null })).toEqual({ outcome: "pushed" });
      return commit;
    };
    const client = connect(await server);
    const ensure = (head: string, draft: boolean) =>
      host.ensurePullRequest(repository, { head, base: "main", title: `Title of ${head}`, body: "Because.", draft });
    return {
      client,
      push,
      ensure,
      get: (number: number) => host.getPullRequest(repository, number),
      find: (head: string) => host.findPullRequest(repository, head),
      merge: (number: number) => host.mergePullRequest(repository, number, { expectedHead: null }),
      close: (number: number) => host.closePullRequest(repository, number),
      update: (number: number, title: string, draft: boolean) =>
        host.updatePullRequest(repository, number, { title, body: "Because.", draft }),
      mainTip: () => host.fetchBranch(repository, "main"),
      [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose](),
    };
  }

  it("reads what the adapter opened, changed, merged and closed", async () => {
    await using run = await open();
    const { client } = run;
    await run.push("docent/one", "one.md");
    await run.push("docent/two", "two.md");
    expect(await run.ensure("docent/one", true)).toMatchObject({ outcome: "created" });
    expect(await run.ensure("docent/two", false)).toMatchObject({ outcome: "created" });
    const one = { title: "Title of docent/one", state: "open", head: "docent/one", body: "Because." };
    expect(await client.read(1)).toEqual({ ...one, draft: true });
    expect((await client.open()).toSorted((a, b) => a - b)).toEqual([1, 2]);
    await run.update(1, "Another title", false);
    expect(await client.read(1)).toEqual({ ...one, title: "Another title", draft: false });
    expect(await run.merge(1)).toMatchObject({ ok: true });
    expect(await client.read(1)).toMatchObject({ state: "merged" });
    await run.close(2);
    expect(await client.read(2)).toMatchObject({ state: "closed" });
    expect(await client.open()).toEqual([]);
  });

  it("opens, changes, closes and merges pull requests that the adapter sees and adopts", async () => {
    await using run = await open();
    const { client } = run;
    await run.push("people/one", "one.md");
    const head = await run.push("docent/two", "two.md");
    const one = { head: "people/one", base: "main", title: "By people", body: "So." };
    expect(await client.create(one)).toBe(1);
    expect(await client.create({ ...one, head: "docent/two" })).toBe(2);
    expect(await run.find("people/one")).toMatchObject({ number: 1, state: "open", title: "By people", body: "So." });
    await client.retitle(1, "By other people");
    expect(await run.get(1)).toMatchObject({ title: "By other people", draft: false });
    await client.close(1);
    expect(await run.get(1)).toMatchObject({ state: "closed", mergedCommit: null });
    // The branch has a pull request: it becomes the job's, and no second one is created.
    expect(await run.ensure("docent/two", false)).toMatchObject({ outcome: "updated", pullRequest: { number: 2 } });
    await client.merge(2, head);
    expect(await run.get(2)).toMatchObject({ state: "merged", mergedCommit: await run.mainTip() });
  });
});
