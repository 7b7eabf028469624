import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testCodeHost } from "#code-hosts/code-host.contract.ts";
import type { RemoteKind } from "#code-hosts/code-host.ts";
import { forgejoApi, giteaApi } from "#code-hosts/gitea/gitea-api.ts";
import { githubApi } from "#code-hosts/github/github-api.ts";
import { gitlabApi } from "#code-hosts/gitlab/gitlab-api.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGiteaServer } from "#testing/hosts/gitea-server.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { startGitlabServer } from "#testing/hosts/gitlab-server.ts";
import type { HostApi } from "./host-api.ts";

const FILES = { "index.md": "one\n", "guide.md": "guide\n" };
const SERVERS = {
  github: startGithubServer,
  gitlab: startGitlabServer,
  gitea: startGiteaServer,
  forgejo: startGiteaServer,
} satisfies Record<RemoteKind, typeof startGithubServer>;

// `printf body | openssl dgst -sha256 -hmac s3cret`
const HMAC = "63d7d468988fe3de60e994cf90f219719ea4b63df0ee7521079ed251fa76e83d";
const SIGNATURES: Record<RemoteKind, [string, string]> = {
  github: ["X-Hub-Signature-256", `sha256=${HMAC}`],
  gitlab: ["X-Gitlab-Token", "s3cret"],
  gitea: ["X-Gitea-Signature", HMAC],
  forgejo: ["X-Forgejo-Signature", HMAC],
};

describe.each([githubApi, gitlabApi, giteaApi, forgejoApi])("a repository on $name", (api: HostApi) => {
  const open = () => openConnectedHost({ kind: api.kind, api, server: SERVERS[api.kind](FILES) });

  testCodeHost(open);

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
});
