import { createSecretKey, randomBytes } from "node:crypto";
import { createGithubApps } from "#hosts/github/github-apps.ts";
import { connectionRow } from "#hosts/remote/connections.ts";
import { createHostCalls } from "#hosts/remote/host-call.ts";
import { createRemoteCodeHost } from "#hosts/remote/remote-code-host.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { createKeyVault } from "#lib/secrets/key-vault.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { runSubprocess } from "#lib/subprocess.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { CodeHostHarness } from "#hosts/code-host.contract.ts";
import type { CodeHost, PullRequest } from "#hosts/code-host.ts";
import { type HostApi, repositoryPath } from "#hosts/remote/host-api.ts";
import { isBranchName } from "#git/refs/references.ts";
import { Secret } from "#lib/secrets/secret.ts";

export interface LiveRepository {
  api: HostApi;
  /** Web address of a repository with a branch `main`, which must not be used for anything else. */
  url: string;
  token: Secret;
  /** Address ranges to allow in addition to public ones. */
  allow: readonly string[];
}

/**
 * A repository on a real host in the form that the contract needs: branches below a prefix of its own, with a `main` of
 * two files and pull requests counted from 1. On disposal its open pull requests are closed and its branches deleted,
 * as far as possible; closed and merged pull requests stay.
 */
export async function openLiveHost({ api, url, token, allow }: LiveRepository): Promise<CodeHostHarness> {
  await using made = new AsyncDisposableStack();
  const connected = made.use(await connect({ api, url, token, allow }));
  const { repoStore, repository } = connected;
  const prefix = `docent-live/${randomBytes(5).toString("hex")}`;
  const seen = { offset: null as number | null, branches: new Set<string>() };
  const there = (branch: string) => {
    // Invalid names stay invalid.
    if (!isBranchName(branch)) return branch;
    seen.branches.add(`${prefix}/${branch}`);
    return `${prefix}/${branch}`;
  };
  const here = (branch: string) => branch.replace(`${prefix}/`, "");
  // Before the first is created, returns a number that no host assigns.
  const numberThere = (number: number) =>
    number > 0 && number < 1_000 ? number + (seen.offset ?? 1_000_000_000) : number;
  const shown = (one: PullRequest): PullRequest => {
    seen.offset ??= one.number - 1;
    const { head, base } = one;
    return {
      ...one,
      number: one.number - seen.offset,
      head: { ...head, branch: here(head.branch) },
      base: { branch: here(base.branch) },
    };
  };
  const within = <T extends { outcome: string }>(made: T): T =>
    "pullRequest" in made ? { ...made, pullRequest: shown(made.pullRequest as PullRequest) } : made;

  const lens = (host: CodeHost): CodeHost => ({
    repositoryUrl: (it) => host.repositoryUrl(it),
    fetchBranch: (it, branch) => host.fetchBranch(it, there(branch)),
    push: (it, push) => host.push(it, { ...push, branch: there(push.branch) }),
    ensurePullRequest: async (it, wanted) =>
      within(await host.ensurePullRequest(it, { ...wanted, head: there(wanted.head), base: there(wanted.base) })),
    updatePullRequest: async (it, number, change) =>
      within(await host.updatePullRequest(it, numberThere(number), change)),
    async getPullRequest(it, number) {
      const found = await host.getPullRequest(it, numberThere(number));
      return found && shown(found);
    },
    async findPullRequest(it, head) {
      const found = await host.findPullRequest(it, there(head));
      return found && shown(found);
    },
    mergePullRequest: (it, number, options) => host.mergePullRequest(it, numberThere(number), options),
    closePullRequest: (it, number) => host.closePullRequest(it, numberThere(number)),
  });

  const host = lens(connected.host);
  const main = await makeMain();
  made.defer(async () => {
    for (const branch of seen.branches) {
      const open = await connected.host.findPullRequest(repository, branch);
      if (open?.state === "open") await connected.host.closePullRequest(repository, open.number);
    }
    await connected.deleteBranches([...seen.branches]);
  });
  const owned = made.move();
  return {
    host,
    secondHost: () => lens(connected.secondHost()),
    repoStore,
    repository,
    main,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };

  async function makeMain(): Promise<ObjectId> {
    const { projectId } = repository;
    const tip = await connected.host.fetchBranch(repository, "main");
    if (tip === null) throw new Error(`${url} has no branch main.`);
    const old = (await repoStore.tree(projectId, tip)).map(({ path }) => ({ path, content: null }));
    const files = { "index.md": "one\n", "guide.md": "guide\n" };
    const edits = Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) }));
    const tree = await repoStore.snapshot(projectId, {
      base: tip,
      edits: [...old.filter(({ path }) => !Object.hasOwn(files, path)), ...edits],
    });
    const author = { name: "Docent", email: "docent@example.com" };
    const options = { tree, parents: [tip], message: "Begin", author, at: new Date() };
    const commit = await repoStore.commit(projectId, options);
    const pushed = await host.push(repository, { branch: "main", commit, expected: null });
    if (pushed.outcome !== "pushed") throw new Error(`${url} takes no push: ${JSON.stringify(pushed)}`);
    return commit;
  }
}

/** A project of Docent that is connected to it, and both clients of its host. */
async function connect({ api, url, token, allow }: LiveRepository) {
  await using made = new AsyncDisposableStack();
  const { database } = made.use(await openTestDatabase("sqlite"));
  const directory = made.use(await createTestDirectory());
  const origin = async () => ({ url: `${url}.git`, authorization: api.gitAuthorization(token), addresses: [] });
  const repoStore = made.use(createRepoStore({ root: directory.path, logger: silentLogger, origin }));
  const vault = createKeyVault(createSecretKey(randomBytes(32)));
  const { kind } = api;
  const projectId = await insertTestProject(database, "acme");
  await database.kysely.updateTable("project").set({ code_host: kind }).where("id", "=", projectId).execute();
  const apiUrl = api.apiUrl(new URL(url).origin);
  const outboundHttp = createOutboundHttp({ allow: [...allow] });
  const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep });
  const located = await api.locateRepository(calls(api, { apiUrl, token }), { path: repositoryPath(url) });
  if (!located) throw new Error(`There is no repository at ${url}, or the token may not see it.`);
  const connection = { projectId, url, apiUrl, remoteId: located.id, credential: { token } };
  const row = connectionRow({ vault, clock: systemClock }, connection, new Secret("webhook-secret"));
  await database.kysely.insertInto("connection").values(row).execute();
  await repoStore.create(projectId, { branch: "main", blobs: "at-host" });
  const create = () => {
    const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep });
    const hostApps = createGithubApps({ database, vault, calls, outboundHttp, clock: systemClock });
    const apis = { [kind]: api };
    return createRemoteCodeHost({
      database,
      vault,
      repoStore,
      outboundHttp,
      calls,
      sleep,
      hostApps,
      apis,
      logger: silentLogger,
    });
  };
  const env = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${api.gitAuthorization(token).reveal()}`,
  };
  const deleteBranches = async (branches: readonly string[]) => {
    await git(directory.path, "init", "--quiet", "deleting");
    const cwd = `${directory.path}/deleting`;
    for (const branch of branches) {
      // Deleting a branch that no longer exists, as after a merge, is an error.
      const args = ["push", "--quiet", `${url}.git`, "--delete", branch];
      await runSubprocess({ command: "git", args, cwd, env, timeoutMs: 60_000, maxOutputBytes: 100_000 });
    }
  };
  const owned = made.move();
  return {
    host: create(),
    secondHost: create,
    repoStore,
    repository: { projectId, codeHost: kind, slug: "acme", url, branch: "main" },
    deleteBranches,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
