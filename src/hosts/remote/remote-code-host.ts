import type { CodeHost, HostedRepository, PullRequest, PushOutcome } from "#hosts/code-host.ts";
import { squashMessage } from "#hosts/squash-message.ts";
import { isBranchName } from "#git/refs/references.ts";
import { type Remote, RemoteError } from "#git/refs/remote.ts";
import type { ObjectId } from "#git/repo-store.ts";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import type { Secret } from "#lib/secrets/secret.ts";
import { type Connection, recordRefusal } from "./connections.ts";
import type { HostApi, WantedPullRequest } from "./host-api.ts";
import { type HostCall, RepositoryMoved } from "./host-call.ts";
import { HEAD_MOVED, INDEXING_MS, mergeAtLast } from "./merge-at-last.ts";
import { type PullRequestWords, storable } from "./pull-request-words.ts";
import { readRefusal } from "./push-refusal.ts";
import {
  followingRename,
  type ReachedHost,
  reachHost,
  type RemoteHostDeps,
  type RenameDeps,
  requireSameRepository,
} from "./reach-host.ts";

/** Repositories on another host: a mirror here, pull requests there. Behaves the same for all hosts. */
export function createRemoteCodeHost(deps: RemoteHostDeps & RenameDeps): CodeHost {
  const { repoStore } = deps;
  const reach = ({ projectId }: HostedRepository) => reachHost(deps, projectId);
  type Reached = ReachedHost;

  async function fetchBranch(
    reached: Reached,
    { projectId, branch: published }: HostedRepository,
    branch: string,
  ): Promise<ObjectId | null> {
    const remote = await gitRemote(deps, reached);
    const beforeFetch = () => requireSameRepository(reached);
    const fetching = repoStore.fetch(projectId, remote, [branch], { beforeFetch });
    const found = (await inWords(reached.api, fetching)).get(branch) ?? null;
    // Except for the published branch: readers keep it until the project's people decide.
    if (found === null && branch !== published) {
      const ref = `refs/heads/${branch}`;
      const here = await repoStore.resolve(projectId, ref);
      if (here !== null) await repoStore.updateRef(projectId, { ref, to: null, expected: here });
    }
    return found;
  }

  /** Missing permissions of a token are shown at the connection, too. */
  async function recordingRefusal<T>(projectId: ProjectId, change: Promise<T>): Promise<T> {
    try {
      return await change;
    } catch (error) {
      const isRefusal = error instanceof AppError && error.code === "forbidden" && !(error instanceof RepositoryMoved);
      if (isRefusal) await recordRefusal(deps, projectId, error.message);
      throw error;
    }
  }

  async function get({ api, call, path }: Reached, number: number): Promise<PullRequest | null> {
    return isPullRequestNumber(number) ? api.getPullRequest(call, path, number) : null;
  }
  async function require(reached: Reached, number: number): Promise<PullRequest> {
    const found = await get(reached, number);
    if (!found) throw new AppError("not_found", `There is no pull request ${number}.`);
    return found;
  }
  async function find(
    { api, call, path }: Reached,
    head: string,
    { isFiltered } = { isFiltered: true },
  ): Promise<PullRequest | null> {
    // Filters are sometimes ignored (PyGithub 1566).
    const listed = await api.listPullRequests(call, path, isFiltered ? head : null);
    const all = listed.filter((one) => one.head.branch === head);
    const newestFirst = all.toSorted((a, b) => b.number - a.number);
    return newestFirst.find(({ state }) => state === "open") ?? newestFirst[0] ?? null;
  }

  async function updateIfChanged({ api, call, path }: Reached, current: PullRequest, wanted: PullRequestWords) {
    const { title, body, draft } = storable(api, wanted, current.head.branch);
    if (current.title === title && current.body === body && current.draft === draft) {
      return { outcome: "unchanged", pullRequest: current } as const;
    }
    const pullRequest = await api.updatePullRequest(call, path, current, { title, body, draft });
    return { outcome: "updated", pullRequest } as const;
  }

  const host: CodeHost = {
    // Every project on another host has one.
    repositoryUrl: (repository) => repository.url ?? "",
    async fetchBranch(repository, branch) {
      if (!isBranchName(branch)) return null;
      return fetchBranch(await reach(repository), repository, branch);
    },

    async push(repository, { branch, commit, expected }): Promise<PushOutcome> {
      if (!isBranchName(branch)) return { outcome: "denied", reason: "This is not a valid branch name." };
      const { projectId } = repository;
      if (expected !== null && (await repoStore.mergeBase(projectId, expected, commit)) !== expected) {
        return { outcome: "denied", reason: "The branch would lose commits." };
      }
      const reached = await reach(repository);
      const remote = await gitRemote(deps, reached);
      const pushing = inWords(reached.api, repoStore.push(projectId, remote, { branch, commit, expected }));
      const pushed = await recordingRefusal(projectId, pushing);
      if (pushed.outcome === "rejected") {
        const refusal = readRefusal(reached.api.name, pushed.reason);
        if (refusal.trouble !== null) await recordRefusal(deps, projectId, refusal.trouble);
        return refusal.push;
      }
      if (pushed.outcome === "pushed") {
        await recordRefusal(deps, projectId, null);
        return pushed;
      }
      // A push that is repeated after a crash finds its own result.
      const tip = await fetchBranch(reached, repository, branch);
      return tip === commit ? { outcome: "pushed" } : { outcome: "moved" };
    },

    async ensurePullRequest(repository, wanted) {
      if (wanted.head === wanted.base) return { outcome: "empty" };
      const reached = await reach(repository);
      const { api, call, path } = reached;
      const request: WantedPullRequest = { ...wanted, ...storable(api, wanted, wanted.head) };
      for (let look = 0; ; look++) {
        const made = await recordingRefusal(repository.projectId, api.createPullRequest(call, path, request));
        if (made.outcome === "denied") await recordRefusal(deps, repository.projectId, made.reason);
        if (made.outcome === "empty" || made.outcome === "denied") return made;
        if (made.outcome === "created" && (await isAskedFor(repository.projectId, made.pullRequest, request)))
          return made;
        if (made.outcome === "exists" || made.outcome === "created") {
          for (const isFiltered of [true, false]) {
            const found = await find(reached, wanted.head, { isFiltered });
            if (found?.state === "open") return updateIfChanged(reached, found, wanted);
          }
        } else if (look === 0) await requireBranches(reached, repository.projectId, [wanted.head, wanted.base]);
        // The host's lists may lag behind its other responses, and both behind the push.
        const waitMs = INDEXING_MS[look];
        if (waitMs === undefined) {
          throw new AppError("unavailable", `${api.name} does not show the branch ${wanted.head} yet.`);
        }
        await deps.sleep(waitMs);
      }
    },

    async updatePullRequest(repository, number, change) {
      const reached = await reach(repository);
      const current = await require(reached, number);
      if (current.state !== "open") return { outcome: "ended", pullRequest: current };
      return updateIfChanged(reached, current, change);
    },

    getPullRequest: async (repository, number) => get(await reach(repository), number),
    findPullRequest: async (repository, head) => find(await reach(repository), head),

    async mergePullRequest(repository, number, { expectedHead }) {
      const reached = await reach(repository);
      const { api, call, path } = reached;
      const current = await require(reached, number);
      if (current.state !== "open") {
        return { ok: false, reason: "not_open", detail: `The pull request is ${current.state}.` };
      }
      if (current.draft) return { ok: false, reason: "draft", detail: "The pull request is a draft." };
      if (expectedHead !== null && current.head.commit !== expectedHead) return HEAD_MOVED;
      const message = await mergeMessage(deps, { reached, projectId: repository.projectId, pullRequest: current });
      return mergeAtLast(api, current, {
        merge: () => api.mergePullRequest(call, path, current, message),
        read: () => get(reached, number),
        findConflicts: () => conflictsOf(repository.projectId, reached, current),
        sleep: deps.sleep,
      });
    },

    async closePullRequest(repository, number) {
      const reached = await reach(repository);
      const current = await require(reached, number);
      if (current.state === "open") await reached.api.closePullRequest(reached.call, reached.path, number);
    },
  };
  const follow = <Rest extends unknown[], T>(work: (repository: HostedRepository, ...rest: Rest) => Promise<T>) => {
    return async (repository: HostedRepository, ...rest: Rest): Promise<T> =>
      followingRename(deps, repository.projectId, () => work(repository, ...rest));
  };
  return {
    ...host,
    fetchBranch: follow(host.fetchBranch),
    push: follow(host.push),
    ensurePullRequest: follow(host.ensurePullRequest),
    updatePullRequest: follow(host.updatePullRequest),
    getPullRequest: follow(host.getPullRequest),
    findPullRequest: follow(host.findPullRequest),
    mergePullRequest: follow(host.mergePullRequest),
    closePullRequest: follow(host.closePullRequest),
  };

  /**
   * A host behind a cache or a proxy may respond with another pull request, or with the branch as it was before the
   * push.
   */
  async function isAskedFor(projectId: ProjectId, { head, base }: PullRequest, request: WantedPullRequest) {
    if (head.branch !== request.head || base.branch !== request.base) return false;
    const pushed = await repoStore.resolve(projectId, `refs/heads/${request.head}`);
    return pushed === null || head.commit === pushed || head.commit === "";
  }

  async function requireBranches(reached: Reached, projectId: ProjectId, branches: string[]): Promise<void> {
    const remote = await gitRemote(deps, reached);
    const found = await inWords(reached.api, repoStore.fetch(projectId, remote, branches));
    for (const branch of branches) {
      if (!found.get(branch)) throw new AppError("not_found", `There is no branch ${branch}.`);
    }
  }

  /** Files that conflict between two branches; computed here, since hosts do not name them. */
  async function conflictsOf(projectId: ProjectId, reached: Reached, { head, base }: PullRequest): Promise<string[]> {
    const remote = await gitRemote(deps, reached);
    const tips = await inWords(reached.api, repoStore.fetch(projectId, remote, [base.branch, head.branch]));
    const [ours, theirs] = [tips.get(base.branch), tips.get(head.branch)];
    if (!ours || !theirs) return [];
    const merged = await repoStore.mergeTrees(projectId, { ours, theirs });
    return merged.ok ? [] : merged.conflicts;
  }
}

