import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { githubApi } from "#hosts/github/github-api.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { createStoredRepoStore } from "./stored-repo-store.ts";

const author = { name: "Docent", email: "docent@example.com" };
const at = new Date("2026-03-04T05:06:07Z");

it("reads a mirror on a node that did not fetch it, requesting only images from the host, and pushes from there", async () => {
  await using made = new AsyncDisposableStack();
  const server = startGithubServer({ "index.md": "one\n", "docs.json": "{}" });
  const { server: host } = made.use(await openConnectedHost({ kind: "github", api: githubApi, server }));
  const remote = {
    url: `${host.url}.git`,
    authorization: githubApi.gitAuthorization(new Secret(HOST_TOKEN)),
    addresses: [],
  };
  const { database } = made.use(await openTestDatabase("postgres"));
  const openNode = async () => {
    const { path: root } = made.use(await createTestDirectory());
    return made.use(
      createStoredRepoStore({ database, root, logger: silentLogger, origin: () => Promise.resolve(remote) }),
    );
  };
  const [a, b] = [await openNode(), await openNode()];
  const work = path.join(made.use(await createTestDirectory()).path, "work");
  await git(path.dirname(work), "clone", "--quiet", `${host.url.replace("://", `://any:${HOST_TOKEN}@`)}.git`, work);
  const picture = randomBytes(400_000);
  const commit = await commitFiles(work, { "guide.md": "# Guide\n", "images/big.png": picture }, "Guide");
  await git(work, "push", "--quiet", "origin", "HEAD:main");
  const project = newProjectId();
  await a.create(project, { branch: "main", blobs: "at-host" });
  await a.fetch(project, remote, ["main"]);

  const asked: string[] = [];
  host.state.fault = (request) => {
    if (request.url.includes("/git-")) asked.push(request.url);
    return null;
  };
  const read = async (store: typeof a, name: string) =>
    Buffer.from((await commitSnapshot(store, project, commit).read(name))!);
  expect(await b.resolve(project, "refs/heads/main")).toBe(commit);
  expect((await read(b, "guide.md")).toString()).toBe("# Guide\n");
  expect(asked).toEqual([]);
  expect(await read(b, "images/big.png")).toEqual(picture);
  expect(asked).not.toEqual([]);

  // Node B finishes a job whose step ran on node A.
  const edits = [{ path: "new.md", content: Buffer.from("# New\n") }];
  const tree = await a.snapshot(project, { base: commit, edits });
  const head = await b.commit(project, { tree, parents: [commit], message: "New", author, at });
  const pushed = await b.push(project, remote, { branch: "docent/new", commit: head, expected: null });
  expect(pushed).toEqual({ outcome: "pushed" });
  expect(await a.resolve(project, "refs/heads/docent/new")).toBe(head);
  expect((await a.changes(project, commit, head)).map((change) => change.path)).toEqual(["new.md"]);

  // Every pack is a stored one: no object that was fetched and stored is left twice.
  const packs = await readdir(path.join(a.directory(project), "objects", "pack"));
  const of = (kind: string) => packs.filter((name) => name.endsWith(kind)).map((name) => name.split(".")[0]);
  expect(of(".pack")).toEqual(of(".keep"));
  expect((await read(a, "guide.md")).toString()).toBe("# Guide\n");
  expect(await read(a, "images/big.png")).toEqual(picture);
});
