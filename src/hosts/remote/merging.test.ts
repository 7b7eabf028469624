import { describe, expect, it } from "vitest";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import type { Fault, MergeMethod } from "#testing/hosts/host-server.ts";
import { openPushedBranch } from "#testing/hosts/pushed-branch.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { INDEXING_MS } from "./merge-at-last.ts";

type Run = Awaited<ReturnType<typeof openPushedBranch>>;
const isMerge = ({ method, url }: Request) => method !== "GET" && url.endsWith("/merge");
const merge = (run: Run, number = 1) => run.host.mergePullRequest(run.repository, number, { expectedHead: null });
/** The first `count` merges get this response. */
const refuse = (count: number, status: number, body: unknown): Fault => {
  let left = count;
  return (request) => (isMerge(request) && left-- > 0 ? Response.json(body, { status }) : null);
};

const ALL: MergeMethod[] = ["squash", "merge", "rebase"];
const METHODS = [
  [githubApi, [["merge", "rebase"], ["rebase"]], ["merge", "rebase"]],
  [gitlabApi, [ALL, ["merge"], ["squash"]], ["squash", "merge", "squash"]],
  [forgejoApi, [["merge", "rebase"], ["rebase"]], ["merge", "rebase"]],
] as const;

it.each(METHODS)("$name merges by a method that the repository allows", async (api, allowed, expected) => {
  await using run = await openPushedBranch(api);
  for (const [index, methods] of allowed.entries()) {
    run.server.state.merging.methods = [...methods];
    const { number } = await run.propose(`docent/method-${index}`);
    expect(await merge(run, number)).toMatchObject({ ok: true });
  }
  expect(run.server.state.mergeMethods).toEqual(expected);
});

it("Gitea merges by the repository's default style, where that is allowed", async () => {
  await using run = await openPushedBranch(giteaApi);
  const { merging, mergeMethods } = run.server.state;
  merging.default = "rebase";
  await run.ensure();
  expect(await merge(run)).toMatchObject({ ok: true });
  merging.methods = ["merge"];
  const { number } = await run.propose("docent/two");
  expect(await merge(run, number)).toMatchObject({ ok: true });
  expect(mergeMethods).toEqual(["rebase", "merge"]);
});

it("GitLab does not squash a merge request whose authors turned squashing off", async () => {
  await using run = await openPushedBranch(gitlabApi);
  await run.ensure();
  run.break(async (request, answer) => {
    if (request.method !== "GET" || !request.url.endsWith("/merge_requests/1")) return null;
    return Response.json({ ...((await (await answer()).json()) as object), squash: false });
  });
  expect(await merge(run)).toMatchObject({ ok: true });
  expect(run.server.state.mergeMethods).toEqual(["merge"]);
});

it("GitLab's refusal is explained by the status of the merge request, since its response is not", async () => {
  await using run = await openPushedBranch(gitlabApi);
  await run.ensure();
  run.break(async (request, answer) => {
    if (isMerge(request)) return Response.json({ message: "405 Method Not Allowed" }, { status: 405 });
    if (request.method !== "GET" || !request.url.endsWith("/merge_requests/1")) return null;
    return Response.json({ ...((await (await answer()).json()) as object), detailed_merge_status: "not_approved" });
  });
  expect(await merge(run)).toEqual({ ok: false, reason: "blocked", detail: "It is not approved yet." });
});

it("GitHub merges with a method that the rules of the base branch allow, or says that no method is allowed", async () => {
  await using run = await openPushedBranch(githubApi);
  const { merging, mergeMethods } = run.server.state;
  await run.ensure();
  merging.byRules = ["merge"];
  merging.methods = ["squash", "rebase"];
  expect(await merge(run)).toEqual({
    ok: false,
    reason: "blocked",
    detail:
      "The settings of the repository and the rules of main together allow no way to merge. Ask an administrator to allow one.",
  });
  merging.methods = ["squash", "merge"];
  expect(await merge(run)).toMatchObject({ ok: true });
  expect(mergeMethods).toEqual(["merge"]);
});

const MOVED = [
  [githubApi, 405, "Base branch was modified. Review and try the merge again."],
  [giteaApi, 405, "Please try again later"],
  [forgejoApi, 409, "merge push out of date"],
] as const;

it.each(MOVED)("$name is retried when the base branch moves: %s %s", async (api, status, message) => {
  await using run = await openPushedBranch(api);
  await run.ensure();
  run.break(refuse(2, status, { message }));
  expect(await merge(run)).toMatchObject({ ok: true });
  expect(run.waits).toEqual(INDEXING_MS.slice(0, 2));
});

