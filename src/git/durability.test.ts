import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { newProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { type Flushes, recordFlushes } from "#testing/flushes.ts";
import { createTestDirectory, createTestRepository } from "#testing/repositories.ts";
import { EMPTY_TREE } from "./objects/objects.ts";
import { createRepoStore } from "./directory-repo-store.ts";

const author = { name: "Docent", email: "docent@example.com" };
const at = new Date("2026-03-04T05:06:07Z");

async function start() {
  await using made = new AsyncDisposableStack();
  const folder = made.use(await createTestDirectory());
  const root = path.join(folder.path, "repositories");
  const store = made.use(createRepoStore({ root, logger: silentLogger }));
  const flushes = made.use(await recordFlushes());
  const project = newProjectId();
  const owned = made.move();
  return {
    root,
    store,
    project,
    flushes,
    lost: () => lostOf(flushes, store.directory(project)),
    write: (pages: number, name: string) =>
      store.snapshot(project, {
        base: EMPTY_TREE,
        edits: Array.from({ length: pages }, (_, index) => ({
          path: `${name}-${index}.md`,
          content: Buffer.from(`# ${name} ${index}\n`),
        })),
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Files of a repository that a power failure may lose. Excludes reference files, which git flushes itself. */
async function lostOf(flushes: Flushes, directory: string): Promise<string[]> {
  const references = new Set(
    (await filesBelow(path.join(directory, "refs"))).map((file) => path.relative(directory, file)),
  );
  return (await flushes.unflushed(directory)).filter((place) => !references.has(place));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

it("a new repository and its directory entry are flushed before create returns", async () => {
  await using run = await start();
  await run.store.create(run.project, { branch: "main" });
  expect(await run.lost()).toEqual([]);
  expect(await run.flushes.unflushed(run.root)).toEqual([]);
});

it("an imported repository and its directory entry are flushed before import returns", async () => {
  await using run = await start();
  await using source = await createTestRepository({ "index.md": "# Start\n", "guides/a.md": "# A\n" });
  await run.store.import(run.project, { source: source.path, branch: null });
  expect(await run.flushes.unflushed(run.root)).toEqual([]);
});

it("the removal of a repository is flushed", async () => {
  await using run = await start();
  await run.store.create(run.project, { branch: "main" });
  await run.store.remove(run.project);
  expect(await run.flushes.isGone(run.root, `${run.project}.git`)).toBe(true);
});

it("written objects and their directory entries are flushed, as loose files and as a pack", async () => {
  await using run = await start();
  await run.store.create(run.project, { branch: "main" });
  const few = await run.write(3, "few");
  expect(await run.lost()).toEqual([]);
  await run.store.commit(run.project, { tree: few, parents: [], message: "Few", author, at });
  expect(await run.lost()).toEqual([]);
  await run.write(100, "many");
  expect(await run.lost()).toEqual([]);

  const files = await filesBelow(path.join(run.store.directory(run.project), "objects/pack"));
  const order = await run.flushes.order(files.sort());
  expect(order.map((file) => path.extname(file))).toEqual([".pack", ".idx"]);
});

it("a moved branch is flushed with every folder of its name", async () => {
  await using run = await start();
  await run.store.create(run.project, { branch: "main" });
  const tree = await run.write(1, "page");
  const commit = await run.store.commit(run.project, { tree, parents: [], message: "One", author, at });
  for (const ref of ["refs/heads/main", "refs/heads/docent/fix/links"]) {
    expect(await run.store.updateRef(run.project, { ref, to: commit, expected: null })).toBe(true);
    expect(await run.lost()).toEqual([]);
  }
  await run.store.updateRef(run.project, { ref: "refs/heads/main", to: null, expected: commit });
  expect(await run.flushes.isGone(path.join(run.store.directory(run.project), "refs/heads"), "main")).toBe(true);
});
