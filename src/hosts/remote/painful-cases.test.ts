import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { type Fault, HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { openPushedBranch, PUSHED_BRANCH } from "#testing/hosts/pushed-branch.ts";
import { refusedPush } from "#testing/hosts/refused-push.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { findConnectionState } from "./connections.ts";
import type { HostApi } from "./host-api.ts";

// Known troubles of similar tools, from their issue trackers; each on the hosts where they occur.

const HEAD = PUSHED_BRANCH;

const isCreation = ({ method, url }: Request) => method === "POST" && /\/(pulls|merge_requests)$/.test(url);
const isList = ({ method, url }: Request) => method === "GET" && /\/(pulls|merge_requests)\?/.test(url);
const isCompare = ({ url }: Request) => url.includes("/compare");
const isGitPush = ({ method, url }: Request) => method === "POST" && url.endsWith("/git-receive-pack");
/** The first `count` requests of a kind get another response. */
const first = (count: number, isMeant: (request: Request) => boolean, answer: () => Response | "cut"): Fault => {
  let left = count;
  return (request) => (isMeant(request) && left-- > 0 ? answer() : null);
};
const isRest = ({ url }: Request) => url.includes("/api/");

// Forgejo gets the same requests as Gitea.
const TRIED = LONG_TESTS ? [githubApi, gitlabApi, giteaApi, forgejoApi] : [githubApi, gitlabApi, giteaApi];
/** Behavior that is the same on every host, or required by the contract: every run shows it on one host. */
const isShownBy = (api: HostApi) => LONG_TESTS || api === githubApi;

describe.each(TRIED)("$name", (api) => {
  it.runIf(isShownBy(api))(
    "has one pull request although the response to its creation was lost, and although others request it as well",
    async () => {
      await using run = await openPushedBranch(api);
      let lost = 0;
      run.break(async (request, answer) => {
        if (!isCreation(request) || lost++ > 0) return null;
        await answer();
        return "cut";
      });
      expect(await run.ensure()).toMatchObject({
        outcome: "unchanged",
        pullRequest: { number: 1, title: "Change it" },
      });
      expect(await run.ensure({}, run.secondHost())).toMatchObject({
        outcome: "unchanged",
        pullRequest: { number: 1 },
      });
      expect(await run.there()).toEqual(["1 open"]);
    },
  );

  it("is retried while it does not know a branch that it has accepted, and then reported", async () => {
    await using run = await openPushedBranch(api);
    const unknown = () =>
      api.kind === "github"
        ? Response.json({ message: "Validation Failed", errors: [{ field: "head", code: "invalid" }] }, { status: 422 })
        : Response.json({ message: "404 Not found" }, { status: 404 });
    const isLate = (request: Request) => (api.kind === "github" ? isCreation(request) : isCompare(request));
    run.break((request) => (isLate(request) ? unknown() : null));
    await expect(run.ensure()).rejects.toMatchObject({
      code: "unavailable",
      message: `${api.name} does not show the branch docent/one yet.`,
    });
    expect(run.waits.splice(0)).toEqual([500, 1_000, 2_000, 4_000, 8_000]);
    run.break(first(2, isLate, unknown));
    expect(await run.ensure()).toMatchObject({ outcome: "created" });
    expect(run.waits).toEqual([500, 1_000]);
    expect(await run.there()).toEqual(["1 open"]);
  });

  it("counts as unavailable, not as refusing, where a proxy's page answers for it with 200", async () => {
    await using run = await openPushedBranch(api);
    const page = () => new Response("<h1>Sign in to the network</h1>", { headers: { "content-type": "text/html" } });
    run.break((request) => (isCreation(request) ? page() : null));
    await expect(run.ensure()).rejects.toMatchObject({ code: "unavailable" });
    expect((await findConnectionState(run, run.repository.projectId))?.trouble).toBe(null);
    run.break(() => null);
    expect(await run.ensure()).toMatchObject({ outcome: "created" });
  });

  // The responses are in GitHub's form; the check of them applies to every host.
  it.runIf(api === githubApi)("is not trusted when it responds to a creation with another pull request", async () => {
    await using run = await openPushedBranch(api);
    const { number } = await run.propose("docent/other");
    const pulls = `${run.server.origin}/api/v3/repos/acme/docs/pulls`;
    const headers = { authorization: `Bearer ${HOST_TOKEN}` };
    const other = (await (await fetch(`${pulls}/${number}`, { headers })).json()) as { head: object };
    run.break(async (request, answer) => {
      if (!isCreation(request)) return null;
      await answer();
      return Response.json(other, { status: 201 });
    });
    expect(await run.ensure()).toMatchObject({ pullRequest: { number: 2, head: { branch: HEAD, commit: run.head } } });
    // Nor with the branch as it was before the push.
    const two = await run.commit(run.head, "three\n");
    await run.host.push(run.repository, { branch: "docent/late", commit: two, expected: null });
    run.break(async (request, answer) => {
      if (!isCreation(request)) return null;
      const made = (await (await answer()).json()) as typeof other;
      return Response.json({ ...made, head: { ...made.head, sha: run.head } }, { status: 201 });
    });
    const late = await run.ensure({ head: "docent/late" });
    expect(late).toMatchObject({ pullRequest: { number: 3, head: { branch: "docent/late", commit: two } } });
  });

  it.runIf(isShownBy(api))(
    "gets no pull request for a branch whose commits are on the base branch already",
    async () => {
      await using run = await openPushedBranch(api);
      const { head, main, server } = run;
      const { projectId } = server.parts.repository;
      await server.parts.repoStore.updateRef(projectId, { ref: "refs/heads/main", to: head, expected: main });
      expect(await run.ensure()).toEqual({ outcome: "empty" });
      expect(await run.there()).toEqual([]);
    },
  );

  it("gets the pause that it asks for, and no request for minutes", async () => {
    await using run = await openPushedBranch(api);
    run.break(first(1, isCreation, () => limited(api, "3")));
    expect(await run.ensure()).toMatchObject({ outcome: "created" });
    expect(run.waits).toEqual([3_000]);
    run.break((request) => (isRest(request) ? limited(api, "120") : null));
    await expect(run.find()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 120 });
    expect(run.waits).toEqual([3_000]);
  });

  it.runIf(isShownBy(api))("receives the writes of one token one after another", async () => {
    await using run = await openPushedBranch(api);
    await run.ensure();
    let atOnce = 0;
    let most = 0;
    run.break(async (request, answer) => {
      if (request.method === "GET" || !isRest(request)) return null;
      most = Math.max(most, ++atOnce);
      const answered = await answer();
      atOnce--;
      return answered;
    });
    const change = (title: string) => run.host.updatePullRequest(run.repository, 1, { title, body: "", draft: false });
    await Promise.all([change("A"), change("B"), change("C"), run.host.closePullRequest(run.repository, 1)]);
    expect(most).toBe(1);
  });

  it.runIf(isShownBy(api))("keeps the commits that people push to the agent's branch", async () => {
    await using run = await openPushedBranch(api);
    await using directory = await createTestDirectory();
    const address = run.server.url.replace("://", `://ada:${HOST_TOKEN}@`);
    await git(directory.path, "clone", "--quiet", "--branch", HEAD, `${address}.git`, "work");
    await commitFiles(`${directory.path}/work`, { "guide.md": "theirs\n" }, "Theirs");
    await git(`${directory.path}/work`, "push", "--quiet", "origin", HEAD);
    const otherCommit = await run.tipThere();
    expect(otherCommit).not.toBe(run.head);
    expect(await run.push(await run.commit(run.head, "three\n"), run.head)).toEqual({ outcome: "moved" });
    // Nor is a branch recreated that they have deleted.
    expect(await run.push(await run.commit(run.main, "three\n"), null)).toEqual({ outcome: "moved" });
    expect(await run.tipThere()).toBe(otherCommit);
  });

  it.runIf(isShownBy(api))("may lose the published branch: the mirror keeps it for the site", async () => {
    await using run = await openPushedBranch(api);
    const { parts } = run.server;
    const ref = "refs/heads/main";
    await parts.repoStore.updateRef(parts.repository.projectId, { ref, to: null, expected: run.main });
    expect(await run.host.fetchBranch(run.repository, "main")).toBeNull();
    expect(await run.repoStore.resolve(run.repository.projectId, ref)).toBe(run.main);
  });

  it.runIf(isShownBy(api))("keeps a pull request closed that people closed, and receives no push for it", async () => {
    await using run = await openPushedBranch(api);
    await run.ensure();
    await run.server.parts.embedded.closePullRequest(run.server.parts.repository, 1);
    run.server.state.requests.length = 0;
    const change = { title: "Other", body: "Other.", draft: true };
    expect(await run.host.updatePullRequest(run.repository, 1, change)).toMatchObject({
      outcome: "ended",
      pullRequest: { state: "closed", title: "Change it" },
    });
    expect(run.server.state.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(await run.ensure()).toMatchObject({ outcome: "created", pullRequest: { number: 2 } });
    expect(await run.there()).toEqual(["2 open", "1 closed"]);
  });

  it("is reported as refusing a token that expires during a push, without the token in the message", async () => {
    await using run = await openPushedBranch(api);
    run.break((request) => {
      if (isGitPush(request)) run.server.state.tokens.clear();
      return null;
    });
    const next = await run.commit(run.head, "three\n");
    const failures = [
      await run.push(next, run.head).catch((error: unknown) => error),
      await run.ensure().catch((error: unknown) => error),
    ];
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: "forbidden" });
      expect(String(failure)).toMatch(/refused the token: it is wrong,.* expired/);
      const all = inspect(failure, { depth: 9, showHidden: true });
      expect(all).not.toContain(HOST_TOKEN);
      expect(all).not.toContain(api.gitAuthorization(new Secret(HOST_TOKEN)).reveal());
    }
    expect(await run.tipThere()).toBe(run.head);
  });

  it("receives any text up to its limit, cut at whole characters", async () => {
    await using run = await openPushedBranch(api);
    const { maxBodyLength } = api.capabilities;
    // One unit before the limit, so that it falls inside the last surrogate pair.
    const body = `\0${"x".repeat(maxBodyLength - 1)}📘 and more`;
    const title = `\0${"t".repeat(248)}📘📘📘📘📘`;
    const sent: { title: string; body: string }[] = [];
    run.break(async (request) => {
      if (!isCreation(request)) return null;
      const { title, body, description } = (await request.json()) as Record<string, string>;
      sent.push({ title: title!, body: (body ?? description)! });
      return Response.json({ message: "Not today." }, { status: 403 });
    });
    expect(await run.ensure({ title, body })).toEqual({ outcome: "denied", reason: "Not today." });
    expect(sent.map((one) => one.title)).toEqual([`${"t".repeat(248)}📘📘📘`]);
    expect(sent.map((one) => one.body === "x".repeat(maxBodyLength - 1))).toEqual([true]);
  });

  it.runIf(isShownBy(api))("is fetched from concurrently into one mirror", async () => {
    await using run = await openPushedBranch(api);
    const tips = await Promise.all(
      Array.from({ length: 12 }, (_, index) => run.host.fetchBranch(run.repository, index % 2 === 0 ? "main" : HEAD)),
    );
    expect(tips).toEqual(Array.from({ length: 6 }, () => [run.main, run.head]).flat());
  });

  it("counts as having merged, although the response to that was lost", async () => {
    await using run = await openPushedBranch(api);
    await run.ensure();
    let lost = 0;
    run.break(async (request, answer) => {
      if (!request.url.endsWith("/merge") || lost++ > 0) return null;
      await answer();
      return "cut";
    });
    expect(await run.host.mergePullRequest(run.repository, 1, { expectedHead: run.head })).toMatchObject({ ok: true });
    expect(await run.there()).toEqual(["1 merged"]);
  });
});

