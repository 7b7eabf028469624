import { cp, readdir } from "node:fs/promises";
import { getRequestListener } from "@hono/node-server";
import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { removeUnfinished } from "#hosts/unfinished-repositories.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { deleteProject } from "#app/delete-project.ts";
import { ENGINES } from "#testing/databases.ts";
import { openSourceStore, startSourceHost } from "#testing/hosts/source-host.ts";
import { listen } from "#testing/listen.ts";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { insertTestSource } from "#testing/sources.ts";
import { addSource, replaceSourceToken } from "./add-source.ts";
import { createSourceFollowing } from "./source-following.ts";
import { findSourceWithToken, listSources, mirrorOf, removeSource, requireSource } from "./sources.ts";
import { syncSource } from "./sync-source.ts";

/** Keeps the runtime's own Response: other tests share this process. */
const OWN_OBJECTS = { overrideGlobalObjects: false };

const FILES = { "src/server.ts": "export const port = 4000;\n" };

async function open(options: Parameters<typeof openSourceStore>[0] = {}) {
  const host = await startSourceHost(FILES);
  onTestFinished(() => host[Symbol.asyncDispose]());
  const store = await openSourceStore(options);
  onTestFinished(() => store[Symbol.asyncDispose]());
  const asked = {
    projectId: store.projectId,
    name: "api",
    url: host.server.url,
    token: new Secret(host.token),
    kind: "github" as const,
    branch: null,
  };
  return { ...store, host, asked };
}

describe.each(ENGINES)("sources on %s", (engine) => {
  it("can be added with a read-only token, are followed with their tags, and removed completely", async () => {
    const { deps, host, asked, projectId, root } = await open({ engine });
    const { database, repoStore } = deps;
    await git(host.work, "tag", "-a", "v1.0", "-m", "One");
    const first = await host.push({ "src/a.ts": "a\n" }, "Add a");
    const source = await addSource(deps, asked);
    expect(source).toMatchObject({ name: "api", branch: "main", url: host.server.url, trouble: null });
    expect(await listSources(database, projectId)).toMatchObject([{ name: "api", trouble: null }]);
    const mirror = mirrorOf(source);
    expect(await repoStore.resolve(mirror, "refs/heads/main")).toBe(first);
    expect((await repoStore.tags(mirror)).map(({ name }) => name)).toEqual(["v1.0"]);

    const following = createSourceFollowing({ ...deps, logger: silentLogger });
    const notified: string[] = [];
    database.wakeUp.subscribe("repository", (id) => notified.push(id));
    const running = following.start();
    onTestFinished(() => running[Symbol.asyncDispose]());
    await git(host.work, "tag", "--delete", "v1.0");
    await git(host.work, "push", "--quiet", "--delete", "origin", "v1.0");
    await git(host.work, "tag", "v1.1");
    const second = await host.push({ "src/b.ts": "b\n" }, "Add b");
    const lookNow = () => database.kysely.updateTable("source").set({ tried_at: null }).execute();
    await lookNow();
    await expect.poll(() => repoStore.resolve(mirror, "refs/heads/main")).toBe(second);
    await expect.poll(async () => (await repoStore.tags(mirror)).map(({ name }) => name)).toEqual(["v1.1"]);
    await expect.poll(() => notified).toContain(mirror);

    host.server.state.readers.clear();
    await lookNow();
    const trouble = async () => (await requireSource(database, projectId, "api")).trouble;
    await expect.poll(trouble).toMatch(/refused the token/);
    host.server.state.readers.add("another-reader-0123456789");
    await replaceSourceToken(deps, source, new Secret("another-reader-0123456789"));
    expect(await trouble()).toBeNull();

    await removeSource(deps, source);
    expect(await listSources(database, projectId)).toEqual([]);
    expect(await readdir(root)).toEqual([]);
    await expect(requireSource(database, projectId, "api")).rejects.toMatchObject({ code: "not_found" });
  });

  it("are deleted with their project", async () => {
    const { deps, asked, projectId, root, dataDirectory } = await open({ engine });
    await deps.repoStore.create(projectId, { branch: "main" });
    await addSource(deps, asked);
    expect(await readdir(root)).toHaveLength(2);
    await deleteProject({ ...deps, dataDirectory }, { id: projectId });
    expect(await readdir(root)).toEqual([]);
    expect(await deps.database.kysely.selectFrom("source").select("id").execute()).toEqual([]);
  });
});

