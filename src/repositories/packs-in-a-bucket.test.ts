import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "#db/database.ts";
import { newProjectId, type ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { StorageUnavailable } from "#lib/storage-unavailable.ts";
import { createBucket } from "#object-storage/bucket.ts";
import { openTestDatabase } from "#testing/databases.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { startS3Server } from "#testing/s3-server.ts";
import { countMisplaced, movePacks } from "./move-packs.ts";
import type { PackPlaces } from "./pack-places.ts";
import { createStoredRepoStore, type StoredRepoStore } from "./stored-repo-store.ts";
import { removeUnused } from "./unused-objects.ts";

const author = { name: "Docent", email: "docent@example.com" };
const at = new Date("2026-03-04T05:06:07Z");
const DAY_MS = 86_400_000;

const made = new AsyncDisposableStack();
afterAll(() => made.disposeAsync());

let database: Database;
let server: Awaited<ReturnType<typeof startS3Server>>;
let places: PackPlaces;
let a: StoredRepoStore;
let b: StoredRepoStore;

const openNode = async (own: PackPlaces = places): Promise<StoredRepoStore> => {
  const { path: root } = made.use(await createTestDirectory());
  return made.use(createStoredRepoStore({ database, root, logger: silentLogger, places: own }));
};

beforeAll(async () => {
  ({ database } = made.use(await openTestDatabase("postgres")));
  server = made.use(await startS3Server());
  const bucket = createBucket({ settings: server.settings, logger: silentLogger, holdMs: 0, replyMs: 2_000 });
  places = { bucket, writesTo: "s3", keepMs: 7 * DAY_MS };
  [a, b] = [await openNode(), await openNode()];
});
beforeEach(async () => {
  Object.assign(server.behaviour, { fault: null, delayMs: 0, beforePut: null });
  await database.kysely.deleteFrom("repository").execute();
  await database.kysely.deleteFrom("unused_object").execute();
  server.objects.clear();
});

async function importAtA(): Promise<{ project: ProjectId; main: string }> {
  await using source = await createTestRepository({ "index.md": "first" });
  const project = newProjectId();
  await a.import(project, { source: source.path, branch: null });
  return { project, main: (await a.resolve(project, "refs/heads/main"))! };
}

async function commitOn(store: StoredRepoStore, project: ProjectId, parent: string, text: string): Promise<string> {
  const edits = [{ path: "index.md", content: Buffer.from(text) }];
  const tree = await store.snapshot(project, { base: parent, edits });
  return store.commit(project, { tree, parents: [parent], message: text, author, at });
}

const moveMain = (store: StoredRepoStore, project: ProjectId, from: string, to: string) =>
  store.updateRef(project, { ref: "refs/heads/main", to, expected: from });

async function textAt(store: StoredRepoStore, project: ProjectId, commit: string): Promise<string> {
  const [file] = await store.tree(project, commit);
  return (await store.readBlob(project, file!.oid)).toString();
}

const unused = () => database.kysely.selectFrom("unused_object").selectAll().execute();
const makeAllDue = () => database.kysely.updateTable("unused_object").set({ remove_after: 0 }).execute();
const sweep = () => removeUnused({ database, bucket: places.bucket! });

it("keeps packs in the bucket and nothing of them in the database, and reads them on another node", async () => {
  const { project, main } = await importAtA();
  const next = await commitOn(a, project, main, "second");
  await moveMain(a, project, main, next);
  expect(await textAt(b, project, next)).toBe("second");
  expect(await database.kysely.selectFrom("repository_pack_chunk").select("pack").execute()).toEqual([]);
  const rows = await database.kysely.selectFrom("repository_pack").select("object").execute();
  expect(rows.map(({ object }) => `docent/${object}`).sort()).toEqual([...server.objects.keys()].sort());
});

it("lets one of two nodes that move the same branch win, and keeps both commits' objects", async () => {
  const { project, main } = await importAtA();
  const commits = await Promise.all([commitOn(a, project, main, "A"), commitOn(b, project, main, "B")]);
  const won = await Promise.all([moveMain(a, project, main, commits[0]!), moveMain(b, project, main, commits[1]!)]);
  expect(won.filter(Boolean)).toHaveLength(1);
  const winner = commits[won.indexOf(true)]!;
  expect([await a.resolve(project, "refs/heads/main"), await b.resolve(project, "refs/heads/main")]).toEqual([
    winner,
    winner,
  ]);
  expect(await Promise.all(commits.map((commit) => textAt(a, project, commit)))).toEqual(["A", "B"]);
});

it("removes an object whose row was never written, as after a kill, once it is due and not before", async () => {
  const { project, main } = await importAtA();
  const stored = new Set(server.objects.keys());
  const killed = await openNode({
    ...places,
    bucket: {
      ...places.bucket!,
      put: async (...args) => (await places.bucket!.put(...args), new Promise(() => undefined)),
    },
  });
  void commitOn(killed, project, main, "never acknowledged");
  await expect.poll(() => server.objects.size).toBe(stored.size + 1);
  await sweep();
  expect(server.objects.size).toBe(stored.size + 1);
  const hours = (await unused()).map(({ remove_after }) => Math.round((Number(remove_after) - Date.now()) / 3_600_000));
  expect(hours).toEqual([24]);
  await makeAllDue();
  await sweep();
  expect([new Set(server.objects.keys()), await unused()]).toEqual([stored, []]);
  expect(await textAt(b, project, main)).toBe("first");
});

it("does not commit a pack whose object was removed because storing it took too long", async () => {
  const { project, main } = await importAtA();
  server.behaviour.beforePut = async () => {
    server.behaviour.beforePut = null;
    await makeAllDue();
    await sweep();
  };
  await expect(commitOn(a, project, main, "late")).rejects.toMatchObject({ code: "unavailable" });
  expect(await b.resolve(project, "refs/heads/main")).toBe(main);
});

it("keeps the objects of replaced packs for a time, and removes those of a deleted repository at once", async () => {
  const { project, main } = await importAtA();
  let tip = main;
  for (let number = 0; number < 42; number++) tip = await commitOn(a, project, tip, String(number));
  await moveMain(a, project, main, tip);
  const before = server.objects.size;
  expect(await a.maintain(project)).toBe(true);
  await sweep();
  expect(server.objects.size).toBe(before + 1);
  await makeAllDue();
  await sweep();
  expect(server.objects.size).toBe(1);
  expect(await textAt(b, project, tip)).toBe("41");
  await a.remove(project);
  expect([server.objects.size, await unused()]).toEqual([0, []]);
}, 60_000);

it("removes the objects of a repository that was deleted during an outage when the bucket is back", async () => {
  const { project } = await importAtA();
  server.behaviour.fault = { status: 503, code: "SlowDown" };
  await a.remove(project);
  expect(await a.exists(project)).toBe(false);
  server.behaviour.fault = null;
  expect(server.objects.size).toBe(1);
  await sweep();
  expect(server.objects.size).toBe(0);
});

it.each(["answers 503", "is slow"])(
  "serves what a node has and refuses writes while the bucket %s",
  async (how) => {
    const { project, main } = await importAtA();
    expect(await textAt(b, project, main)).toBe("first");
    const next = await commitOn(a, project, main, "second");
    await moveMain(a, project, main, next);
    if (how === "is slow") server.behaviour.delayMs = 3_000;
    else server.behaviour.fault = { status: 503, code: "SlowDown" };
    // Node B has an older copy, which it serves.
    expect(await b.resolve(project, "HEAD")).toBe(main);
    expect(await textAt(b, project, main)).toBe("first");
    await expect(commitOn(a, project, next, "third")).rejects.toBeInstanceOf(StorageUnavailable);
    Object.assign(server.behaviour, { fault: null, delayMs: 0 });
    // Of several requests, one finds out that the bucket is back; the others are refused once more.
    await expect.poll(() => b.resolve(project, "HEAD")).toBe(next);
    const third = await commitOn(a, project, next, "third");
    expect(await moveMain(a, project, next, third)).toBe(true);
  },
  60_000,
);

it("moves packs of the database into the bucket and back, while other nodes read and write", async () => {
  const old = await openNode({ bucket: null, writesTo: "database", keepMs: 0 });
  await using source = await createTestRepository({ "index.md": "first" });
  const project = newProjectId();
  await old.import(project, { source: source.path, branch: null });
  const main = (await old.resolve(project, "refs/heads/main"))!;
  const next = await commitOn(a, project, main, "second"); // reads the chunks, and writes to the bucket
  await moveMain(a, project, main, next);
  expect(await countMisplaced(database, "s3")).toBe(1);
  const { signal } = new AbortController();
  const moves = await Promise.all([
    movePacks({ database, places }, { signal }),
    movePacks({ database, places }, { signal }),
  ]);
  expect(moves.reduce((sum, count) => sum + count)).toBe(1);
  expect(await countMisplaced(database, "s3")).toBe(0);
  expect(await textAt(b, project, main)).toBe("first");

  const back: PackPlaces = { ...places, writesTo: "database" };
  const packs = await countMisplaced(database, "database");
  expect(await movePacks({ database, places: back }, { signal })).toBe(packs);
  await makeAllDue();
  await sweep();
  expect(server.objects.size).toBe(0);
  const c = await openNode({ bucket: null, writesTo: "database", keepMs: 0 });
  expect([await textAt(c, project, main), await textAt(c, project, next)]).toEqual(["first", "second"]);
}, 60_000);

it("says that an object is lost, and leaves it in its place when packs are moved", async () => {
  const { project, main } = await importAtA();
  server.objects.clear();
  const reason = await b.resolve(project, "HEAD").then(
    () => null,
    (error: StorageUnavailable) => error.reason,
  );
  expect(reason).toMatch(/^The object prj_.* is missing/);
  expect(await textAt(a, project, main)).toBe("first");
  const back: PackPlaces = { ...places, writesTo: "database" };
  expect(await movePacks({ database, places: back }, { signal: new AbortController().signal })).toBe(0);
});
