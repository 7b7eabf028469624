import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { testCodeHost } from "#code-hosts/code-host.contract.ts";
import type { RemoteKind } from "#code-hosts/code-host.ts";
import { forgejoApi, giteaApi } from "#code-hosts/gitea/gitea-api.ts";
import { githubApi } from "#code-hosts/github/github-api.ts";
import { gitlabApi } from "#code-hosts/gitlab/gitlab-api.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { startForgejoServer, startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { installGithubApp } from "#testing/hosts/installed-app.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import type { HostApi } from "./host-api.ts";

const FILES = { "index.md": "one\n", "guide.md": "guide\n" };
const SERVERS = {
  github: startGithubServer,
  gitlab: startGitlabServer,
  gitea: startGiteaServer,
  forgejo: startForgejoServer,
} satisfies Record<RemoteKind, typeof startGitlabServer>;

// `printf body | openssl dgst -sha256 -hmac s3cret`
const HMAC = "63d7d468988fe3de60e994cf90f219719ea4b63df0ee7521079ed251fa76e83d";
const SIGNATURES: Record<RemoteKind, [string, string]> = {
  github: ["X-Hub-Signature-256", `sha256=${HMAC}`],
  gitlab: ["X-Gitlab-Token", "s3cret"],
  gitea: ["X-Gitea-Signature", HMAC],
  forgejo: ["X-Forgejo-Signature", HMAC],
};

describe("a repository on GitHub, by an app's installation", () => {
  testCodeHost(() =>
    openConnectedHost({
      kind: "github",
      api: githubApi,
      server: startGithubServer(FILES),
      installOn: installGithubApp,
    }),
  );
});

describe.each([githubApi, gitlabApi, giteaApi, forgejoApi])("a repository on $name", (api: HostApi) => {
  const open = () => openConnectedHost({ kind: api.kind, api, server: SERVERS[api.kind](FILES) });

  // Gitea's requests are Forgejo's: the suite takes half a minute a host.
  if (LONG_TESTS || api !== giteaApi) testCodeHost(open);

  it("knows a webhook by its signature, and no other", () => {
    const secret = new Secret("s3cret");
    const hmac = createHmac("sha256", "s3cret").update("body").digest();
    const [name, value] = SIGNATURES[api.kind];
    expect(api.isSigned(new Headers({ [name]: value }), secret, hmac)).toBe(true);
    for (const wrong of ["", "s3cre", value.slice(0, -1), `${value.slice(0, -1)}0`]) {
      expect(api.isSigned(new Headers({ [name]: wrong }), secret, hmac)).toBe(false);
    }
    expect(api.isSigned(new Headers(), secret, hmac)).toBe(false);
  });

  it("is merged with title, description and trailers of its commits, without the preview's line", async () => {
    await using connected = await open();
    const { host, repository, repoStore, server } = connected;
    const main = (await host.fetchBranch(repository, "main"))!;
    const edits = [{ path: "index.md", content: Buffer.from("two\n") }];
    const commit = await repoStore.commit(repository.projectId, {
      tree: await repoStore.snapshot(repository.projectId, { base: main, edits }),
      parents: [main],
      message: "Edit\n\nJob: 7",
      author: { name: "Docent", email: "docent@example.com" },
      at: new Date(0),
    });
    await host.push(repository, { branch: "docent/one", commit, expected: null });
    const body = "**Preview:** http://preview.test/x\n\nBecause.";
    await host.ensurePullRequest(repository, {
      head: "docent/one",
      base: "main",
      title: "Change it",
      body,
      draft: false,
    });
    expect(await host.mergePullRequest(repository, 1, { expectedHead: commit })).toMatchObject({ ok: true });
    expect(server.state.merges).toEqual(["Change it (#1)\n\nBecause.\n\nJob: 7"]);
  });

  it("that answers with a page in place of itself is away, and has lost no branch", async () => {
    await using connected = await open();
    const { host, repository, repoStore, server } = connected;
    const main = await host.fetchBranch(repository, "main");
    const ref = "refs/heads/docent/one";
    await repoStore.updateRef(repository.projectId, { ref, to: main, expected: null });
    server.state.fault = () => new Response("<h1>We will be back</h1>", { headers: { "content-type": "text/html" } });
    await expect(host.getPullRequest(repository, 1)).rejects.toMatchObject({ code: "unavailable" });
    await expect(host.fetchBranch(repository, "docent/one")).rejects.toMatchObject({ code: "unavailable" });
    expect(await repoStore.resolve(repository.projectId, ref)).toBe(main);
  });

  it("shows nobody the token, though it repeats what it is sent", async () => {
    await using connected = await open();
    const { host, repository, server } = connected;
    const main = (await host.fetchBranch(repository, "main"))!;
    server.state.fault = (request) => {
      const said = ["authorization", "private-token"].map((name) => request.headers.get(name)).join(" ");
      const credentials = Buffer.from(said.split(" ")[1] ?? "", "base64").toString();
      return Response.json({ message: `${said} ${credentials}` }, { status: 403 });
    };
    const failures = await Promise.allSettled([
      host.getPullRequest(repository, 1),
      host.push(repository, { branch: "docent/one", commit: main, expected: null }),
    ]);
    const shown = inspect(failures, { depth: 9 });
    expect(failures.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(shown).not.toContain(HOST_TOKEN);
    expect(shown).not.toContain(Buffer.from(HOST_TOKEN).toString("base64").slice(4, 30));
  });

  it("gives git no commit and people no link that is none", async () => {
    await using connected = await open();
    const { host, repository, server } = connected;
    const answer = (change: object) => {
      const side = { ref: "x", sha: "a".repeat(40), repo: { full_name: "acme/docs" } };
      const sha = "a".repeat(40);
      const url = `${server.url}/pull/1`;
      const at = new Date(0).toISOString();
      // What the hosts call the same things.
      const names = { number: 1, iid: 1, html_url: url, web_url: url, node_id: "x", state: "closed", draft: false };
      const texts = { title: "x", body: "", description: "", source_branch: "x", target_branch: "main", sha };
      const ids = {
        source_project_id: 1,
        target_project_id: 1,
        merged: false,
        merged_at: null,
        merge_commit_sha: null,
      };
      server.state.fault = () =>
        Response.json({
          ...names,
          ...texts,
          ...ids,
          head: side,
          base: side,
          created_at: at,
          updated_at: at,
          ...change,
        });
    };
    answer({});
    expect(await host.getPullRequest(repository, 1)).toMatchObject({ number: 1, state: "closed" });
    const sha = "--output=/tmp/x";
    for (const hostile of [
      { html_url: "javascript:alert(1)", web_url: "javascript:alert(1)" },
      { sha, head: { ref: "x", sha, repo: null } },
      { created_at: "never" },
      { number: 1e300, iid: -1 },
    ]) {
      answer(hostile);
      await expect(host.getPullRequest(repository, 1)).rejects.toMatchObject({ code: "unavailable" });
    }
  });
});
