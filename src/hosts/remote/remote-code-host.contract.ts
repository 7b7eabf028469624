import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import { expect, it } from "vitest";
import { testCodeHost } from "#hosts/code-host.contract.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { HOST_TOKEN, type HostServer } from "#testing/hosts/host-server.ts";
import type { HostApi } from "./host-api.ts";

const FILES = { "index.md": "one\n", "guide.md": "guide\n" };
/** `printf body | openssl dgst -sha256 -hmac s3cret` */
export const HMAC = "63d7d468988fe3de60e994cf90f219719ea4b63df0ee7521079ed251fa76e83d";

export interface RemoteHostSuite {
  api: HostApi;
  start(files: Record<string, string>): Promise<HostServer>;
  /** The header that signs `body` with the secret `s3cret`. */
  signature: [name: string, value: string];
  /** False for a host whose requests are the same as another's: the contract of code hosts takes half a minute. */
  hasContract: boolean;
}

/** The tests that every host behind `HostApi` passes; called inside a `describe`. One file per host. */
export function testRemoteCodeHost({ api, start, signature, hasContract }: RemoteHostSuite): void {
  const open = () => openConnectedHost({ kind: api.kind, api, server: start(FILES), isFetched: true });
  if (hasContract) testCodeHost(open, { hasPushes: LONG_TESTS || api.kind === "gitlab" });

  it("accepts a webhook by its signature only", () => {
    const secret = new Secret("s3cret");
    const hmac = createHmac("sha256", "s3cret").update("body").digest();
    const [name, value] = signature;
    expect(api.isSigned(new Headers({ [name]: value }), secret, hmac)).toBe(true);
    for (const wrong of ["", "s3cre", value.slice(0, -1), `${value.slice(0, -1)}0`]) {
      expect(api.isSigned(new Headers({ [name]: wrong }), secret, hmac)).toBe(false);
    }
    expect(api.isSigned(new Headers(), secret, hmac)).toBe(false);
  });

  it("merges with title, description and trailers of the commits, without the preview's line", async () => {
    await using connected = await open();
    const { host, repository, repoStore, server, main } = connected;
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

  it("counts as unavailable when it responds with a page, and loses no branch", async () => {
    await using connected = await open();
    const { host, repository, repoStore, server, main } = connected;
    const ref = "refs/heads/docent/one";
    await repoStore.updateRef(repository.projectId, { ref, to: main, expected: null });
    server.state.fault = () => new Response("<h1>We will be back</h1>", { headers: { "content-type": "text/html" } });
    await expect(host.getPullRequest(repository, 1)).rejects.toMatchObject({ code: "unavailable" });
    await expect(host.fetchBranch(repository, "docent/one")).rejects.toMatchObject({ code: "unavailable" });
    expect(await repoStore.resolve(repository.projectId, ref)).toBe(main);
  });

  it("reveals the token to no one, though it echoes what it is sent", async () => {
    await using connected = await open();
    const { host, repository, server, main } = connected;
    server.state.fault = (request) => {
      const authorization = ["authorization", "private-token"].map((name) => request.headers.get(name)).join(" ");
      const credentials = Buffer.from(authorization.split(" ")[1] ?? "", "base64").toString();
      return Response.json({ message: `${authorization} ${credentials}` }, { status: 403 });
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

  it("passes no invalid commit to git and no invalid link to people", async () => {
    await using connected = await open();
    const { host, repository, server } = connected;
    const answer = (change: object) => {
      const side = { ref: "x", sha: "a".repeat(40), repo: { full_name: "acme/docs" } };
      const sha = "a".repeat(40);
      const url = `${server.url}/pull/1`;
      const at = new Date(0).toISOString();
      // The hosts' names for the same fields.
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
}