/** How a host reports a rate limit: GitHub's secondary limits are a 403. */
const limited = ({ kind }: HostApi, seconds: string) =>
  kind === "github"
    ? Response.json(
        { message: "You have exceeded a secondary rate limit." },
        { status: 403, headers: { "retry-after": seconds } },
      )
    : new Response("Retry later", { status: 429, headers: { "retry-after": seconds } });

describe("GitHub's lists of pull requests", () => {
  it("are searched again when their filter is ignored, or returns a fork's branch", async () => {
    await using run = await openPushedBranch(githubApi);
    await run.ensure();
    run.break(async (request, answer) => {
      if (!isList(request)) return null;
      const [own] = (await (await answer()).json()) as { number: number; head: object }[];
      const others = [
        { ...own, number: 8, head: { ...own!.head, ref: "other" } },
        { ...own, number: 9, head: { ...own!.head, repo: { full_name: "fork/docs" } } },
        { ...own, number: 10, head: { ...own!.head, repo: null } },
      ];
      return Response.json([...others, own]);
    });
    expect(await run.find()).toMatchObject({ number: 1 });
    expect(await run.ensure()).toMatchObject({ outcome: "unchanged", pullRequest: { number: 1 } });
  });

  it("are read without their filter when it misses existing ones", async () => {
    await using run = await openPushedBranch(githubApi);
    await run.ensure();
    // As in a fork within the same organization.
    run.break((request) => (isList(request) && request.url.includes("head=") ? Response.json([]) : null));
    expect(await run.ensure()).toMatchObject({ outcome: "unchanged", pullRequest: { number: 1 } });
    expect(run.waits).toEqual([]);
  });

  it("come from the cache where the host responds that nothing changed, and never longer", async () => {
    await using run = await openPushedBranch(githubApi);
    await run.ensure();
    const statuses: number[] = [];
    run.break(async (request, answer) => {
      if (!isList(request)) return null;
      const text = await (await answer()).text();
      const etag = `"${Buffer.from(text).toString("base64").slice(-40)}${text.length}"`;
      const status = request.headers.get("if-none-match") === etag ? 304 : 200;
      statuses.push(status);
      return new Response(status === 304 ? null : text, { status, headers: { etag } });
    });
    expect(await run.find()).toMatchObject({ state: "open" });
    expect(await run.find()).toMatchObject({ state: "open" });
    await run.host.closePullRequest(run.repository, 1);
    expect(await run.find()).toMatchObject({ state: "closed" });
    expect(statuses).toEqual([200, 304, 200]);
  });
});