it("reports a base branch that keeps moving after a while", async () => {
  await using run = await openPushedBranch(githubApi);
  await run.ensure();
  run.break(refuse(99, 405, { message: "Base branch was modified. Review and try the merge again." }));
  expect(await merge(run)).toEqual({
    ok: false,
    reason: "blocked",
    detail:
      "GitHub asked to try again, and did so several times: Base branch was modified. Review and try the merge again.",
  });
  expect(run.waits).toEqual(INDEXING_MS);
});

describe.each(LONG_TESTS ? [giteaApi, forgejoApi] : [forgejoApi])("$name, by its source,", (api) => {
  it("distinguishes a new commit on the branch from a rule on the base branch", async () => {
    await using run = await openPushedBranch(api);
    await run.ensure();
    const reasonFor = async (status: number, message: string) => {
      run.break(refuse(1, status, { message }));
      const merged = await merge(run);
      return merged.ok ? "merged" : `${merged.reason}: ${merged.detail}`;
    };
    expect(await reasonFor(409, "head out of date")).toBe("head_moved: The branch has new commits.");
    expect(
      await reasonFor(
        409,
        "PushRejected with remote message: Gitea: Not allowed to push to protected branch refs/heads/main",
      ),
    ).toBe(
      "blocked: A rule of the repository refused the merge into main. It said: Gitea: Not allowed to push to protected branch refs/heads/main",
    );
    expect(await reasonFor(409, "PushRejected without remote error message")).toBe(
      "blocked: A rule of the repository refused the merge into main. It gave no reason.",
    );
    expect(await reasonFor(405, "User not allowed to merge PR")).toBe("blocked: User not allowed to merge PR");
    expect(run.waits).toEqual([]);
  });

  it("does not count a merge by others with commits that nobody reviewed as its own", async () => {
    await using run = await openPushedBranch(api);
    await run.ensure();
    const { embedded, repository } = run.server.parts;
    run.break(async (request) => {
      if (!isMerge(request)) return null;
      await run.push(await run.commit(run.head, "three\n"), run.head);
      await embedded.mergePullRequest(repository, 1, { expectedHead: null });
      return Response.json({ message: "head out of date" }, { status: 409 });
    });
    expect(await merge(run)).toMatchObject({ ok: false, reason: "head_moved" });
  });

  it("counts 403, 404 or 500 as a merge when only the deletion of the branch failed", async () => {
    await using run = await openPushedBranch(api);
    for (const status of [403, 404, 500]) {
      const { number } = await run.propose(`docent/deleted-${status}`);
      run.break(async (request, answer) => {
        if (!isMerge(request)) return null;
        await answer();
        return Response.json({ message: "branch not found" }, { status });
      });
      expect([status, (await merge(run, number)).ok]).toEqual([status, true]);
      run.break(() => null);
    }
  });

  it("does not count 404 or 500 as a merge while the pull request is open", async () => {
    await using run = await openPushedBranch(api);
    await run.ensure();
    for (const [status, code] of [
      [404, "not_found"],
      [500, "unavailable"],
    ] as const) {
      run.break(refuse(9, status, { message: "no" }));
      await expect(merge(run)).rejects.toMatchObject({ code });
    }
  });
});

describe("GitHub's merge queue", () => {
  it.each(["by rule", "by classic protection"] as const)("accepts the pull request, %s", async (queue) => {
    await using run = await openPushedBranch(githubApi);
    const { merging } = run.server.state;
    merging.queue = queue;
    await run.ensure();
    const queued = {
      ok: false,
      reason: "queued",
      detail: "It is in the merge queue of main: GitHub merges it when its turn comes and its checks pass.",
    };
    expect(await merge(run)).toEqual(queued);
    expect(merging.queued).toEqual([1]);
    expect(await merge(run)).toEqual(queued);
    expect(await run.there()).toEqual(["1 open"]);
  });

  it("says why it refuses one", async () => {
    await using run = await openPushedBranch(githubApi);
    run.server.state.merging.queue = "by rule";
    await run.ensure();
    run.break(async (request, answer) =>
      request.url.endsWith("/graphql") && (await request.clone().text()).includes("enqueuePullRequest")
        ? Response.json({ data: null, errors: [{ message: "Required checks have not passed" }] })
        : answer(),
    );
    expect(await merge(run)).toMatchObject({
      reason: "blocked",
      detail:
        "The base branch is changed through its merge queue only, and GitHub did not take it into the queue: Required checks have not passed",
    });
  });
});
