import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { createRepoStore } from "./directory-repo-store.ts";
import type { RepoStore } from "./repo-store.ts";
import { DEFAULT_GIT_ENVIRONMENT } from "./process/runner.ts";

let root: Awaited<ReturnType<typeof createTestDirectory>>;
let store: RepoStore;

beforeAll(async () => {
  root = await createTestDirectory();
  store = createRepoStore({ root: path.join(root.path, "repositories"), logger: silentLogger });
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await root.dispose();
});

describe("import", () => {
  it("copies branches and tags and hosts the branch that HEAD names", async () => {
    await using source = await createTestRepository({ "index.md": "# Hi\n" }, { branch: "trunk" });
    await git(source.path, "tag", "v1");
    await git(source.path, "branch", "feature/x");
    const project = newProjectId();
    const lines: string[] = [];
    const outcome = await store.import(project, {
      source: source.path,
      branch: null,
      onProgress: (line) => lines.push(line),
    });
    expect(outcome).toEqual({ branch: "trunk" });
    expect((await store.branches(project)).map(({ name }) => name)).toEqual(["feature/x", "trunk"]);
    expect(await store.resolve(project, "refs/tags/v1")).toBe(await store.resolve(project, "HEAD"));
    expect(lines.join("\n")).toContain("Receiving objects: 100%");
    expect(await git(store.directory(project), "config", "--get-regexp", "remote").catch(() => "none")).toBe("none");
  });

  it.each([
    ["with a work tree", []],
    ["without a work tree", ["--bare"]],
    ["without commits", []],
    ["without commits or a work tree", ["--bare"]],
  ])("refuses a SHA-256 repository %s, and leaves nothing behind", async (kind, options) => {
    await using source = await createTestDirectory();
    await git(source.path, "init", "-q", "--object-format=sha256", "-b", "main", ...options);
    if (!kind.includes("commits")) {
      const tree = (await git(source.path, "mktree", "--missing")).trim();
      const commit = (await git(source.path, "commit-tree", "-m", "First", tree)).trim();
      await git(source.path, "update-ref", "refs/heads/main", commit);
    }
    const project = newProjectId();
    await expect(store.import(project, { source: source.path, branch: null })).rejects.toThrow(/SHA-256/);
    expect(await store.exists(project)).toBe(false);
  });

  it.each(["a bare repository", "a mirror", "a folder with spaces and quotes"])("reads %s", async (kind) => {
    await using source = await createTestRepository({ "index.md": "# Hi\n" }, { branch: "docs" });
    await using place = await createTestDirectory();
    const copy = path.join(place.path, kind === "a folder with spaces and quotes" ? 'it\'s my "docs" ü' : "copy.git");
    if (kind === "a bare repository") await git(place.path, "clone", "-q", "--bare", source.path, copy);
    else if (kind === "a mirror") await git(place.path, "clone", "-q", "--mirror", source.path, copy);
    else await cp(source.path, copy, { recursive: true });
    const project = newProjectId();
    expect(await store.import(project, { source: copy, branch: null })).toEqual({ branch: "docs" });
  });

  it("accepts an empty repository and hosts the branch that its HEAD names", async () => {
    await using source = await createTestRepository({}, { branch: "trunk" });
    const project = newProjectId();
    expect(await store.import(project, { source: source.path, branch: null })).toEqual({ branch: "trunk" });
    expect(await store.resolve(project, "refs/heads/trunk")).toBeNull();
    expect(await store.resolve(project, "HEAD")).toBeNull();
    expect(await store.branches(project)).toEqual([]);
  });

  it.each(LONG_TESTS ? [2, 40] : [2])(
    "refuses a repository of %d MB if the limit is 1 MiB, and leaves nothing behind",
    async (megabytes) => {
      await using source = await createTestRepository({
        "index.md": "x",
        "film.bin": randomBytes(megabytes * 1_000_000),
      });
      await using place = await createTestDirectory();
      const folder = path.join(place.path, "repositories");
      await using small = createRepoStore({ root: folder, logger: silentLogger, maxMirrorBytes: 1024 ** 2 });
      const project = newProjectId();
      await expect(small.import(project, { source: source.path, branch: null })).rejects.toMatchObject({
        code: "too_large",
        message: "The repository takes more than 1 MiB of disk here, which is this server's limit for one (DOCENT_MIRROR_MAX_BYTES).", // oxfmt-ignore
      });
      expect(await small.exists(project)).toBe(false);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it("hosts the requested branch, and lists the existing ones if it is missing", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    await git(source.path, "branch", "next");
    expect(await store.import(newProjectId(), { source: source.path, branch: "next" })).toEqual({ branch: "next" });
    const project = newProjectId();
    await expect(store.import(project, { source: source.path, branch: "gone" })).rejects.toMatchObject({
      code: "invalid",
      message: "The repository has no branch gone. It has: main, next.",
    });
    expect(await store.exists(project)).toBe(false);
  });

  it("hosts main if HEAD is detached or names a missing branch", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    await git(source.path, "branch", "other");
    await git(source.path, "checkout", "--quiet", "--detach");
    expect(await store.import(newProjectId(), { source: source.path, branch: null })).toEqual({ branch: "main" });
    await git(source.path, "symbolic-ref", "HEAD", "refs/heads/nowhere");
    expect(await store.import(newProjectId(), { source: source.path, branch: null })).toEqual({ branch: "main" });
  });

  it.each([
    "git://127.0.0.1/x.git",
    "ssh://git@127.0.0.1/x.git",
    "ext::sh -c 'touch /tmp/owned'",
    "http://127.0.0.1/x.git",
    "ftp://127.0.0.1/x",
    "fd::17/foo",
    "https://user:token@127.0.0.1/x.git",
    "--upload-pack=touch /tmp/owned",
    "git@127.0.0.1:x/y.git",
    "/nonexistent/repository",
    "",
    "a\0b",
  ])("refuses %j", async (source) => {
    const project = newProjectId();
    await expect(store.import(project, { source, branch: null })).rejects.toMatchObject({ code: "invalid" });
    expect(await store.exists(project)).toBe(false);
  });

  it("refuses a folder that is not a repository, and leaves nothing behind", async () => {
    await using folder = await createTestDirectory();
    await expect(store.import(newProjectId(), { source: folder.path, branch: null })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^This folder is not a git repository\. Run git init/) as string,
    });
    const left = await readdir(path.join(root.path, "repositories"));
    expect(left.filter((name) => name.startsWith("."))).toEqual([]);
  });

  it.each<[what: string, object: string]>([
    ["a file", "HEAD:docs/a.md"],
    ["a folder", "HEAD:docs"],
    ["the newest commit", "HEAD"],
  ])("suggests git fsck if %s is missing, and leaves nothing behind", async (_, object) => {
    await using source = await createTestRepository({ "index.md": "one\n", "docs/a.md": "two\n" });
    const id = (await git(source.path, "rev-parse", object)).trim();
    await rm(path.join(source.path, ".git/objects", id.slice(0, 2), id.slice(2)));
    const project = newProjectId();
    await expect(store.import(project, { source: source.path, branch: null })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^Files or commits are missing in the repository.*git fsck/) as string,
    });
    expect(await store.exists(project)).toBe(false);
  });

  it("refuses a partial clone the same way, and accepts it once its files are present", async () => {
    await using source = await createTestRepository({ "index.md": "one\n", "docs/a.md": "two\n" });
    await git(source.path, "config", "uploadpack.allowFilter", "true");
    await using folder = await createTestDirectory();
    const partial = path.join(folder.path, "partial");
    const from = `file://${source.path}`;
    await git(folder.path, "clone", "-q", "--filter=blob:none", "--no-checkout", from, partial);
    await expect(store.import(newProjectId(), { source: partial, branch: null })).rejects.toMatchObject({
      message: expect.stringContaining("git fetch --refetch --no-filter") as string,
    });
    await git(partial, "fetch", "-q", "--refetch", "--no-filter");
    const project = newProjectId();
    await store.import(project, { source: partial, branch: null });
    expect(await store.exists(project)).toBe(true);
  });

  it("runs no program configured by the source", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    const proof = path.join(source.path, "proof");
    const script = path.join(source.path, "run.sh");
    await writeFile(script, `#!/bin/sh\ntouch ${proof}\n`);
    await chmod(script, 0o755);
    for (const key of ["core.fsmonitor", "uploadpack.packObjectsHook", "core.sshCommand", "core.pager"]) {
      await git(source.path, "config", key, script);
    }
    await mkdir(path.join(source.path, ".git/hooks"), { recursive: true });
    for (const hook of ["post-checkout", "reference-transaction", "post-upload"]) {
      await cp(script, path.join(source.path, ".git/hooks", hook));
    }
    await store.import(newProjectId(), { source: source.path, branch: null });
    await expect(stat(proof)).rejects.toThrow("ENOENT");
  });

  it("keeps submodules, links and LFS pointers as inert entries", async () => {
    await using source = await createTestRepository({
      "index.md": "x",
      ".gitattributes": "*.png filter=lfs diff=lfs merge=lfs -text\n",
      "a.png": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n",
      out: { linkTo: "/etc/passwd" },
    });
    const commit = (await git(source.path, "rev-parse", "HEAD")).trim();
    await git(source.path, "update-index", "--add", "--cacheinfo", `160000,${commit},module`);
    await git(source.path, "commit", "-q", "-m", "Add a module");
    const project = newProjectId();
    await store.import(project, { source: source.path, branch: null });
    const main = (await store.resolve(project, "refs/heads/main"))!;
    const files = await store.tree(project, main);
    expect(files.map(({ path: name, mode, sizeBytes }) => [name, mode, sizeBytes])).toEqual([
      [".gitattributes", "100644", 42],
      ["a.png", "100644", 65],
      ["index.md", "100644", 1],
      ["module", "160000", null],
      ["out", "120000", 11],
    ]);
    const link = files.find((file) => file.path === "out")!;
    expect((await store.readBlob(project, link.oid)).toString()).toBe("/etc/passwd");
  });

  it("imports and uses repositories that belong to another user", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    // A switch of git's own tests: every folder counts as another user's.
    const environment = { ...DEFAULT_GIT_ENVIRONMENT, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
    const refused = spawnSync("git", ["upload-pack", "--advertise-refs", source.path], {
      env: { ...process.env, ...environment },
    });
    expect(refused.stderr.toString()).toContain("dubious ownership");
    await using other = createRepoStore({ root: path.join(root.path, "other"), logger: silentLogger, environment });
    const project = newProjectId();
    expect(await other.import(project, { source: source.path, branch: null })).toEqual({ branch: "main" });
    expect(await other.branches(project)).toHaveLength(1);
  });

  it("stops when the caller aborts, and leaves nothing behind", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    const project = newProjectId();
    const abort = new AbortController();
    const importing = store.import(project, {
      source: source.path,
      branch: null,
      signal: abort.signal,
      onProgress: () => abort.abort(),
    });
    await expect(importing).rejects.toThrow("aborted");
    expect(await store.exists(project)).toBe(false);
  });

  it("leaves a whole repository or none when the process is killed", async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}.md`, `page ${index}\n`]));
    await using source = await createTestRepository(files);
    const rounds = LONG_TESTS ? [0, 1, 2, 3, 4] : [1, 3];
    for (const round of rounds) {
      const project = newProjectId();
      const script = `
        import { createRepoStore } from "#git/directory-repo-store.ts";
        import { silentLogger } from "#lib/logger.ts";
        const store = createRepoStore({ root: ${JSON.stringify(path.join(root.path, "repositories"))}, logger: silentLogger });
        await store.import(${JSON.stringify(project)}, {
          source: ${JSON.stringify(source.path)},
          branch: null,
          onProgress: (line) => console.log(line),
        });
        console.log("imported");
        await store[Symbol.asyncDispose]();`;
      const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let seen = 0;
      child.stdout.on("data", (chunk: Buffer) => {
        seen += chunk.length;
        if (seen > round * 700) child.kill("SIGKILL");
      });
      await once(child, "close");
      const isThere = await store.exists(project);
      const files = isThere ? await store.tree(project, (await store.resolve(project, "refs/heads/main"))!) : [];
      expect(files).toHaveLength(isThere ? 400 : 0);
      if (!isThere) await store.import(project, { source: source.path, branch: null });
      expect(await store.branches(project)).toHaveLength(1);
    }
  });

  it("refuses a project that has a repository", async () => {
    await using source = await createTestRepository({ "index.md": "x" });
    const project = newProjectId();
    await store.import(project, { source: source.path, branch: null });
    await expect(store.import(project, { source: source.path, branch: null })).rejects.toMatchObject({
      code: "conflict",
    });
    await expect(store.create(project, { branch: "main" })).rejects.toMatchObject({ code: "conflict" });
  });
});