describe("GitLab's merge requests", () => {
  it("do not include one from a fork's branch of the same name", async () => {
    await using run = await openPushedBranch(gitlabApi);
    await run.ensure();
    run.break(async (request, answer) => {
      if (!isList(request)) return null;
      const [own] = (await (await answer()).json()) as object[];
      return Response.json([{ ...own, iid: 9, source_project_id: 815 }, own]);
    });
    expect(await run.find()).toMatchObject({ number: 1 });
  });

  it("are merged only once GitLab has checked whether they can be", async () => {
    await using run = await openPushedBranch(gitlabApi);
    await run.ensure();
    let requests = 0;
    run.break(async (request, answer) => {
      if (request.method !== "GET" || !request.url.endsWith("/merge_requests/1") || ++requests > 3) return null;
      return Response.json({ ...((await (await answer()).json()) as object), detailed_merge_status: "checking" });
    });
    expect(await run.host.mergePullRequest(run.repository, 1, { expectedHead: run.head })).toMatchObject({ ok: true });
    expect(run.waits).toEqual([500, 1_000]);
  });
});

describe("Gitea's list of pull requests", () => {
  it("is read past fifty newer ones of other branches", async () => {
    await using run = await openPushedBranch(giteaApi);
    await run.ensure();
    let all: { head: object }[] = [];
    run.break(async (request, answer) => {
      if (!isList(request)) return null;
      if (new URL(request.url).searchParams.get("page") === "2") return Response.json(all);
      all = (await (await answer()).json()) as typeof all;
      const [own] = all;
      const others = Array.from({ length: 50 }, (_, index) => index + 100);
      return Response.json(others.map((number) => ({ ...own, number, head: { ...own!.head, ref: "other" } })));
    });
    expect(await run.find()).toMatchObject({ number: 1 });
  });
});

