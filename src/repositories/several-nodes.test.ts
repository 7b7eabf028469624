import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sql } from "kysely";
import type { Database } from "#db/database.ts";
import { EMPTY_TREE } from "#git/objects/objects.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { createTestDirectory, createTestRepository, git } from "#testing/repositories.ts";
import { insertTestSource } from "#testing/sources.ts";
import { removeUnowned } from "./owners.ts";
import { createStoredRepoStore, type StoredRepoStore } from "./stored-repo-store.ts";

const author = { name: "Docent", email: "docent@example.com" };
const at = new Date("2026-03-04T05:06:07Z");
const page = (content: string, name = "index.md") => ({ path: name, content: Buffer.from(content) });

const made = new AsyncDisposableStack();
let database: Database;
let a: StoredRepoStore;
let b: StoredRepoStore;

async function openNode(of: Database = database): Promise<StoredRepoStore> {
  const { path: root } = made.use(await createTestDirectory());
  return made.use(createStoredRepoStore({ database: of, root, logger: silentLogger }));
}

beforeAll(async () => {
  ({ database } = made.use(await openTestDatabase("postgres")));
  [a, b] = [await openNode(), await openNode()];
});
afterAll(() => made.disposeAsync());

async function importAtA(
  files: Record<string, string> = { "index.md": "x" },
): Promise<{ project: ProjectId; main: string }> {
  await using source = await createTestRepository(files);
  const project = newProjectId();
  await a.import(project, { source: source.path, branch: null });
  return { project, main: (await a.resolve(project, "refs/heads/main"))! };
}

async function commitOn(store: StoredRepoStore, project: ProjectId, parent: string, content: string): Promise<string> {
  const tree = await store.snapshot(project, { base: parent, edits: [page(content)] });
  return store.commit(project, { tree, parents: [parent], message: content, author, at });
}

async function textAt(store: StoredRepoStore, project: ProjectId, id: string): Promise<string> {
  const [file] = await store.tree(project, id);
  return (await store.readBlob(project, file!.oid)).toString();
}

it("reads on one node the objects and references that another has written", async () => {
  const { project, main } = await importAtA();
  expect(await b.resolve(project, "HEAD")).toBe(main);
  const next = await commitOn(b, project, main, "from B");
  expect(await b.updateRef(project, { ref: "refs/heads/main", to: next, expected: main })).toBe(true);
  expect(await a.resolve(project, "refs/heads/main")).toBe(next);
  expect(await textAt(a, project, next)).toBe("from B");
  expect(await git(a.directory(project), "fsck", "--strict", "--full")).not.toMatch(/error|missing/);
});

it("continues a job on one node from the tree that its last step wrote on another", async () => {
  const { project, main } = await importAtA();
  expect(await b.resolve(project, "HEAD")).toBe(main); // B now has a copy that the next write makes stale
  const step = await a.snapshot(project, { base: main, edits: [page("first step")] });
  const second = await b.snapshot(project, { base: step, edits: [page("second", "other.md")] });
  expect((await a.tree(project, second)).map((file) => file.path)).toEqual(["index.md", "other.md"]);
});

it("reads on one node what another wrote before it wrote itself", async () => {
  const { project, main } = await importAtA();
  expect(await textAt(b, project, main)).toBe("x");
  const tree = await a.snapshot(project, { base: main, edits: [page("of a")] });
  await b.snapshot(project, { base: main, edits: [page("of b")] });
  expect(await textAt(b, project, tree)).toBe("of a");
});

it("reads on one node an unreferenced merge tree that another has written", async () => {
  const { project, main } = await importAtA({ "index.md": "x", "other.md": "y" });
  expect(await b.resolve(project, "HEAD")).toBe(main);
  const ours = await commitOn(a, project, main, "ours");
  const tree = await a.snapshot(project, { base: main, edits: [page("theirs", "other.md")] });
  const theirs = await a.commit(project, { tree, parents: [main], message: "Theirs", author, at });
  const merge = await a.mergeTrees(project, { ours, theirs });
  expect(merge.ok && (await b.tree(project, merge.tree)).map((file) => file.path)).toEqual(["index.md", "other.md"]);
});