it("an invalid source is refused with a reason, and leaves nothing behind", async () => {
  const { deps, asked, root } = await open();
  const refused = async (change: Partial<Parameters<typeof addSource>[1]>, code: string, words: RegExp) => {
    const error: unknown = await addSource(deps, { ...asked, ...change }).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toMatch(words);
  };
  await refused({ name: "The API" }, "invalid", /a-z, 0-9/);
  await refused({ name: "../../etc" }, "invalid", /a-z, 0-9/);
  await refused({ url: "file:///etc" }, "invalid", /https address/);
  await refused({ url: "https://someone:secret@example.com/a/b" }, "invalid", /user name or a password/);
  await refused({ url: "http://169.254.169.254/latest/meta-data" }, "forbidden", /may not be reached/);
  await refused({ branch: "gone" }, "not_found", /no branch gone/);
  await refused({ branch: "--upload-pack=x" }, "invalid", /branch name/);
  await refused({ token: new Secret("wrong-token-0123") }, "forbidden", /refused the token/);
  await refused({ token: null }, "forbidden", /without a token.*Give one that may read it/);
  expect(await readdir(root).catch(() => [])).toEqual([]);
  await addSource(deps, asked);
  await refused({}, "conflict", /has a source api already/);
  for (let index = 1; index < 10; index++) await addSource(deps, { ...asked, name: `api-${index}` });
  await refused({ name: "eleventh" }, "conflict", /at most 10/);
  expect(await readdir(root)).toHaveLength(10);
});

it("a public repository needs no token", async () => {
  const { deps, asked, host } = await open();
  const authorization = `Basic ${Buffer.from(`any:${host.token}`).toString("base64")}`;
  const seen = new Set<string | null>();
  const open_ = getRequestListener(async (request) => {
    seen.add(request.headers.get("authorization"));
    const url = new URL(request.url);
    const headers = { ...Object.fromEntries(request.headers), authorization };
    const body = request.method === "POST" ? await request.arrayBuffer() : null;
    return fetch(`${host.server.origin}${url.pathname}${url.search}`, { method: request.method, headers, body });
  }, OWN_OBJECTS);
  await using server = await listen((request, response) => void open_(request, response));
  const url = `${server.url}/acme/docs`;
  const source = await addSource(deps, { ...asked, url, token: null });
  expect(await findSourceWithToken(deps, source.id)).toMatchObject({ token: null, trouble: null });
  expect([...seen]).toEqual([null]);
});

it("a lost mirror is recreated", async () => {
  const { deps, asked } = await open();
  const source = await addSource(deps, asked);
  await deps.repoStore.remove(mirrorOf(source));
  expect(await syncSource(deps, (await findSourceWithToken(deps, source.id))!)).toBe(true);
  expect(await deps.repoStore.resolve(mirrorOf(source), "refs/heads/main")).not.toBeNull();
});

it("removes what an interrupted addition left, but neither one in progress nor one that has its row", async () => {
  const { deps, asked, root } = await open();
  const { database, repoStore } = deps;
  await using directory = await createTestDirectory();
  const [before, after] = [`${directory.path}/before`, `${directory.path}/after`];
  const fetchTags: typeof repoStore.fetchTags = async (...args) => {
    await cp(root, before, { recursive: true }); // as a crash leaves it, with and without the note
    await cp(root, after, { recursive: true });
    await removeUnfinished({ database, repoStore, root });
    await removeUnfinished({
      database,
      repoStore: createRepoStore({ root: before, logger: silentLogger }),
      root: before,
    });
    return repoStore.fetchTags(...args);
  };
  const { id } = await addSource({ ...deps, repoStore: { ...repoStore, fetchTags } }, asked);
  expect(await readdir(root)).toEqual([`${id}.git`]);
  expect(await readdir(before)).toEqual([]);
  await removeUnfinished({ database, repoStore: createRepoStore({ root: after, logger: silentLogger }), root: after });
  expect(await readdir(after)).toEqual([`${id}.git`]);
});