it("a conflict that Gitea finds during the merge is reported with its files, and not as a moved branch", async () => {
  await using run = await openPushedBranch(giteaApi);
  await run.ensure();
  const otherCommit = await run.commit(run.main, "theirs\n");
  await run.host.push(run.repository, { branch: "main", commit: otherCommit, expected: run.main });
  // Gitea 1.24 responds with git's output when its check before the merge had found no conflict.
  const failure = { Style: "squash", StdOut: "CONFLICT (content): Merge conflict in index.md", StdErr: "", Err: {} };
  run.break((request) => (request.url.endsWith("/merge") ? Response.json(failure, { status: 409 }) : null));
  const merged = await run.host.mergePullRequest(run.repository, 1, { expectedHead: run.head });
  expect(merged).toMatchObject({ ok: false, reason: "conflict", paths: ["index.md"] });
});

const REFUSALS = [
  [
    githubApi,
    "error: GH006: Protected branch update failed for refs/heads/docent/one.",
    "protected branch hook declined",
    /^A rule protects this branch\. Ask an administrator .* GH006/,
  ],
  [
    githubApi,
    "error: GH013: Repository rule violations found for refs/heads/docent/one.\n- Changes must be made through a pull request.",
    "push declined due to repository rule violations",
    /^A rule protects this branch\. Ask an administrator .* GH013/,
  ],
  [
    githubApi,
    "error: GH013: Repository rule violations found.\n- Commits must have verified signatures.",
    "push declined due to repository rule violations",
    /^The host wants signed commits\. Ask an administrator/,
  ],
  [
    gitlabApi,
    "GitLab: You are not allowed to push code to protected branches on this project.",
    "pre-receive hook declined",
    /^A rule protects this branch\. Ask an administrator/,
  ],
  [
    gitlabApi,
    "GL-HOOK-ERR: Commit message must name an assigned issue.",
    "pre-receive hook declined",
    /^A rule of the host refused the push\. Ask an administrator .* It said: GL-HOOK-ERR: Commit message must name an assigned issue\./,
  ],
  [
    gitlabApi,
    "GitLab: Commit must be signed with a GPG key",
    "pre-receive hook declined",
    /^The host wants signed commits\. Ask an administrator/,
  ],
  [
    giteaApi,
    "Gitea: Not allowed to push to protected branch docent/one",
    "pre-receive hook declined",
    /^A rule protects this branch\. Ask an administrator/,
  ],
] as const;
/** One per host in every run: `push-refusal.test.ts` covers all messages. */
const isTold = ([api]: (typeof REFUSALS)[number], index: number) =>
  LONG_TESTS || REFUSALS.findIndex(([other]) => other === api) === index;