const isPullRequestNumber = (number: number) => Number.isInteger(number) && number > 0 && number < 2 ** 31;

/** What git needs to reach a repository. `AppError forbidden` for an address that this server may not connect to. */
export async function gitRemote(
  { outboundHttp }: Pick<RemoteHostDeps, "outboundHttp">,
  { connection, api }: { connection: { url: string; token: Secret | null }; api: HostApi },
): Promise<Remote> {
  const url = `${connection.url}.git`;
  const target = await outboundHttp.findAddresses(url);
  if (!target.ok && target.reason !== "refused") {
    throw new AppError("unavailable", `${api.name} does not answer: ${target.message}`);
  }
  if (!target.ok) throw new AppError("forbidden", `${api.name} may not be reached: ${target.message}`);
  return {
    url,
    authorization: connection.token && api.gitAuthorization(connection.token),
    addresses: target.addresses,
  };
}

/** Converts git's failures into messages about the host. */
export async function inWords<T>(api: HostApi, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (!(cause instanceof RemoteError)) throw cause;
    const { reason } = cause;
    if (reason === "away") throw new AppError("unavailable", `${api.name} does not answer git.`, { cause });
    if (reason === "empty") {
      const message = `${api.name} shows no branch at all: the repository was emptied, or something else answers in its place.`;
      throw new AppError("unavailable", message, { cause });
    }
    if (reason === "full") {
      const message = `This server cannot keep what ${api.name} sends: its disk is full, or cannot be written. Its operator makes room.`;
      throw new AppError("unavailable", message, { cause });
    }
    if (reason === "refused") throw new RepositoryMoved(api.name, { cause });
    const message = {
      credential: `${api.name} refused the token: it is wrong, has expired, or may not read the repository.`,
      missing: `${api.name} has no such repository, or the token may not see it.`,
      sha256: `The repository at ${api.name} names its commits by SHA-256, which is not supported. Push its files into one that was created with SHA-1.`,
    }[reason];
    throw new AppError("forbidden", message, { cause });
  }
}

async function mergeMessage(
  deps: Pick<RemoteHostDeps, "repoStore" | "outboundHttp">,
  {
    reached,
    projectId,
    pullRequest,
  }: {
    reached: { connection: Connection; api: HostApi; call: HostCall };
    projectId: ProjectId;
    pullRequest: PullRequest;
  },
): Promise<{ subject: string; body: string }> {
  const { repoStore } = deps;
  const { head, base } = pullRequest;
  const remote = await gitRemote(deps, reached);
  const tips = await inWords(reached.api, repoStore.fetch(projectId, remote, [base.branch, head.branch]));
  const baseTip = tips.get(base.branch) ?? null;
  const commits = await repoStore.log(projectId, { base: baseTip, head: head.commit, limit: 100 });
  const [first] = commits.slice(-1);
  // The host sets the author of the merge itself, so no one is listed as a co-author.
  const author = first?.author ?? { name: "", email: "" };
  const [subject = "", ...rest] = squashMessage({ ...pullRequest, author }, commits).split("\n\n");
  return { subject, body: rest.join("\n\n") };
}