it("removing a source, or replacing its token, leaves the project's other sources unchanged", async () => {
  const { deps, asked, host } = await open();
  const api = await addSource(deps, asked);
  const cli = await addSource(deps, { ...asked, name: "cli" });
  const token = async (id: typeof api.id) => (await findSourceWithToken(deps, id))?.token?.reveal();
  const next = "another-reader-0123456789";
  host.server.state.readers.add(next);
  await replaceSourceToken(deps, api, new Secret(next));
  expect([await token(api.id), await token(cli.id)]).toEqual([next, host.token]);
  await removeSource(deps, api);
  expect(await listSources(deps.database, asked.projectId)).toMatchObject([{ name: "cli" }]);
});

it("a source keeps its token when the host refuses the new one", async () => {
  const { deps, asked, host } = await open();
  const source = await addSource(deps, asked);
  const replaced = replaceSourceToken(deps, source, new Secret("wrong-token-0123"));
  await expect(replaced).rejects.toMatchObject({ code: "forbidden" });
  expect((await findSourceWithToken(deps, source.id))?.token?.reveal()).toBe(host.token);
});

it("the trouble of one source is not shown for another", async () => {
  const { deps, asked, host, projectId } = await open();
  const { database } = deps;
  await git(host.work, "push", "--quiet", "origin", "main:next");
  await addSource(deps, asked);
  const next = await addSource(deps, { ...asked, name: "next", branch: "next" });
  await git(host.work, "push", "--quiet", "--delete", "origin", "next");
  await database.kysely.updateTable("source").set({ tried_at: null }).where("id", "=", next.id).execute();
  const started = createSourceFollowing({ ...deps, logger: silentLogger }).start();
  onTestFinished(() => started[Symbol.asyncDispose]());
  const trouble = async (name: string) => (await requireSource(database, projectId, name)).trouble;
  await expect.poll(() => trouble("next")).toMatch(/has no branch next/);
  expect(await trouble("api")).toBeNull();
});

it.each([
  ["is fetched", true],
  ["can no longer be fetched", false],
])("a source that is removed during a look and then %s leaves no mirror", async (_, isReadable) => {
  const { deps, asked, host, root } = await open();
  const { database, repoStore } = deps;
  const source = await addSource(deps, asked);
  const fetched = Promise.withResolvers<void>();
  const during: Partial<typeof repoStore> = {
    async exists(mirror) {
      await removeSource(deps, source);
      if (!isReadable) host.server.state.readers.clear();
      return repoStore.exists(mirror);
    },
    fetch: (...args) => repoStore.fetch(...args).finally(fetched.resolve),
  };
  await database.kysely.updateTable("source").set({ tried_at: null }).execute();
  const following = createSourceFollowing({ ...deps, repoStore: { ...repoStore, ...during }, logger: silentLogger });
  const started = following.start();
  await fetched.promise;
  await started[Symbol.asyncDispose]();
  expect(await readdir(root)).toEqual([]);
});

it("hosts that hang do not keep other sources from being followed", async () => {
  const COUNT = 8;
  const { deps, asked, host, projectId } = await open();
  const { database } = deps;
  const hanging = new Set<ServerResponse>();
  await using silent = await listen((_request, response) => void hanging.add(response));
  const source = await addSource(deps, asked);
  const url = `${silent.url}/acme/docs`;
  for (let index = 0; index < COUNT; index++) {
    await insertTestSource(deps, { projectId, name: `silent-${index}`, files: FILES, url });
  }
  await database.kysely.updateTable("source").set({ tried_at: 0 }).execute();
  const commit = await host.push({ "src/a.ts": "a\n" }, "Add a");
  await database.kysely.updateTable("source").set({ tried_at: 1 }).where("id", "=", source.id).execute(); // the last in turn
  const started = createSourceFollowing({ ...deps, logger: silentLogger }).start();
  const shown = () => deps.repoStore.resolve(mirrorOf(source), "refs/heads/main");
  await expect.poll(shown, { timeout: 60_000 }).toBe(commit);
  expect(hanging.size).toBe(COUNT);
  await silent[Symbol.asyncDispose]();
  await started[Symbol.asyncDispose]();
});