describe("a push that a rule refuses", () => {
  it.each(REFUSALS.filter(isTold))(
    "is reported as denied by $name with what a person can do: %s",
    async (api, said, reason, expected) => {
      await using run = await openPushedBranch(api);
      run.break((request) => (isGitPush(request) ? refusedPush(request, said, reason) : null));
      const refused = await run.push(await run.commit(run.head, "three\n"), run.head);
      expect(refused).toMatchObject({ outcome: "denied" });
      expect("reason" in refused && refused.reason).toMatch(expected);
      const state = () => findConnectionState(run, run.repository.projectId);
      expect((await state())?.trouble).toBe(`The last change was refused. ${"reason" in refused && refused.reason}`);
      run.break(() => null);
      expect(await run.push(await run.commit(run.head, "three\n"), run.head)).toEqual({ outcome: "pushed" });
      expect((await state())?.trouble).toBe(null);
    },
  );

  it.each([
    [githubApi, 403, "Repository was archived so is read-only."],
    [gitlabApi, 403, "403 Forbidden"],
    [giteaApi, 423, "Repo is archived"],
  ] as const)("is reported as denied by $name when the repository is archived", async (api, _status, said) => {
    await using run = await openPushedBranch(api);
    run.server.state.isArchived = true;
    run.break((request) =>
      request.url.endsWith("service=git-receive-pack")
        ? new Response("This repository was archived so it is read-only.\n", {
            status: 403,
            headers: { "content-type": "text/plain" },
          })
        : null,
    );
    const refused = await run.push(await run.commit(run.head, "three\n"), run.head);
    expect(refused).toMatchObject({ outcome: "denied" });
    expect("reason" in refused && refused.reason).toMatch(
      /^The repository is archived or read-only\. Ask its owner to open it\./,
    );
    expect(await run.ensure()).toEqual({ outcome: "denied", reason: said });
  });
});
