import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { githubApi } from "#hosts/github/github-api.ts";
import { commitSnapshot } from "#git/commit-snapshot.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { openConnectedHost } from "#testing/hosts/connected-host.ts";
import { startGithubServer } from "#testing/hosts/github-server.ts";
import { HOST_TOKEN } from "#testing/hosts/host-server.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";

const AUTHOR = { name: "Ada", email: "ada@example.com" };

/** A host with pages and images, and a local mirror of it; `work` is a person's clone. */
async function openMirror() {
  await using stack = new AsyncDisposableStack();
  const files = { "index.md": "one\n", "docs.json": "{}" };
  const server = startGithubServer(files);
  const connected = stack.use(await openConnectedHost({ kind: "github", api: githubApi, server }));
  const { repoStore, repository, server: host } = connected;
  const { projectId } = repository;
  const remote = {
    url: `${host.url}.git`,
    authorization: githubApi.gitAuthorization(new Secret(HOST_TOKEN)),
    addresses: [],
  };
  const directory = stack.use(await createTestDirectory()).path;
  // The same commit as the host's, which is quicker than a clone.
  const { path: work } = stack.use(await createTestRepository(files));
  await git(work, "remote", "add", "origin", `${host.url.replace("://", `://any:${HOST_TOKEN}@`)}.git`);
  const publish = async (files: Parameters<typeof commitFiles>[1], branch = "main") => {
    const commit = await commitFiles(work, files, "Change");
    await git(work, "push", "--quiet", "origin", `HEAD:${branch}`);
    return commit;
  };
  const fetch = async (...branches: string[]) =>
    repoStore.fetch(projectId, remote, branches.length > 0 ? branches : ["main"]);
  const tip = async () => (await repoStore.resolve(projectId, "refs/heads/main"))!;
  const read = async (file: string, commit?: string) =>
    Buffer.from((await commitSnapshot(repoStore, projectId, commit ?? (await tip())).read(file))!);
  /** Requests that asked for a pack. */
  const packs: string[] = [];
  host.state.fault = (request) => {
    if (request.method === "POST" && request.url.endsWith("/git-upload-pack")) packs.push(request.url);
    return null;
  };
  const owned = stack.move();
  const place = repoStore.directory(projectId);
  return {
    host,
    repoStore,
    projectId,
    remote,
    directory,
    place,
    work,
    publish,
    fetch,
    tip,
    read,
    packs,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Above 256 KiB, from where on a mirror leaves files at the host. */
const picture = () => randomBytes(264_000);
const lookups = (directory: string, commit: string) =>
  git(directory, "rev-list", "--objects", "--missing=print", commit).then((text) =>
    text.split("\n").filter((line) => line.startsWith("?")),
  );

it("a mirror has the pages, and fetches an image when it is read", async () => {
  await using mirror = await openMirror();
  const { publish, fetch, read, tip, place } = mirror;
  const logo = picture();
  const big = picture();
  await publish({ "images/big.png": big, "logo.png": logo, "guide.md": "# Guide\n", "data/x.yaml": "a: 1\n" });
  await fetch();
  expect(await lookups(place, await tip())).toHaveLength(1);
  mirror.packs.length = 0;
  expect((await read("guide.md")).toString()).toBe("# Guide\n");
  expect(await read("logo.png")).toEqual(logo);
  expect(mirror.packs).toEqual([]);
  expect(await read("images/big.png")).toEqual(big);
  expect(mirror.packs.length).toBeGreaterThan(0);
  expect(await lookups(place, await tip())).toEqual([]);
});

it("a fetch removes the unfinished packs that a power failure left", async () => {
  await using mirror = await openMirror();
  const { publish, fetch, place } = mirror;
  const packs = path.join(place, "objects", "pack");
  await publish({ "guide.md": "# Guide\n" });
  await fetch();
  const old = new Date(Date.now() - 3_600_000);
  for (const [name, at] of [
    ["tmp_pack_a1b2c3", old],
    ["tmp_idx_a1b2c3", old],
    ["tmp_pack_d4e5f6", new Date()],
  ] as const) {
    await writeFile(path.join(packs, name), "half");
    await utimes(path.join(packs, name), at, at);
  }
  await publish({ "guide.md": "# Guide 2\n" });
  await fetch();
  expect((await readdir(packs)).filter((name) => name.startsWith("tmp_"))).toEqual(["tmp_pack_d4e5f6"]);
});

it("files that are read at once are fetched together", async () => {
  await using mirror = await openMirror();
  const images = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.png`, picture()]));
  await mirror.publish(images);
  await mirror.fetch();
  mirror.packs.length = 0;
  const found = await Promise.all(Object.keys(images).map((file) => mirror.read(file)));
  expect(found).toEqual(Object.values(images));
  // Each fetch is two requests: the host's capabilities, and the files.
  expect(mirror.packs.length).toBeLessThanOrEqual(4);
});

it("source files that are read one after another are fetched together", async () => {
  await using mirror = await openMirror();
  const sources = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`src/${index}.zig`, `const a = ${index};\n`]),
  );
  await mirror.publish(sources);
  await mirror.fetch();
  mirror.packs.length = 0;
  for (const [file, text] of Object.entries(sources)) expect((await mirror.read(file)).toString()).toBe(text);
  expect(mirror.packs.length).toBeLessThanOrEqual(4);
});

it("while a host is down, a missing file is unavailable, and the next read fails without a request", async () => {
  await using mirror = await openMirror();
  const { host, read } = mirror;
  await mirror.publish({ "images/big.png": picture(), "guide.md": "# Guide\n" });
  await mirror.fetch();
  let asked = 0;
  host.state.fault = () => {
    asked += 1;
    return new Response("away", { status: 503 });
  };
  await expect(read("images/big.png")).rejects.toMatchObject({ code: "unavailable" });
  const first = asked;
  expect(first).toBeGreaterThan(0);
  await expect(read("images/big.png")).rejects.toMatchObject({ code: "unavailable" });
  expect(asked).toBe(first);
  expect((await read("guide.md")).toString()).toBe("# Guide\n");
});

it("the token is sent with every fetch, and written to no file", async () => {
  await using mirror = await openMirror();
  await mirror.publish({ "big.png": picture() });
  await mirror.fetch();
  await mirror.read("big.png");
  const names = await readdir(mirror.place, { recursive: true });
  expect(names).toContain("config");
  expect(await git(mirror.place, "config", "--local", "--list")).not.toMatch(/promisor|remote\.|extraheader/i);
});

it("changes, patches and merges with missing images are the same as in a complete repository", async () => {
  await using mirror = await openMirror();
  const { repoStore, projectId, publish, fetch, work } = mirror;
  const old = picture();
  const base = await publish({ "a.png": old, "b.png": picture(), "page.md": "1\n2\n3\n4\n5\n6\n7\n" });
  await git(work, "checkout", "--quiet", "-b", "side");
  const theirs = await publish({ "b.png": picture(), "page.md": "1\n2\n3\n4\n5\n6\nseven\n" }, "side");
  await git(work, "checkout", "--quiet", "main");
  const ours = await publish({ "a.png": null, "moved.png": old, "page.md": "one\n2\n3\n4\n5\n6\n7\n" });
  await fetch("main", "side");
  expect((await lookups(mirror.place, ours)).length).toBeGreaterThan(0);
  const changes = await repoStore.changes(projectId, base, ours);
  expect(changes.map(({ status, path: file }) => `${status} ${file}`)).toEqual([
    "renamed moved.png",
    "modified page.md",
  ]);
  expect(await repoStore.patch(projectId, { base, head: theirs })).toContain("Binary files");
  const merged = await repoStore.mergeTrees(projectId, { ours, theirs });
  if (!merged.ok) throw new Error(`There are conflicts: ${merged.conflicts.join(", ")}`);
  const page = (await repoStore.tree(projectId, merged.tree)).find((file) => file.path === "page.md")!;
  expect((await repoStore.readBlob(projectId, page.oid)).toString()).toBe("one\n2\n3\n4\n5\n6\nseven\n");
});

it("a push that restores an old image includes it although the mirror did not have it", async () => {
  await using mirror = await openMirror();
  const { repoStore, projectId, publish, fetch, remote, work } = mirror;
  const old = picture();
  const before = await publish({ "a.png": old });
  const removed = await publish({ "a.png": null });
  await fetch();
  expect(await lookups(mirror.place, removed)).toHaveLength(1);
  const { tree } = (await repoStore.log(projectId, { base: null, head: before, limit: 1 }))[0]!;
  const revert = { tree, parents: [removed], message: "Revert", author: AUTHOR, at: new Date(0) };
  const commit = await repoStore.commit(projectId, revert);
  const update = { branch: "main", commit, expected: removed };
  expect(await repoStore.push(projectId, remote, update)).toEqual({ outcome: "pushed" });
  expect(await mirror.tip()).toBe(commit);
  await git(work, "pull", "--quiet", "origin", "main");
  expect((await git(work, "ls-tree", "--name-only", "HEAD")).split("\n")).toContain("a.png");
  expect(await git(work, "fsck", "--full")).toBe("");
});

it("packing a mirror keeps local commits, and tolerates blobs that are only at the host", async () => {
  await using mirror = await openMirror();
  const { repoStore, projectId, publish, fetch, tip, place, read } = mirror;
  const big = picture();
  await publish({ "big.png": big, "guide.md": "# Guide\n" });
  await fetch();
  let commit = await tip();
  // 30 files at once are stored as a pack.
  for (let round = 0; round < 42; round++) {
    const edits = Array.from({ length: 30 }, (_, index) => ({
      path: `p/${index}.md`,
      content: Buffer.from(`${round} ${index}`),
    }));
    const tree = await repoStore.snapshot(projectId, { base: commit, edits });
    commit = await repoStore.commit(projectId, {
      tree,
      parents: [commit],
      message: "x",
      author: AUTHOR,
      at: new Date(0),
    });
  }
  expect(await repoStore.maintain(projectId)).toBe(true);
  expect(await lookups(place, commit)).toHaveLength(1);
  expect((await read("p/3.md", commit)).toString()).toBe("41 3");
  expect(await read("big.png")).toEqual(big);
  await mirror.publish({ "guide.md": "# Guide 2\n" });
  await fetch();
  expect((await read("guide.md")).toString()).toBe("# Guide 2\n");
});

it("a mirror that exceeds its limit is aborted, and leaves nothing behind", async () => {
  await using mirror = await openMirror();
  await mirror.publish({ "guide.md": randomBytes(1_200_000).toString("base64") });
  const root = path.join(mirror.directory, "small");
  await using store = createRepoStore({ root, logger: silentLogger, maxMirrorBytes: 1_000_000 });
  await store.create(mirror.projectId, { branch: "main", blobs: "at-host" });
  await expect(store.fetch(mirror.projectId, mirror.remote, ["main"])).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringContaining("DOCENT_MIRROR_MAX_BYTES") as string,
  });
  expect(await store.resolve(mirror.projectId, "refs/heads/main")).toBeNull();
  const packs = await readdir(path.join(store.directory(mirror.projectId), "objects", "pack"));
  expect(packs.filter((name) => name.startsWith("tmp_"))).toEqual([]);
});

it("a mirror is complete if the host supports no filters or serves no single files", async () => {
  await using mirror = await openMirror();
  const { host } = mirror;
  const big = picture();
  await mirror.publish({ "big.png": big, "guide.md": "# Guide\n" });
  for (const allows of [{ filter: false }, { objects: false }]) {
    Object.assign(host.state.git, { filter: true, objects: true }, allows);
    const root = path.join(mirror.directory, JSON.stringify(allows).replaceAll(/\W/g, ""));
    await using store = createRepoStore({ root, logger: silentLogger });
    await store.create(mirror.projectId, { branch: "main", blobs: "at-host" });
    await store.fetch(mirror.projectId, mirror.remote, ["main"]);
    const commit = (await store.resolve(mirror.projectId, "refs/heads/main"))!;
    expect(await lookups(store.directory(mirror.projectId), commit)).toEqual([]);
    const snapshot = commitSnapshot(store, mirror.projectId, commit);
    expect(Buffer.from((await snapshot.read("big.png"))!)).toEqual(big);
    const next = await mirror.publish({ "guide.md": `# ${JSON.stringify(allows)}\n`, "other.png": picture() });
    await store.fetch(mirror.projectId, mirror.remote, ["main"]);
    expect(await lookups(store.directory(mirror.projectId), next)).toEqual([]);
  }
});

it("a submodule is not fetched, and is listed in a comparison", async () => {
  await using mirror = await openMirror();
  const { repoStore, projectId, publish, fetch, read, work } = mirror;
  const base = await publish({ "guide.md": "# Guide\n" });
  await git(work, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},vendor/library`);
  await git(work, "commit", "--quiet", "--message", "Submodule");
  await git(work, "push", "--quiet", "origin", "HEAD:main");
  const head = (await fetch()).get("main")!;
  expect(await commitSnapshot(repoStore, projectId, head).read("vendor/library")).toBeNull();
  const changes = await repoStore.changes(projectId, base, head);
  expect(changes.map(({ path: file }) => file)).toEqual(["vendor/library"]);
  mirror.packs.length = 0;
  expect(await repoStore.patch(projectId, { base, head })).toContain("+Subproject commit");
  expect(mirror.packs).toEqual([]);
  expect((await read("guide.md")).toString()).toBe("# Guide\n");
});

it("a branch that the host has deleted stays", async () => {
  await using mirror = await openMirror();
  const side = await mirror.publish({ "side.md": "# Side\n" }, "side");
  await mirror.fetch("main", "side");
  await git(mirror.work, "push", "--quiet", "origin", "--delete", "side");
  expect((await mirror.fetch("main", "side")).get("side")).toBeNull();
  expect(await mirror.repoStore.resolve(mirror.projectId, "refs/heads/side")).toBe(side);
});

it("a file that the host has lost does not keep others from being read", async () => {
  await using mirror = await openMirror();
  const { repoStore, projectId, publish, fetch, read } = mirror;
  const image = picture();
  const commit = await publish({ "a.png": image });
  await fetch();
  const { oid } = (await repoStore.tree(projectId, commit)).find(({ path: file }) => file === "a.png")!;
  const lost = "1".repeat(40);
  await expect(repoStore.readBlobs(projectId, [lost, oid])).rejects.toMatchObject({ code: "not_found" });
  mirror.packs.length = 0;
  expect(await read("a.png")).toEqual(image);
  expect(mirror.packs).toEqual([]); // it came with the first request
});

it("a merge fetches the common version of a file that both sides changed", async () => {
  await using mirror = await openMirror();
  const { repoStore, projectId, publish, fetch, work } = mirror;
  const lines = Array.from({ length: 30_000 }, (_, index) => `line ${index}`);
  const textWith = (index: number, line: string) => `${lines.with(index, line).join("\n")}\n`;
  await publish({ "long.txt": textWith(0, "line 0") });
  await git(work, "checkout", "--quiet", "-b", "side");
  const theirs = await publish({ "long.txt": textWith(29_999, "theirs") }, "side");
  await git(work, "checkout", "--quiet", "main");
  const ours = await publish({ "long.txt": textWith(0, "ours") });
  await fetch("main", "side");
  const merged = await repoStore.mergeTrees(projectId, { ours, theirs });
  if (!merged.ok) throw new Error(`There are conflicts: ${merged.conflicts.join(", ")}`);
  const { oid } = (await repoStore.tree(projectId, merged.tree)).find(({ path: file }) => file === "long.txt")!;
  const text = (await repoStore.readBlob(projectId, oid)).toString();
  expect([text.startsWith("ours\n"), text.endsWith("\ntheirs\n")]).toEqual([true, true]);
});

it("an answer that is no repository is an error, and takes no branch away", async () => {
  await using mirror = await openMirror();
  const before = (await mirror.fetch()).get("main")!;
  const headers = { "Content-Type": "application/x-git-upload-pack-advertisement" };
  mirror.host.state.fault = () => new Response("001e# service=git-upload-pack\n00000000", { headers });
  await expect(mirror.fetch()).rejects.toMatchObject({ reason: "empty" });
  expect(await mirror.tip()).toBe(before);
});

it("a commit with a path in git's own folder is not taken over", async () => {
  await using mirror = await openMirror();
  const before = (await mirror.fetch()).get("main")!;
  const { repoStore, repository } = mirror.host.parts;
  const cwd = repoStore.directory(repository.projectId);
  const { oid } = (await repoStore.tree(repository.projectId, before))[0]!;
  const tree = execFileSync("git", ["mktree"], { cwd, input: `100644 blob ${oid}\t.git\n` })
    .toString()
    .trim();
  const commit = (await git(cwd, "commit-tree", tree, "-p", before, "-m", "Change")).trim();
  await git(cwd, "update-ref", "refs/heads/main", commit);
  await expect(mirror.fetch()).rejects.toMatchObject({
    cause: { stderr: expect.stringContaining("hasDotgit") as string },
  });
  expect(await mirror.tip()).toBe(before);
});

it("a mirror is complete if the host refuses filters", async () => {
  await using mirror = await openMirror();
  const big = picture();
  const commit = await mirror.publish({ "big.png": big });
  const refusal = "ERR filter 'blob:none' not supported";
  const headers = { "Content-Type": "application/x-git-upload-pack-result" };
  mirror.host.state.fault = async (request) =>
    request.method === "POST" && (await request.clone().text()).includes("filter ")
      ? new Response(`00${(refusal.length + 4).toString(16)}${refusal}`, { headers })
      : null;
  await mirror.fetch();
  expect(await lookups(mirror.place, commit)).toEqual([]);
  expect(await mirror.read("big.png")).toEqual(big);
});
