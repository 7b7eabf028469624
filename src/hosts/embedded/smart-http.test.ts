import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HostedRepository } from "#hosts/code-host.ts";
import type { BranchPush } from "#hosts/hosted-pull-requests.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import type { RepoStore } from "#git/repo-store.ts";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { recordFlushes } from "#testing/flushes.ts";
import { importFiles } from "#testing/imported-files.ts";
import { commitFiles, createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { FLUSH, pktLine } from "./side-band.ts";
import { createSmartHttp } from "./smart-http.ts";

const READ_KEY = "docent_read";
const WRITE_KEY = "docent_write";

let made: AsyncDisposableStack;
let store: RepoStore;
let repository: HostedRepository;
let server: Server;
let pushes: BranchPush[];
let workspace: string;
let asked: number;
let isRevoked: boolean;
let admitted: number;
/** Pushes keep their place until it is settled. */
let held: Promise<void>;
let onPush: (push: BranchPush) => Promise<void>;

beforeEach(async () => {
  made = new AsyncDisposableStack();
  workspace = made.use(await createTestDirectory()).path;
  store = made.use(createRepoStore({ root: made.use(await createTestDirectory()).path, logger: silentLogger }));
  repository = { projectId: newProjectId(), codeHost: "embedded", slug: "acme", url: null, branch: "main" };
  await importFiles(store, repository.projectId, { "index.md": "one\n", "docs/a b.md": "ü\n" });
  const directory = store.directory(repository.projectId);
  await git(directory, "tag", "v1");
  await git(directory, "pack-refs", "--all"); // as an import leaves them
  pushes = [];
  asked = 0;
  isRevoked = false;
  admitted = 0;
  held = Promise.resolve();
  onPush = async () => undefined;
  const serve = createSmartHttp({
    repoStore: { ...store, receive: async (...push) => held.then(() => store.receive(...push)) },
    logger: silentLogger,
    maxPushBytes: 2 * 1024 * 1024,
    maxProcesses: 4,
    async authorize(slug, { key }, access) {
      asked += 1;
      const allowed = (key === WRITE_KEY && !isRevoked) || (key === READ_KEY && access === "read");
      return slug === "acme" && allowed ? repository : null;
    },
    async admitGrowth() {
      admitted += 1;
      return null;
    },
    async onPush(_repository, push) {
      pushes.push(push);
      await onPush(push);
    },
    publishFrom: async ({ projectId }, branch) => {
      await store.setHead(projectId, branch);
      repository = { ...repository, branch };
    },
  });
  const listener = getRequestListener((request) => serve(request, "127.0.0.1"), { overrideGlobalObjects: false }); // other tests share this process
  server = createServer((incoming, outgoing) => void listener(incoming, outgoing)).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await made.disposeAsync();
});

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const remote = (key: string | null = WRITE_KEY, slug = "acme") =>
  `${origin().replace("//", key === null ? "//" : `//docent:${key}@`)}/git/${slug}.git`;
/** A pack of these objects and of nothing that they name. */
async function packOf(directory: string, objects: readonly string[]): Promise<Buffer> {
  const child = spawn("git", ["pack-objects", "--stdout"], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(`${objects.join("\n")}\n`);
  return await buffer(child.stdout);
}
const clone = async (...options: string[]) => {
  await git(workspace, "clone", "-q", ...options, remote(), "work");
  return path.join(workspace, "work");
};
const fails = async (...args: string[]): Promise<string> => {
  try {
    return `succeeded: ${await git(workspace, ...args)}`;
  } catch (error) {
    return (error as { stderr: string }).stderr;
  }
};

const emptied = (branch = "main") =>
  store.create((repository = { ...repository, projectId: newProjectId() }).projectId, { branch });
const pushOutput = async (directory: string, ...args: string[]): Promise<string> => {
  const child = spawn("git", ["push", ...args], { cwd: directory, stdio: ["ignore", "ignore", "pipe"] });
  return (await buffer(child.stderr)).toString();
};

describe("reading", () => {
  it("clones, fetches tags and blobs on demand, with each protocol version", async () => {
    for (const version of ["0", "1", "2"]) {
      await git(workspace, "-c", `protocol.version=${version}`, "clone", "-q", remote(READ_KEY), `v${version}`);
      expect(await git(path.join(workspace, `v${version}`), "log", "--format=%s", "v1")).toBe("Initial content\n");
    }
    await git(workspace, "clone", "-q", "--filter=blob:none", "--no-checkout", remote(READ_KEY), "partial");
    expect(await git(path.join(workspace, "partial"), "show", "HEAD:docs/a b.md")).toBe("ü\n");
    await git(workspace, "clone", "-q", "--depth=1", remote(READ_KEY), "shallow");
  });

  it("clones an empty repository", async () => {
    await emptied("trunk");
    const work = await clone();
    expect(await git(work, "symbolic-ref", "HEAD")).toBe("refs/heads/trunk\n");
    await commitFiles(work, { "index.md": "first\n" }, "First");
    await git(work, "push", "-q", "origin", "HEAD");
    expect(pushes).toEqual([
      { branch: "trunk", before: null, after: await store.resolve(repository.projectId, "HEAD") },
    ]);
  });

  it.each([
    { pushed: ["one:master", "one:refs/tags/v1"], branch: "master", told: "from master, the only branch." },
    {
      pushed: ["one", "one:two"],
      branch: "main",
      told: "from main, which is not there. For another one: docent projects set acme branch NAME",
    },
    { pushed: ["one", "one:main", "one:two"], branch: "main", told: "" },
    { pushed: ["one:wip/set-up#1"], branch: "wip/set-up#1", told: "from wip/set-up#1, the only" },
    { pushed: ["one:refs/tags/v1"], branch: "main", told: "no branch yet" },
  ])("after a first push of $pushed, the site is published from $branch, and the push says so", async (first) => {
    await emptied();
    await using source = await createTestRepository({ "index.md": "first\n" }, { branch: "one" });
    const output = await pushOutput(source.path, remote(), ...first.pushed);
    expect(output).toContain(first.told);
    expect(output.includes("The site is published from")).toBe(first.told.startsWith("from"));
    expect(repository.branch).toBe(first.branch);
    expect(await git(await clone(), "symbolic-ref", "HEAD")).toBe(`refs/heads/${first.branch}\n`);
  });

  it("takes the branches and tags of push --mirror, and says what it leaves out", async () => {
    await emptied();
    await using source = await createTestRepository({ "index.md": "first\n" });
    await git(source.path, "tag", "v1");
    for (const ref of ["pull/1/head", "merge-requests/2/head", "remotes/origin/main", "stash"])
      await git(source.path, "update-ref", `refs/${ref}`, "HEAD");
    await git(source.path, "notes", "add", "-m", "note");
    expect(await fails("-C", source.path, "push", "--mirror", remote())).toContain(
      "Only branches and tags are kept here",
    );
    const names = await git(store.directory(repository.projectId), "for-each-ref", "--format=%(refname)");
    expect(names.trim().split("\n")).toEqual(["refs/heads/main", "refs/tags/v1"]);
  });

  it("tells a client of Git LFS that it is not there, as that shows errors", async () => {
    const answer = await fetch(`${origin()}/git/acme.git/info/lfs/objects/batch`, { method: "POST", body: "{}" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([501, "application/vnd.git-lfs+json"]);
    expect(await answer.json()).toEqual({ message: expect.stringContaining("Commit the files themselves") as string });
  });

  it("takes the key as a password, as a user name, or as a Bearer token", async () => {
    const url = `${origin()}/git/acme.git/info/refs?service=git-upload-pack`;
    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    for (const authorization of [basic(`any:${READ_KEY}`), basic(`${READ_KEY}:`), `Bearer ${READ_KEY}`]) {
      expect((await fetch(url, { headers: { authorization } })).status).toBe(200);
    }
    for (const authorization of ["", "Basic", "Basic !!", basic(":"), "Bearer x", "Digest x", `Bearer ${READ_KEY} x`]) {
      const answer = await fetch(url, { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic realm=/);
    }
  });

  it("cannot be told apart: an unknown repository, a foreign one, a wrong key", async () => {
    const answer = async (slug: string, key: string) => {
      const response = await fetch(`${origin()}/git/${slug}.git/info/refs?service=git-upload-pack`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return [response.status, await response.text()];
    };
    expect(await answer("nothing", WRITE_KEY)).toEqual(await answer("acme", "docent_wrong"));
    expect(await fails("clone", remote("docent_wrong"), "x")).toContain("Authentication failed");
  });

  it.each([
    ["/git/acme.git/HEAD", 404],
    ["/git/acme.git/config", 404],
    ["/git/acme.git/objects/info/packs", 404],
    ["/git/acme.git/info/refs", 403],
    ["/git/acme.git/info/refs?service=git-upload-archive", 403],
    ["/git/..%2facme.git/info/refs?service=git-upload-pack", 404],
    ["/git/acme/../acme.git/HEAD", 404],
    ["/git/acme.git/git-upload-pack", 405],
  ])("serves nothing but the smart protocol: %s", async (target, status) => {
    const answer = await fetch(origin() + target, { headers: { authorization: `Bearer ${WRITE_KEY}` } });
    expect(answer.status).toBe(status);
  });

  it("reads a compressed request", async () => {
    const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
    const body = gzipSync(`${line("command=ls-refs\n")}0001${line("ref-prefix refs/heads/\n")}0000`);
    const answer = await fetch(`${origin()}/git/acme.git/git-upload-pack`, {
      method: "POST",
      body: new Uint8Array(body),
      headers: {
        authorization: `Bearer ${READ_KEY}`,
        "content-type": "application/x-git-upload-pack-request",
        "content-encoding": "gzip",
        "git-protocol": "version=2",
      },
    });
    expect(await answer.text()).toMatch(/^003d[0-9a-f]{40} refs\/heads\/main\n0000$/);
  });

  it("ends git when the client goes away", async () => {
    const big = Buffer.alloc(6_000_000);
    for (let index = 0; index < big.length; index += 4) big.writeUInt32LE((index * 2_654_435_761) % 2 ** 32, index);
    const tree = await store.snapshot(repository.projectId, {
      base: (await store.resolve(repository.projectId, "HEAD"))!,
      edits: [{ path: "big.bin", content: big }],
    });
    const commit = await store.commit(repository.projectId, {
      tree,
      parents: [],
      message: "Big",
      author: { name: "A", email: "a@b" },
      at: new Date(0),
    });
    await store.updateRef(repository.projectId, { ref: "refs/heads/big", to: commit, expected: null });
    const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
    const body = `${line("command=fetch\n")}0001${line("no-progress\n")}${line(`want ${commit}\n`)}${line("done\n")}0000`;
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        const outgoing = httpRequest(`${origin()}/git/acme.git/git-upload-pack`, {
          method: "POST",
          agent: false,
          headers: {
            authorization: `Bearer ${READ_KEY}`,
            "content-type": "application/x-git-upload-pack-request",
            "git-protocol": "version=2",
          },
        });
        outgoing.on("error", () => undefined);
        outgoing.end(body);
        const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
        await once(answer, "data");
        answer.on("error", () => undefined);
        answer.destroy();
      }),
    );
    // More than there are places: each was given back.
    await git(workspace, "clone", "-q", "--single-branch", remote(READ_KEY), "after");
    expect(await git(path.join(workspace, "after"), "status", "--porcelain")).toBe("");
  });
});

describe("pushing", () => {
  it("moves branches and tags, and tells which branches moved, once the push is durable", async () => {
    const work = await clone();
    const before = await store.resolve(repository.projectId, "refs/heads/main");
    const after = await commitFiles(work, { "index.md": "two\n" }, "Second");
    await git(work, "tag", "-a", "-m", "Version 2", "v2");
    let seen: string | null = null;
    let lost: string[] = [];
    using flushes = await recordFlushes();
    onPush = async () => {
      seen = await store.resolve(repository.projectId, "refs/heads/main");
      lost = await flushes.unflushed(path.join(store.directory(repository.projectId), "refs"));
    };
    await git(work, "push", "-q", "origin", "main", "main:refs/heads/feature/x", "v2");
    // The files are git's own, which flushes them itself.
    expect(lost.toSorted()).toEqual(["heads/feature/x", "heads/main", "tags/v2"]);
    expect(pushes).toEqual([
      { branch: "main", before, after },
      { branch: "feature/x", before: null, after },
    ]);
    expect(seen).toBe(after);
    expect(await store.resolve(repository.projectId, "refs/tags/v2")).toBe(after);
    await git(work, "push", "-q", "origin", ":feature/x");
    expect(pushes.at(-1)).toEqual({ branch: "feature/x", before: after, after: null });
  });

  it("accepts a large pack in pieces", async () => {
    const work = await clone();
    const bytes = Buffer.from(Array.from({ length: 500_000 }, (_, index) => (index * 7_919 + (index >> 7) * 31) & 255));
    await commitFiles(work, { "big.bin": bytes }, "Big");
    await git(work, "-c", "http.postBuffer=65536", "push", "-q", "origin", "main");
    expect(pushes).toHaveLength(1);
  });

  it("refuses a pack over the limit, and the branch stays", async () => {
    const work = await clone();
    const { randomBytes } = await import("node:crypto");
    await commitFiles(work, { "big.bin": randomBytes(3 * 1024 * 1024) }, "Too big");
    expect(await fails("-C", work, "push", "origin", "main")).not.toContain("succeeded");
    expect(pushes).toEqual([]);
  });

  it("does not accept a key that may only read", async () => {
    const work = await clone();
    await commitFiles(work, { "index.md": "two\n" }, "Second");
    expect(await fails("-C", work, "push", remote(READ_KEY), "main")).toContain("Authentication failed");
  });

  it("says at each reference why it was refused, and does nothing of a push that would unpublish the site", async () => {
    const work = await clone();
    const after = await commitFiles(work, { "index.md": "two\n" }, "Second");
    for (const ref of ["refs/pull/1/head", "refs/docent/x", "refs/notes/commits"]) {
      const output = await fails("-C", work, "push", "origin", `main:${ref}`, "main:refs/heads/fine");
      expect(output).toContain(`! [remote rejected] main -> ${ref} (deny updating a hidden ref)`);
    }
    const mixed = await fails("-C", work, "push", "origin", ":main", "main:refs/heads/other");
    expect(mixed).toContain("(the site is published from this branch)");
    expect(mixed).toContain("(another reference of this push was refused)");
    expect(mixed).toContain("push another one and choose it");
    const atomic = await fails("-C", work, "push", "--atomic", "origin", "main", "main:refs/notes/commits");
    expect(atomic).toContain("only branches and tags are kept here");
    expect(pushes.map(({ branch }) => branch)).toEqual(["fine"]);
    expect(await store.resolve(repository.projectId, "refs/heads/other")).toBeNull();
    expect(await store.resolve(repository.projectId, "refs/heads/main")).not.toBe(after);
  });

  it("refuses trees that would write into a checkout's .git", async () => {
    const work = await clone();
    const blob = (await git(work, "rev-parse", "HEAD:index.md")).trim();
    const list = path.join(workspace, "list");
    await mkdir(path.dirname(list), { recursive: true });
    await writeFile(list, `100644 blob ${blob}\t.GIT\n`);
    const { execFileSync } = await import("node:child_process");
    const tree = execFileSync("sh", ["-c", `git mktree < '${list}'`], { cwd: work })
      .toString()
      .trim();
    const commit = (await git(work, "commit-tree", "-m", "Hostile", tree)).trim();
    const output = await fails("-C", work, "push", "origin", `${commit}:refs/heads/hostile`);
    expect(output).toContain("remote rejected");
    expect(await store.resolve(repository.projectId, "refs/heads/hostile")).toBeNull();
    expect(pushes).toEqual([]);
  });

  it("says what helps to who pushes from a shallow clone", async () => {
    await using source = await createTestRepository({ "index.md": "other\n" });
    await commitFiles(source.path, { "index.md": "newer\n" }, "Newer");
    await git(workspace, "clone", "-q", "--depth=1", `file://${source.path}`, "work");
    const said = await fails("-C", "work", "push", remote(), "HEAD:refs/heads/other");
    expect(said).toContain("remote: You push from a shallow clone");
    expect(said).toContain("git fetch --unshallow");
    await git(path.join(workspace, "work"), "fetch", "-q", "--unshallow");
    await git(path.join(workspace, "work"), "push", "-q", remote(), "HEAD:refs/heads/other");
  });

  it("says what helps to who pushes a commit without its files", async () => {
    const work = await clone();
    const blob = (await git(work, "rev-parse", "HEAD:index.md")).trim();
    await commitFiles(work, { "index.md": "never sent\n" }, "Change");
    const commit = (await git(work, "rev-parse", "HEAD")).trim();
    const tree = (await git(work, "rev-parse", "HEAD^{tree}")).trim();
    const pack = await packOf(work, [commit, tree]);
    const before = (await git(store.directory(repository.projectId), "rev-parse", "main")).trim();
    const line = pktLine(`${before} ${commit} refs/heads/main\0 report-status side-band-64k`);
    const response = await fetch(`${remote(null)}/git-receive-pack`, {
      method: "POST",
      headers: { "content-type": "application/x-git-receive-pack-request", authorization: `Bearer ${WRITE_KEY}` },
      body: new Uint8Array(Buffer.concat([line, FLUSH, pack])),
    });
    const said = Buffer.from(await response.arrayBuffer()).toString("latin1");
    expect(said).toContain("Files or commits are missing in the repository that you push from: git fsck names them.");
    expect(said).not.toContain("ok refs/heads/main");
    expect((await git(store.directory(repository.projectId), "rev-parse", "main:index.md")).trim()).toBe(blob);
  });

  it("runs no hook", async () => {
    const hooks = path.join(store.directory(repository.projectId), "hooks");
    await mkdir(hooks, { recursive: true });
    const proof = path.join(workspace, "proof");
    for (const hook of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"]) {
      await writeFile(path.join(hooks, hook), `#!/bin/sh\ntouch '${proof}'\nexit 1\n`, { mode: 0o755 });
    }
    const work = await clone();
    await commitFiles(work, { "index.md": "two\n" }, "Second");
    await git(work, "push", "-q", "origin", "main");
    expect(await fails("-C", workspace, "hash-object", proof)).toContain("could not open");
  });

  it("lets one of two clients win", async () => {
    const work = await clone();
    await git(workspace, "clone", "-q", remote(), "other");
    await commitFiles(work, { "a.md": "a" }, "A");
    await commitFiles(path.join(workspace, "other"), { "b.md": "b" }, "B");
    await git(work, "push", "-q", "origin", "main");
    expect(await fails("-C", path.join(workspace, "other"), "push", "origin", "main")).toContain("rejected");
    expect(pushes).toHaveLength(1);
  });

  it("answers 400 to a body that is no push", async () => {
    const post = (body: string) =>
      fetch(`${origin()}/git/acme.git/git-receive-pack`, {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${WRITE_KEY}`, "content-type": "application/x-git-receive-pack-request" },
      });
    for (const body of ["", "zzzz", "0003", "ffff", "0008nope", "0032push-cert"]) {
      expect((await post(body)).status).toBe(400);
    }
    expect((await post("0000")).status).toBe(200);
  });

  it("still accepts the push when following it up fails", async () => {
    const work = await clone();
    onPush = async () => {
      throw new Error("database is gone");
    };
    await commitFiles(work, { "index.md": "two\n" }, "Second");
    await git(work, "push", "-q", "origin", "main");
    expect(pushes).toHaveLength(1);
  });

  it("takes 1,500 tags in one push", async () => {
    const work = await clone();
    await tagOften(work, 1_500);
    await git(work, "push", "-q", "origin", "--tags");
    expect(await store.tags(repository.projectId)).toHaveLength(1_501);
  });

  it("answers a push of too many tags at each of them", async () => {
    const main = (await store.resolve(repository.projectId, "refs/heads/main"))!;
    const names = Array.from({ length: 5_001 }, (_, index) => Buffer.from(`refs/tags/t${index}`));
    const answer = await pushRaw(names, main);
    for (const name of [names[0], names[5_000]]) {
      expect(answer).toContain(`ng ${String(name)} a push may move 5000 references; push in parts`);
    }
    expect(await store.tags(repository.projectId)).toHaveLength(1);
  });

  const tagOften = async (work: string, count: number) => {
    const head = (await git(work, "rev-parse", "HEAD")).trim();
    const lines = Array.from({ length: count }, (_, index) => `${head} refs/tags/t${index}\n`).join("");
    await writeFile(path.join(work, ".git", "packed-refs"), `# pack-refs with: \n${lines}`);
  };

  it.each([
    "refs/heads/HEAD",
    "refs/heads/@",
    "refs/heads/-x",
    "refs/heads/refs/heads/main",
    "refs/tags/-x",
    "refs/tags/HEAD",
  ])("makes no reference that git reads as something else: %s", async (name) => {
    const main = (await store.resolve(repository.projectId, "refs/heads/main"))!;
    expect(await pushRaw([Buffer.from(name)], main)).toContain(`ng ${name} git takes this name for something else`);
    expect(await store.resolve(repository.projectId, name)).toBeNull();
  });

  it("refuses a push whose key loses its access while the push arrives", async () => {
    const main = (await store.resolve(repository.projectId, "refs/heads/main"))!;
    const arriving = async function* (body: Buffer) {
      yield body.subarray(0, 10);
      await expect.poll(() => asked).toBe(1);
      isRevoked = true;
      yield body.subarray(10);
    };
    const answer = await pushRaw([Buffer.from("refs/heads/late")], main, (body) => ReadableStream.from(arriving(body)));
    expect(answer).toContain("ng refs/heads/late you may no longer push here");
    expect(await store.branches(repository.projectId)).toHaveLength(1);
  });

  it("refuses a push whose key loses its access while the push waits for others", async () => {
    const main = (await store.resolve(repository.projectId, "refs/heads/main"))!;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held = promise;
    const push = (name: string) => pushRaw([Buffer.from(`refs/heads/${name}`)], main);
    const first = ["a", "b", "c"].map(push); // a project gets all places but one
    await expect.poll(() => asked).toBe(6); // each again in its place
    const last = push("late");
    await expect.poll(() => admitted).toBe(4);
    isRevoked = true;
    release();
    expect(await last).toContain("ng refs/heads/late you may no longer push here");
    await Promise.all(first);
  });

  it("makes no reference whose name is not UTF-8", async () => {
    const main = (await store.resolve(repository.projectId, "refs/heads/main"))!;
    const name = Buffer.from("refs/heads/caf\u00e9", "latin1");
    const answer = await pushRaw([name], main);
    expect(answer).toContain(`ng ${name.toString("latin1")} this is not a valid name`);
    expect(await store.branches(repository.projectId)).toHaveLength(1);
  });

  it("deletes such a branch that is there already", async () => {
    const main = (await store.resolve(repository.projectId, "refs/heads/main"))!;
    await git(store.directory(repository.projectId), "update-ref", "refs/heads/-x", main);
    const work = await clone();
    await git(work, "push", "-q", "origin", ":refs/heads/-x");
    expect(await store.resolve(repository.projectId, "refs/heads/-x")).toBeNull();
  });

  /** A push of new references as a client sends it that checks nothing, without objects. */
  const pushRaw = async (
    names: Buffer[],
    to: string,
    send: (body: Buffer) => Buffer | ReadableStream = (body) => body,
  ): Promise<string> => {
    const lines = names.map((name) => {
      const payload = Buffer.concat([Buffer.from(`${"0".repeat(40)} ${to} `), name, Buffer.from("\0 report-status\n")]);
      return Buffer.concat([Buffer.from((payload.length + 4).toString(16).padStart(4, "0")), payload]);
    });
    const answer = await fetch(`${origin()}/git/acme.git/git-receive-pack`, {
      method: "POST",
      body: send(Buffer.concat([...lines, Buffer.from("0000")])),
      duplex: "half",
      headers: { authorization: `Bearer ${WRITE_KEY}`, "content-type": "application/x-git-receive-pack-request" },
    });
    return Buffer.from(await answer.arrayBuffer()).toString("latin1");
  };
});

describe("locks that a killed git left behind", () => {
  const MINUTES_AGO = new Date(Date.now() - 120_000);
  const leaveLock = async (name: string, at: Date) => {
    const lock = path.join(store.directory(repository.projectId), `${name}.lock`);
    await writeFile(lock, "");
    await utimes(lock, at, at);
    return lock;
  };
  const pushSecond = async () => {
    const work = await clone();
    await commitFiles(work, { "index.md": "two\n" }, "Second");
    return fails("-C", work, "push", "origin", "main");
  };

  it.each(["refs/heads/main", "HEAD"])("stop no push: %s", async (name) => {
    await leaveLock(name, MINUTES_AGO);
    expect(await pushSecond()).toContain("succeeded");
    expect(pushes).toHaveLength(1);
  });

  it("stay while they are fresh, and the client reads no path of the server", async () => {
    const lock = await leaveLock("refs/heads/main", new Date());
    const output = await pushSecond();
    expect(output).toContain("Unable to create './refs/heads/main.lock': File exists.");
    expect(output).toContain("! [remote rejected] main -> main");
    expect(output).not.toContain(path.dirname(store.directory(repository.projectId)));
    expect((await stat(lock)).isFile()).toBe(true);
  });

  it("stay while a git that writes is at work in the repository", async () => {
    const directory = store.directory(repository.projectId);
    const lock = await leaveLock("refs/heads/main", MINUTES_AGO);
    const writer = spawn("git", ["receive-pack", "."], { cwd: directory, stdio: ["pipe", "pipe", "ignore"] });
    await once(writer.stdout, "data");
    expect(await pushSecond()).toContain("! [remote rejected] main -> main");
    expect((await stat(lock)).isFile()).toBe(true);
    writer.kill("SIGKILL");
    await once(writer, "close");
    await git(path.join(workspace, "work"), "push", "-q", "origin", "main");
    expect(pushes).toHaveLength(1);
  });
});

describe("slow clients", () => {
  const open = (action: string, headers: Record<string, string> = {}) => {
    const outgoing = httpRequest(`${origin()}/git/acme.git/${action}`, {
      method: "POST",
      agent: false,
      headers: { authorization: `Bearer ${WRITE_KEY}`, "content-type": `application/x-${action}-request`, ...headers },
    });
    outgoing.on("error", () => undefined);
    return outgoing;
  };

  it("that send a push bit by bit hold no process: ten of them stop nobody", async () => {
    const slow = Array.from({ length: 10 }, () => open("git-receive-pack", { "transfer-encoding": "chunked" }));
    for (const outgoing of slow) outgoing.write("00");
    const work = await clone();
    await commitFiles(work, { "index.md": "two\n" }, "Second");
    await git(work, "push", "-q", "origin", "main");
    expect(pushes).toHaveLength(1);
    for (const outgoing of slow) outgoing.destroy();
  });

  it("that read a clone bit by bit hold no process either", async () => {
    const { randomBytes } = await import("node:crypto");
    const big = await clone();
    const commit = await commitFiles(big, { "big.bin": randomBytes(7_000_000) }, "Big");
    await git(big, "push", "-q", store.directory(repository.projectId), "main");
    const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
    const body = `${line("command=fetch\n")}0001${line("no-progress\n")}${line(`want ${commit}\n`)}${line("done\n")}0000`;
    const slow = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const outgoing = open("git-upload-pack", { "git-protocol": "version=2" });
        outgoing.end(body);
        const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
        answer.on("error", () => undefined);
        return answer.pause();
      }),
    );
    await git(workspace, "clone", "-q", remote(READ_KEY), "after");
    expect((await stat(path.join(workspace, "after", "big.bin"))).size).toBe(7_000_000);
    for (const answer of slow) answer.destroy();
  });
});

describe("bodies on their way", () => {
  const MB = 1024 * 1024;
  const packetLine = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;

  it("have so much room on disk together, and the next one is told so", async () => {
    const other = { ...repository, projectId: newProjectId(), slug: "other" };
    await using source = await createTestRepository({ "index.md": "other\n" });
    const tip = (await git(source.path, "rev-parse", "HEAD")).trim();
    await store.import(other.projectId, { source: source.path, branch: null });
    const serve = createSmartHttp({
      repoStore: store,
      logger: silentLogger,
      room: { total: 12 * MB, perOwner: 4 * MB },
      authorize: async (slug) => (slug === "acme" ? repository : other),
      onPush: async () => undefined,
      publishFrom: async () => undefined,
    });
    const post = (slug: string, service: string, body: ReadableStream<Uint8Array> | string) =>
      serve(
        new Request(`http://docent.test/git/${slug}.git/${service}`, {
          method: "POST",
          headers: { authorization: `Bearer ${WRITE_KEY}`, "content-type": `application/x-${service}-request` },
          body,
          duplex: "half",
        }),
        "127.0.0.1",
      );
    /** A push of which a part came; the rest comes when it is told to, with the answer then. */
    const slowPush = async (megabytes: number) => {
      let left = megabytes;
      const { promise: taken, resolve: tell } = Promise.withResolvers<void>();
      const { promise: rest, resolve: finish } = Promise.withResolvers<void>();
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            if (left-- > 0) return controller.enqueue(new Uint8Array(MB));
            tell();
            await rest;
            controller.close();
          },
        },
        { highWaterMark: 0 },
      );
      const answer = post("acme", "git-receive-pack", body);
      const isHeld = await Promise.race([taken.then(() => true), answer.then(() => false)]);
      return { answer, finish, isHeld };
    };
    const fetchOf = (slug: string) => {
      const want = `want ${tip} no-progress ofs-delta\n`;
      return post(slug, "git-upload-pack", `${packetLine(want)}0000${packetLine("done\n")}`);
    };

    const held = [await slowPush(2), await slowPush(2)];
    const refusedPush = await (await slowPush(3)).answer;
    expect(refusedPush.status).toBe(503);
    expect(refusedPush.headers.get("retry-after")).toBe("30");
    expect(await refusedPush.text()).toBe(
      "This project has too much on its way already. Try again when that is done.\n",
    );
    const refusedFetch = await fetchOf("acme");
    expect([refusedFetch.status, await refusedFetch.text()]).toEqual([
      503,
      expect.stringContaining("too much on its way"),
    ]);
    // Another project has its own room.
    const fetched = await fetchOf("other");
    expect(fetched.status).toBe(200);
    expect(await fetched.text()).toContain("PACK");
    // When one is done its room is free again.
    held[0]!.finish();
    expect((await held[0]!.answer).status).toBe(400);
    let next = await slowPush(2);
    for (let time = 1; !next.isHeld && time < 1_000; time += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10)); // it is free a moment after the answer
      next = await slowPush(2);
    }
    for (const each of [held[1]!, next]) {
      each.finish();
      expect((await each.answer).status).toBe(400); // megabytes of zeros are no push
    }
  });
});