it("lets one of two nodes that move the same branch win, and both then read the winner's commit", async () => {
  const { project, main } = await importAtA();
  const commits = await Promise.all([commitOn(a, project, main, "A"), commitOn(b, project, main, "B")]);
  const outcomes = await Promise.all(
    [a, b].map((store, index) =>
      store.updateRef(project, { ref: "refs/heads/main", to: commits[index]!, expected: main }),
    ),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  const winner = commits[outcomes.indexOf(true)];
  expect([await a.resolve(project, "refs/heads/main"), await b.resolve(project, "refs/heads/main")]).toEqual([
    winner,
    winner,
  ]);
});

it("refuses a branch nested below one that another node has just created", async () => {
  const { project, main } = await importAtA();
  await b.updateRef(project, { ref: "refs/heads/topic", to: main, expected: null });
  const nested = { ref: "refs/heads/topic/one", to: main, expected: null };
  await expect(a.updateRef(project, nested)).rejects.toMatchObject({ code: "conflict" });
  await b.updateRefs(project, [
    { ref: "refs/heads/topic", to: null, expected: main },
    { ...nested, expected: null },
  ]);
  expect((await a.branches(project)).map(({ name }) => name)).toEqual(["main", "topic/one"]);
});

it("resolves a branch without making a copy on a node that has none", async () => {
  const { project, main } = await importAtA();
  expect([await b.exists(project), await b.resolve(project, "refs/heads/main")]).toEqual([true, main]);
  expect(await b.resolve(project, "refs/heads/none")).toBeNull();
  expect(await b.maintain(project)).toBe(false);
  expect(existsSync(b.directory(project))).toBe(false);
  await expect(b.resolve(newProjectId(), "refs/heads/main")).rejects.toMatchObject({ code: "unavailable" });
});

it("recreates the copy on a node that lost its directory", async () => {
  const { project, main } = await importAtA();
  const step = await a.snapshot(project, { base: main, edits: [page("unreferenced")] });
  await rm(a.directory(project), { recursive: true });
  expect(await textAt(a, project, step)).toBe("unreferenced");
  expect(await a.resolve(project, "HEAD")).toBe(main);
});

it.each(["pack", "index"])("refuses a pack of the database whose %s is damaged", async (damaged) => {
  const { project, main } = await importAtA();
  const { kysely } = database;
  const { content, size_bytes: size } = await kysely
    .selectFrom("repository_pack_chunk as chunk")
    .innerJoin("repository_pack as pack", "pack.name", "chunk.pack")
    .select(["chunk.content", "pack.size_bytes"])
    .where("chunk.repository_id", "=", project)
    .executeTakeFirstOrThrow();
  // The last byte before the checksum of the pack, and before those of the pack and of the index in the index.
  const place = damaged === "pack" ? size - 21 : content.length - 41;
  content[place]! ^= 1;
  await sql`update repository_pack_chunk set content = ${content} where repository_id = ${project}`.execute(kysely);
  await expect(b.tree(project, main)).rejects.toThrow(/^The pack [0-9a-f]{40} of the store is damaged\.$/);
});

it("stores a whole push, and refuses one if another node's push came first", async () => {
  const { project, main } = await importAtA();
  const push = (store: StoredRepoStore, content: string) =>
    store.receive(project, ["refs/heads/main"], async (directory) => {
      await using work = await createTestDirectory();
      await git(work.path, "clone", "--quiet", directory, ".");
      await git(work.path, "commit", "--quiet", "--allow-empty", "--message", content);
      await git(work.path, "push", "--quiet", "origin", "HEAD:refs/heads/main");
      return { exitCode: 0, head: (await git(work.path, "rev-parse", "HEAD")).trim() };
    });
  const first = await push(a, "First");
  expect(first.isStored).toBe(true);
  expect(await b.resolve(project, "refs/heads/main")).toBe(first.result.head);
  const overtaken = await a.receive(project, ["refs/heads/main"], async (directory) => {
    await git(directory, "update-ref", "refs/heads/main", main);
    await push(b, "Faster");
    return { exitCode: 0 };
  });
  expect(overtaken.isStored).toBe(false);
  expect(await a.resolve(project, "refs/heads/main")).toBe(await b.resolve(project, "refs/heads/main"));
  expect((await readdir(a.directory(project))).filter((name) => name.startsWith("incoming-"))).toEqual([]);
});

it("stores the objects of a pack with a leftover .keep file, and nothing from a push whose git was killed", async () => {
  const { project, main } = await importAtA();
  const receive = (branch: string, exitCode: number | null) =>
    a.receive(project, [`refs/heads/${branch}`], async (directory) => {
      await using work = await createTestDirectory();
      await git(work.path, "clone", "--quiet", directory, ".");
      await git(work.path, "commit", "--quiet", "--allow-empty", "--message", branch);
      await git(directory, "config", "receive.unpackLimit", "1");
      await git(work.path, "push", "--quiet", "origin", `HEAD:refs/heads/${branch}`);
      const packs = path.join(directory, "objects", "pack");
      const [pack] = (await readdir(packs)).filter((name) => name.endsWith(".pack"));
      await writeFile(path.join(packs, pack!.replace(".pack", ".keep")), "receive-pack");
      return { exitCode };
    });
  expect((await receive("marked", 0)).isStored).toBe(true);
  const tip = (await b.resolve(project, "refs/heads/marked"))!;
  expect((await b.log(project, { head: tip, base: main, limit: 5 })).map(({ id }) => id)).toEqual([tip]);
  expect((await receive("killed", null)).isStored).toBe(false);
  expect(await a.resolve(project, "refs/heads/killed")).toBeNull();
});

it("resynchronizes a copy whose references were moved by hand when a change fails on them", async () => {
  const { project, main } = await importAtA();
  const next = await commitOn(a, project, main, "next");
  await git(a.directory(project), "update-ref", "refs/heads/main", next);
  const update = { ref: "refs/heads/main", to: await commitOn(a, project, next, "later"), expected: next };
  expect(await a.updateRef(project, update)).toBe(false);
  expect(await a.resolve(project, "refs/heads/main")).toBe(main);
  expect(await a.updateRef(project, { ...update, expected: main })).toBe(true);
});

it("follows the branch that HEAD names, and branches whose locks a killed git has left", async () => {
  const { project, main } = await importAtA();
  expect(await textAt(b, project, main)).toBe("x");
  const next = await commitOn(a, project, main, "next");
  await a.updateRef(project, { ref: "refs/heads/main", to: next, expected: main });
  await a.updateRef(project, { ref: "refs/heads/trunk", to: main, expected: null });
  await a.setHead(project, "trunk");
  await writeFile(path.join(b.directory(project), "refs/heads/main.lock"), "");
  expect([await b.resolve(project, "refs/heads/main"), await b.resolve(project, "HEAD")]).toEqual([next, main]);
});

it("keeps an update stored by a node that died before updating its copy", async () => {
  const { project, main } = await importAtA();
  const dying: Database = {
    ...database,
    async transaction(work) {
      await database.transaction(work);
      throw new Error("killed");
    },
  };
  const root = path.dirname(a.directory(project));
  await using doomed = createStoredRepoStore({ database: dying, root, logger: silentLogger });
  const next = await commitOn(b, project, main, "stored");
  expect(await doomed.resolve(project, next)).toBe(next);
  const update = { ref: "refs/heads/main", to: next, expected: main };
  await expect(doomed.updateRef(project, update)).rejects.toThrow("killed");
  expect(await git(a.directory(project), "rev-parse", "refs/heads/main")).toBe(`${main}\n`);
  await using restarted = createStoredRepoStore({ database, root, logger: silentLogger });
  expect([await restarted.resolve(project, "HEAD"), await b.resolve(project, "HEAD")]).toEqual([next, next]);
  expect(await git(a.directory(project), "fsck", "--strict", "--full")).not.toMatch(/error|missing/);
});

it("replaces many packs with one that other nodes adopt, and keeps unreachable objects", async () => {
  const { project, main } = await importAtA();
  const steps: string[] = [];
  for (let step = 0; step < 42; step++) {
    steps.push(await a.snapshot(project, { base: main, edits: [page(`step ${step}`)] }));
  }
  expect(await textAt(b, project, steps[0]!)).toBe("step 0"); // B has the many packs
  expect(await a.maintain(project)).toBe(true);
  const packs = await database.kysely
    .selectFrom("repository_pack")
    .select("name")
    .where("repository_id", "=", project)
    .execute();
  expect(packs).toHaveLength(1);
  const later = await a.snapshot(project, { base: main, edits: [page("later")] });
  const c = await openNode();
  for (const store of [a, b, c]) {
    expect(await textAt(store, project, later)).toBe("later");
    expect(await textAt(store, project, steps[41]!)).toBe("step 41");
    const files = await readdir(path.join(store.directory(project), "objects", "pack"));
    expect(files.filter((name) => name.endsWith(".keep"))).toHaveLength(2);
  }
});

it("compacts packs automatically on a node that writes many", async () => {
  const { project, main } = await importAtA();
  const busy = await openNode();
  const steps = Array.from({ length: 101 }, (_, step) => page(`step ${step}`));
  const trees = [];
  for (const step of steps) trees.push(await busy.snapshot(project, { base: main, edits: [step] }));
  await busy[Symbol.asyncDispose](); // waits for the running compaction
  const packs = await database.kysely
    .selectFrom("repository_pack")
    .select("name")
    .where("repository_id", "=", project)
    .execute();
  expect(packs.length).toBeLessThan(5);
  expect(await textAt(b, project, trees[0]!)).toBe("step 0");
});

it("follows a database that was restored from a backup and has diverged since", async () => {
  const { project, main } = await importAtA();
  const { version } = await database.kysely
    .selectFrom("repository")
    .select("version")
    .where("id", "=", project)
    .executeTakeFirstOrThrow();
  const lost = await commitOn(a, project, main, "lost");
  await a.updateRef(project, { ref: "refs/heads/main", to: lost, expected: main });
  await database.kysely.updateTable("repository").set({ version }).where("id", "=", project).execute();
  await database.kysely
    .updateTable("repository_reference")
    .set({ object_id: main })
    .where("repository_id", "=", project)
    .execute();
  const other = await commitOn(b, project, main, "other");
  expect(await b.updateRef(project, { ref: "refs/heads/main", to: other, expected: main })).toBe(true);
  expect(await a.resolve(project, "refs/heads/main")).toBe(other);
});

it("removes a repository from the store and its copy from the node", async () => {
  const { project, main } = await importAtA();
  expect(await b.resolve(project, "HEAD")).toBe(main);
  await a.remove(project);
  const { rows } = await sql`select 1 from repository_pack_chunk where repository_id = ${project}`.execute(
    database.kysely,
  );
  expect(rows).toEqual([]);
  expect([await a.exists(project), await b.exists(project)]).toEqual([false, false]);
  expect(existsSync(a.directory(project))).toBe(false);
});

it("removes copies of repositories that another node deleted, and unowned repositories older than a day", async () => {
  const owned = await insertTestProject(database);
  const files = { "index.md": "x" };
  const { mirror: source } = await insertTestSource(
    { database, repoStore: a },
    { projectId: owned, name: "api", files },
  );
  const [deleted, making, left] = [newProjectId(), newProjectId(), newProjectId()];
  const all = [deleted, making, left, owned, source];
  for (const id of all) if (id !== source) await a.create(id, { branch: "main" });
  for (const id of all) await b.prepare(id);
  await sql`update repository set created_at = 0 where id in (${left}, ${owned}, ${source})`.execute(database.kysely);
  await a.remove(deleted);
  // A copy of a repository that is stored after it, as an import makes it.
  const unstored = path.join(path.dirname(b.directory(owned)), `${newProjectId()}.git`);
  await mkdir(unstored);
  await removeUnowned({ database, repoStore: b, root: path.dirname(b.directory(owned)) });
  expect(all.map((id) => existsSync(b.directory(id)))).toEqual([false, true, false, true, true]);
  expect(existsSync(unstored)).toBe(true);
  expect([await a.exists(left), await a.exists(owned)]).toEqual([false, true]);
});

it("moves a repository from a directory into the store, including unreachable objects", async () => {
  const { createRepoStore } = await import("#git/directory-repo-store.ts");
  const { path: root } = made.use(await createTestDirectory());
  const project = newProjectId();
  const before = made.use(createRepoStore({ root, logger: silentLogger }));
  await before.create(project, { branch: "trunk" });
  const tree = await before.snapshot(project, { base: EMPTY_TREE, edits: [page("kept")] });
  const commit = await before.commit(project, { tree, parents: [], message: "Start", author, at });
  await before.updateRef(project, { ref: "refs/heads/trunk", to: commit, expected: null });
  const step = await before.snapshot(project, { base: commit, edits: [page("unreferenced")] });
  const moved = made.use(createStoredRepoStore({ database, root, logger: silentLogger }));
  await moved.moveIn(project);
  expect(await b.resolve(project, "HEAD")).toBe(commit);
  expect(await textAt(b, project, step)).toBe("unreferenced");
});

it("serves reads from its copy while the database is unavailable, and refuses changes", async () => {
  const { database: other } = made.use(await openTestDatabase("postgres"));
  let isAway = false;
  const gone = new Error("Connection terminated unexpectedly");
  const kysely = new Proxy(other.kysely, {
    get(target, property) {
      if (isAway) throw gone;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  const transaction: Database["transaction"] = (work) => (isAway ? Promise.reject(gone) : other.transaction(work));
  const node = await openNode({ ...other, kysely, transaction });
  await using source = await createTestRepository({ "index.md": "x" });
  const project = newProjectId();
  await node.import(project, { source: source.path, branch: null });
  const main = (await node.resolve(project, "refs/heads/main"))!;
  isAway = true;
  expect(await node.resolve(project, "refs/heads/main")).toBe(main);
  expect(await textAt(node, project, main)).toBe("x");
  await expect(node.updateRef(project, { ref: "refs/heads/new", to: main, expected: null })).rejects.toBe(gone);
  expect(await node.resolve(project, "refs/heads/new")).toBeNull();
});
