import { describe, expect, it, onTestFinished } from "vitest";
import type { RemoteKind } from "#hosts/code-host.ts";
import { forgejoApi, giteaApi } from "#hosts/gitea/gitea-api.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { gitlabApi } from "#hosts/gitlab/gitlab-api.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { createOutboundHttp } from "#lib/network/outbound-http.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startForgejoServer, startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { answerMark } from "./addressed.ts";
import { listRemarks } from "./connection-remarks.ts";
import { replaceToken } from "./connections.ts";
import { createConversations } from "./conversations.ts";
import type { HostApi } from "./host-api.ts";
import { createHostCalls } from "./host-call.ts";
import type { PreviewPosting } from "./preview-posts.ts";
import { createReportPosts } from "./report-posts.ts";
import type { PullRequestReport } from "./report-words.ts";
import { removeHostWebhook } from "./webhook-upkeep.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const SERVERS: Record<RemoteKind, typeof startGitlabServer> = {
  github: startGithubServer,
  gitlab: startGitlabServer,
  gitea: startGiteaServer,
  forgejo: startForgejoServer,
};

/** A connected project with an open pull request by someone else; `look` resolves after a look at the host. */
async function open(api: HostApi, how: PreviewPosting["how"], report: Partial<PullRequestReport> | null = null) {
  const address = "http://docent.localhost";
  const found = { summary: "1 page, 0 errors, 0 warnings", added: [], href: `${address}/report` };
  const shown = { report: report && { ...found, ...report } };
  const server = SERVERS[api.kind]({ "index.md": "one\n" });
  const connected = await openConnectedHost({ kind: api.kind, api, server, isFetched: true });
  onTestFinished(() => connected[Symbol.asyncDispose]());
  const { hostApps, host, repository, repoStore, database, vault, main } = connected;
  const { projectId } = repository;
  const push = async (text: string, parent: string, expected: string | null) => {
    const edits = [{ path: "index.md", content: Buffer.from(text) }];
    const tree = await repoStore.snapshot(projectId, { base: parent, edits });
    const author = { name: "Jane", email: "jane@example.com" };
    const commit = await repoStore.commit(projectId, {
      tree,
      parents: [parent],
      message: text,
      author,
      at: new Date(0),
    });
    await host.push(repository, { branch: "feature", commit, expected });
    return commit;
  };
  const head = await push("two\n", main, null);
  const wanted = { head: "feature", base: "main", title: "Mine", body: "", draft: false };
  await host.ensurePullRequest(repository, wanted);
  const outboundHttp = createOutboundHttp({ allow: ["127.0.0.1/32"] });
  const reach = () => {
    const calls = createHostCalls({ outboundHttp, clock: systemClock, version: "0.0.0", sleep: async () => undefined });
    return { database, vault, hostApps, calls, apis: { [api.kind]: api } };
  };
  const state = (await server).state;
  /** Each time as another process would. */
  const look = async () => {
    const reports = createReportPosts({ ...reach(), clock: systemClock, logger: silentLogger });
    await using _ = reports.start(async () => shown.report);
    const conversations = createConversations({
      ...reach(),
      reports,
      clock: systemClock,
      logger: silentLogger,
      findOurs: async () => new Set(),
      recordStates: async () => undefined,
      mentionName: async () => null,
      previewPosting: async () => ({ how, link: (number) => `${address}/pr-${number}?preview=key` }),
      redactFor: async () => (text) => text,
      webhookUrl: () => `${address}/git/${projectId}/webhook`,
    });
    await conversations.look(projectId);
    await conversations[Symbol.asyncDispose]();
    await reports.settled();
  };
  return {
    ...connected,
    state,
    reaching: reach(),
    head,
    push: (text: string, parent: string) => push(text, parent, parent),
    look,
    shown,
    remarks: async () => (await listRemarks({ database }, projectId)).map(({ about, text }) => `${about}: ${text}`),
  };
}

// Gitea's requests are identical to Forgejo's.
const TRIED = LONG_TESTS ? [githubApi, gitlabApi, giteaApi, forgejoApi] : [githubApi, gitlabApi, forgejoApi];

