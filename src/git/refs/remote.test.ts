import { utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { githubApi } from "#hosts/github/github-api.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { silentLogger } from "#lib/logger.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { speakWith } from "./remote.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { GitError } from "#git/process/runner.ts";

/** A mirror of a host, with functions that move the host's branches. */
async function openMirror() {
  const server = startGithubServer({ "index.md": "one\n" });
  const connected = await openConnectedHost({ kind: "github", api: githubApi, server });
  const { repoStore, repository, server: host } = connected;
  const { projectId } = repository;
  const authorization = githubApi.gitAuthorization(new Secret(HOST_TOKEN));
  const remote = { url: `${host.url}.git`, authorization, addresses: [] };
  const there = host.parts;
  const move = async (content: string) => {
    const ref = "refs/heads/main";
    const expected = (await there.repoStore.resolve(there.repository.projectId, ref))!;
    const edits = [{ path: "index.md", content: Buffer.from(content) }];
    const to = await there.repoStore.commit(there.repository.projectId, {
      tree: await there.repoStore.snapshot(there.repository.projectId, { base: expected, edits }),
      parents: [expected],
      message: content,
      author: { name: "Ada", email: "ada@example.com" },
      at: new Date(0),
    });
    await there.repoStore.updateRef(there.repository.projectId, { ref, to, expected });
    return to;
  };
  /** Deletes the branch that the host's HEAD names; another branch remains. */
  const deleteMain = async () => {
    const ref = "refs/heads/main";
    const tip = (await there.repoStore.resolve(there.repository.projectId, ref))!;
    await there.repoStore.updateRef(there.repository.projectId, { ref: "refs/heads/other", to: tip, expected: null });
    await there.repoStore.updateRef(there.repository.projectId, { ref, to: null, expected: tip });
  };
  const fetch = (store = repoStore) => store.fetch(projectId, remote, ["main"]);
  const shown = () => repoStore.resolve(projectId, "refs/heads/main");
  const directory = repoStore.directory(projectId);
  return { connected, move, deleteMain, fetch, shown, directory };
}

it("a fetch moves a branch despite a lock that a killed git left in the mirror", async () => {
  const { connected, move, fetch, shown, directory } = await openMirror();
  await using _ = connected;
  await fetch();
  const tip = await move("two\n");
  const lock = path.join(directory, "refs/heads/main.lock");
  await writeFile(lock, "");
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(lock, hourAgo, hourAgo);
  expect((await fetch()).get("main")).toBe(tip);
  expect(await shown()).toBe(tip);
});

it("two processes can fetch the same branch at the same time", async () => {
  const { connected, move, fetch, shown, directory } = await openMirror();
  await using _ = connected;
  await using other = createRepoStore({ root: path.dirname(directory), logger: silentLogger });
  for (let round = 0; round < 8; round++) {
    const tip = await move(`${round}\n`);
    const found = await Promise.all([fetch(), fetch(other)]);
    expect(found.map((tips) => tips.get("main"))).toEqual([tip, tip]);
    expect(await shown()).toBe(tip);
  }
});

it("a fetch returns null for a main branch that was deleted at the host", async () => {
  const { connected, deleteMain, fetch } = await openMirror();
  await using _ = connected;
  await fetch();
  await deleteMain();
  expect((await fetch()).get("main")).toBeNull();
});

it.each([
  { stderr: "fatal: write error: No space left on device\nfatal: index-pack failed\n", reason: "full" },
  { stderr: "error: unable to create temporary file: Read-only file system\n", reason: "full" },
  { stderr: "remote: fatal: No space left on device\nfatal: early EOF\n", reason: "away" },
  { stderr: "fatal: mismatched algorithms: client sha1; server sha256\n", reason: "sha256" },
  { stderr: "fatal: Server does not support this repository's object format\n", reason: "sha256" },
])(
  "distinguishes a full local disk, a full remote one, and a remote with SHA-256: $reason",
  async ({ stderr, reason }) => {
    const run = () => Promise.reject(new GitError("fetch", 128, stderr));
    const remote = { url: "https://host.test/acme/docs.git", authorization: null, addresses: [] };
    await expect(speakWith({ run }, remote, { args: ["fetch"] })).rejects.toMatchObject({ reason });
  },
);