describe.each(TRIED)("at $name Docent", (api) => {
  it("posts the address of a preview once for each newest commit of an open pull request", async () => {
    const run = await open(api, "status");
    await run.look();
    await run.look();
    const status = { name: "docent/preview", url: "http://docent.localhost/pr-1?preview=key" };
    expect(run.state.notices.statuses).toMatchObject([{ commit: run.head, ...status }]);
    const next = await run.push("three\n", run.head);
    run.state.talk.say(run.state.talk.person("jane", "write"), 1, "Pushed more.");
    await run.look();
    expect(run.state.notices.statuses.map(({ commit }) => commit)).toEqual([run.head, next]);
    expect(await run.remarks()).toEqual([]);
  });

  it("posts it in one comment where the project is set to that, also when the host's response was lost", async () => {
    const run = await open(api, "comment");
    run.state.fault = async (request, answer) => {
      if (request.method !== "POST" || !/comments|notes/.test(request.url)) return null;
      run.state.fault = () => null;
      await answer();
      return "cut";
    };
    await run.look();
    await run.look();
    await run.look();
    expect(run.state.talk.of(1).map(({ body }) => body)).toEqual([
      expect.stringContaining("**Preview:** http://docent.localhost/pr-1?preview=key"),
    ]);
    expect(await run.remarks()).toEqual([]);
  });

  it("creates its webhook once, updates an old one, and removes it", async () => {
    const run = await open(api, "off");
    await run.look();
    await run.look();
    const [hook, ...others] = run.state.notices.webhooks;
    expect(others).toEqual([]);
    expect(hook!.url).toMatch(/\/git\/prj_\w+\/webhook$/);
    expect(hook!.secret).toBe("webhook-secret");
    expect(hook!.events.join()).toMatch(/push.*(?:pull_request|merge_requests)/);
    hook!.secret = "another";
    await replaceToken(run.reaching, run.repository.projectId, new Secret(HOST_TOKEN));
    await run.look();
    expect(run.state.notices.webhooks.map(({ secret }) => secret)).toEqual(["webhook-secret"]);
    await removeHostWebhook(run.reaching, run.repository.projectId);
    expect(run.state.notices.webhooks).toEqual([]);
  });

  it("leaves the repository's other webhooks alone", async () => {
    const run = await open(api, "off");
    const otherHook = { id: 1_000, url: "https://ci.example.com/hook", secret: "theirs", events: ["push"] };
    run.state.notices.webhooks.push({ ...otherHook });
    await run.look();
    expect(run.state.notices.webhooks).toHaveLength(2);
    await removeHostWebhook(run.reaching, run.repository.projectId);
    expect(run.state.notices.webhooks).toEqual([otherHook]);
  });

  it("redacts the secret of its webhook from a refusal that echoes the request", async () => {
    const run = await open(api, "off");
    run.state.fault = async (request) =>
      request.method === "POST" ? Response.json({ message: await request.text() }, { status: 422 }) : null;
    await run.look();
    expect(await run.remarks()).toEqual([expect.stringMatching(/^webhook: .*\[redacted\]/)]);
    expect((await run.remarks()).join()).not.toContain("webhook-secret");
  });

  it("creates one webhook although two processes try at once", async () => {
    const run = await open(api, "off");
    const both = Promise.withResolvers<null>();
    let requests = 0;
    run.state.fault = (request) => {
      if (request.method !== "POST" || !new URL(request.url).pathname.endsWith("/hooks")) return null;
      if (++requests === 2) both.resolve(null);
      return both.promise;
    };
    await Promise.all([run.look(), run.look()]);
    expect(requests).toBe(2);
    expect(run.state.notices.webhooks).toHaveLength(1);
    await removeHostWebhook(run.reaching, run.repository.projectId);
    expect(run.state.notices.webhooks).toEqual([]);
  });

  it("says once what its token may not do, and does not retry", async () => {
    const run = await open(api, "status");
    run.state.fault = (request) =>
      request.method === "POST" ? Response.json({ message: "not for you" }, { status: 403 }) : null;
    await run.look();
    expect(await run.remarks()).toEqual([
      expect.stringMatching(/^previews: .*not for you.*previewPosts/),
      expect.stringMatching(/^webhook: .*not for you.*docent projects webhook/),
    ]);
    const posts = () => run.state.requests.filter((one) => one.startsWith("POST")).length;
    const requests = posts();
    run.state.fault = () => null;
    await run.look();
    expect(posts()).toBe(requests);
    expect(await run.remarks()).toHaveLength(2);
  });

  it("finds its comment again after the database was restored from a backup, and not another project's comment", async () => {
    const run = await open(api, "comment");
    const preview = /\*\*Preview:\*\* (\S+)/;
    run.state.talk.say(
      run.state.talk.self,
      1,
      `**Preview:** http://other.localhost/pr-1?preview=x\n\n${answerMark("preview")}`,
    );
    await run.look();
    await run.database.kysely.deleteFrom("preview_post").execute();
    await run.database.kysely.updateTable("connection").set({ comments_seen_at: null }).execute();
    await run.look();
    expect(run.state.talk.of(1).map(({ body }) => preview.exec(body)?.[1])).toEqual([
      "http://other.localhost/pr-1?preview=x",
      "http://docent.localhost/pr-1?preview=key",
    ]);
  });

  it("keeps one row per pull request, however many pushes it gets", async () => {
    const run = await open(api, "status");
    await run.look();
    let head = run.head;
    for (const text of ["three\n", "four\n"]) {
      head = await run.push(text, head);
      run.state.talk.say(run.state.talk.person("jane", "write"), 1, "Pushed more.");
      await run.look();
    }
    expect(run.state.notices.statuses).toHaveLength(3);
    const rows = await run.database.kysely.selectFrom("preview_post").select("target").execute();
    expect(rows).toEqual([{ target: head }]);
  });

  it("posts previews although the host's webhook endpoints fail", async () => {
    const run = await open(api, "status");
    run.state.fault = (request) =>
      new URL(request.url).pathname.endsWith("/hooks") ? new Response("Oops", { status: 500 }) : null;
    await run.look();
    expect(run.state.notices.statuses).toHaveLength(1);
    expect(await run.remarks()).toEqual([expect.stringMatching(/^webhook: .*an error \(500\)/)]);
    run.state.fault = () => null;
    await run.look();
    expect(run.state.notices.webhooks).toHaveLength(1);
    expect(await run.remarks()).toEqual([]);
  });

  it("posts the result of the check as a status of the newest commit, once and never as a failure", async () => {
    const run = await open(api, "status", { summary: "12 pages, 1 error, 3 warnings" });
    await run.look();
    await run.look();
    expect(run.state.notices.statuses).toEqual([
      expect.objectContaining({ name: "docent/preview" }),
      {
        commit: run.head,
        name: "docent/check",
        url: "http://docent.localhost/report",
        outcome: "success",
        description: "12 pages, 1 error, 3 warnings",
      },
    ]);
    expect(await run.remarks()).toEqual([]);
  });

  it("posts it at a later look when the report could not be created at first", async () => {
    const run = await open(api, "status");
    await run.look();
    expect(run.state.notices.statuses).toHaveLength(1);
    run.shown.report = { summary: "1 page, 0 errors, 0 warnings", added: [], href: "http://docent.localhost/report" };
    await run.look();
    expect(run.state.notices.statuses.map(({ name }) => name)).toEqual(["docent/preview", "docent/check"]);
  });

  it("writes new problems into the one comment, with links to the lines, and updates it with the next commit", async () => {
    const added = [{ severity: "error" as const, path: "guides/a b.mdx", line: 7, message: "/x leads nowhere." }];
    const run = await open(api, "comment", { summary: "12 pages, 1 error, 0 warnings", added });
    await run.look();
    await run.look();
    const [comment, ...others] = run.state.talk.of(1);
    expect(others).toEqual([]);
    const viewer = { github: "blob", gitlab: "-/blob", gitea: "src/commit", forgejo: "src/commit" }[api.kind];
    expect(comment!.body).toContain("**Preview:** http://docent.localhost/pr-1?preview=key");
    expect(comment!.body).toContain("12 pages, 1 error, 0 warnings. [All problems](http://docent.localhost/report)");
    expect(comment!.body).toContain(`/${viewer}/${run.head}/guides/a%20b.mdx?`);
    expect(comment!.body).toMatch(/- \*\*error\*\* \[` guides\/a b\.mdx:7 `\]\(\S+#L7\) ` \/x leads nowhere\. `/);
    await run.push("three\n", run.head);
    run.state.talk.say(run.state.talk.person("jane", "write"), 1, "Pushed more.");
    run.shown.report = { ...run.shown.report!, summary: "12 pages, 0 errors, 0 warnings", added: [] };
    await run.look();
    const bodies = run.state.talk.of(1).map(({ body }) => body);
    expect(bodies).toEqual([expect.stringContaining("This pull request adds none."), "Pushed more."]);
  });

  it("posts no new comment after the one with the preview was deleted", async () => {
    const run = await open(api, "comment");
    await run.look();
    const [comment] = run.state.talk.of(1);
    comment!.body = "(deleted)";
    run.shown.report = {
      summary: "1 page, 1 error, 0 warnings",
      added: [{ severity: "error", path: "index.md", line: null, message: "No." }],
      href: "http://docent.localhost/report",
    };
    await run.look();
    expect(run.state.talk.of(1).map(({ body }) => body)).toEqual(["(deleted)"]);
  });
});

it("posts no address that only this machine can reach to a host on another machine", async () => {
  const run = await open(githubApi, "status");
  const url = "https://git.example.com/acme/docs";
  await run.database.kysely.updateTable("connection").set({ url }).execute();
  await run.look();
  expect(run.state.notices).toEqual({ webhooks: [], statuses: [] });
  expect(await run.remarks()).toEqual([]);
});

it("the first look at one project does not count for another", async () => {
  const run = await open(githubApi, "off");
  const other = await run.connectAnother("other");
  await run.look();
  const seen = run.database.kysely.selectFrom("connection").select("project_id").where("comments_seen_at", "is", null);
  expect(await seen.execute()).toEqual([{ project_id: other }]);
});

it("posts no preview for pull requests of forks on Forgejo", async () => {
  const run = await open(forgejoApi, "status");
  run.state.fault = async (request, answer) => {
    if (!request.url.includes("sort=recentupdate")) return null;
    const [own] = (await (await answer()).json()) as { head: object }[];
    return Response.json([{ ...own, number: 9, head: { ...own!.head, repo: { full_name: "fork/docs" } } }, own]);
  };
  await run.look();
  const urls = run.state.notices.statuses.map(({ url }) => url);
  expect(urls).toEqual(["http://docent.localhost/pr-1?preview=key"]);
});
