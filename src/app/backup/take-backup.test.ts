import { readdirSync, rmSync, statSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { afterAll, beforeEach, expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { type BackupFolder, openForBackup, openForRestore } from "./backup-folder.ts";
import { checkRestored } from "./check-restored.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

const made = new AsyncDisposableStack();
const { signal } = new AbortController();
let instance: TestInstance;
let root: string;
const repository = () => path.join(instance.data, "repositories", `${instance.project.id}.git`);

beforeEach(async () => {
  root = made.use(await createTestDirectory()).path;
  instance = made.use(await createTestInstance("sqlite", { "index.md": "# Start\n", "a.md": "# A\n" }));
});
afterAll(() => made.disposeAsync());

const options = () => ({
  config: loadConfig({ data: instance.data }, {}),
  includeKey: false,
  withoutDatabase: false,
  environment: {},
  signal,
  progress: () => undefined,
});

/** Takes a backup while `at` changes its source, restores and verifies it; returns the restored directory. */
async function backupDuring(at: {
  progress?(words: string): void;
  put?(content: Uint8Array): Promise<void>;
}): Promise<string> {
  using folder = await openForBackup(path.join(root, "backups"), { instance: "test", passphrase: null });
  const disturbed: BackupFolder = {
    ...folder,
    async put(content) {
      await at.put?.(content);
      return folder.put(content);
    },
  };
  const { manifest } = await takeBackup({
    ...options(),
    folder: disturbed,
    progress: (words) => at.progress?.(words),
  });
  const directory = path.join(root, "restored");
  await restoreBackup(directory, { folder, manifest, signal, progress: () => undefined });
  await checkRestored(directory, { manifest, signal, progress: () => undefined });
  return directory;
}

it("contains views whose journal file is folded and deleted before the database is read", async () => {
  const journal = path.join(instance.data, "journal", "1");
  await mkdir(journal, { recursive: true });
  await writeFile(path.join(journal, "0000000001.journal"), "views");
  const restored = await backupDuring({
    progress(words) {
      if (words === "Database") rmSync(journal, { recursive: true });
    },
  });
  expect(await readFile(path.join(restored, "journal", "1", "0000000001.journal"), "utf8")).toBe("views");
});

it("contains every object of a repository that is packed during the copy, even without references", async () => {
  await writeFile(path.join(root, "page.md"), "# A page that a job is writing\n");
  const written = (await git(repository(), "hash-object", "-w", path.join(root, "page.md"))).trim();
  let isPacked = false;
  const restored = await backupDuring({
    async put(content) {
      if (isPacked || content[0] !== 0x78) return; // magic bytes of a loose object
      isPacked = true;
      await git(repository(), "gc", "--quiet", "--cruft", "--prune=never");
    },
  });
  expect(isPacked).toBe(true);
  const directory = path.join(restored, "repositories", `${instance.project.id}.git`);
  const packs = await readdir(path.join(repository(), "objects", "pack"));
  const there = await readdir(path.join(directory, "objects", "pack"));
  expect(there).toEqual(expect.arrayContaining(packs.filter((name) => /\.(?:pack|idx|mtimes)$/.test(name))));
  expect(await git(directory, "cat-file", "blob", written)).toBe("# A page that a job is writing\n");
  expect(await git(directory, "show", "refs/heads/main:a.md")).toBe("# A\n");
});

it.each(["database", "pack", "loose object"])("is not complete if the %s is damaged", async (what) => {
  await writeFile(path.join(root, "page.md"), "# A page\n");
  const name = (await git(repository(), "hash-object", "-w", path.join(root, "page.md"))).trim();
  let file = path.join(repository(), "objects", name.slice(0, 2), name.slice(2));
  let damage = { from: 12, to: 13 };
  if (what === "pack") {
    await git(repository(), "gc", "--quiet", "--cruft", "--prune=never");
    const packs = path.join(repository(), "objects", "pack");
    file = path.join(
      packs,
      (await readdir(packs)).find((one) => one.endsWith(".pack"))!,
    );
  }
  if (what === "database") {
    file = path.join(instance.data, "docent.sqlite");
    damage = pageOf(file, "visitor_presence");
  }
  await chmod(file, 0o600);
  await writeFile(file, (await readFile(file)).fill(0xff, damage.from, damage.to));
  using folder = await openForBackup(path.join(root, "backups"), { instance: "test", passphrase: null });
  // The second one finds in the first what it must not take for intact.
  for (const _night of [1, 2]) {
    const { manifest } = await takeBackup({ ...options(), folder });
    expect(manifest.missing.join()).toMatch(/damaged/);
  }
});

it("reads objects again once that a backup from before they were checked has", async () => {
  await writeFile(path.join(root, "page.md"), "# A page\n");
  const name = (await git(repository(), "hash-object", "-w", path.join(root, "page.md"))).trim();
  using folder = await openForBackup(path.join(root, "backups"), { instance: "test", passphrase: null });
  const take = async (from: BackupFolder) => (await takeBackup({ ...options(), folder: from })).manifest.missing.join();
  expect(await take(folder)).toBe("");
  const file = path.join(repository(), "objects", name.slice(0, 2), name.slice(2));
  await chmod(file, 0o600);
  await writeFile(file, (await readFile(file)).fill(0xff, 12, 13));
  const ofBefore: BackupFolder = {
    ...folder,
    read: async (id) => ({ ...(await folder.read(id)), objectsChecked: false }),
  };
  expect(await take(ofBefore)).toMatch(/damaged/);
});

/** The first page of a table in a database's file. */
function pageOf(file: string, table: string): { from: number; to: number } {
  using database = new DatabaseSync(file);
  database.exec("pragma wal_checkpoint(truncate)");
  const { rootpage } = database.prepare("select rootpage from sqlite_schema where name = ?").get(table) as {
    rootpage: number;
  };
  const { page_size: size } = database.prepare("pragma page_size").get() as { page_size: number };
  return { from: (rootpage - 1) * size, to: rootpage * size };
}

it("starts again if a project is deleted after its row was read", async () => {
  let isDeleted = false;
  const restored = await backupDuring({
    async put(content) {
      if (isDeleted || !Buffer.from(content).includes("refs/heads/main\n") || content[0] === 0x53) return; // the references
      isDeleted = true;
      await instance.database.kysely.deleteFrom("project").execute();
      await rm(repository(), { recursive: true });
    },
  });
  expect(isDeleted).toBe(true);
  using database = new DatabaseSync(path.join(restored, "docent.sqlite"), { readOnly: true });
  expect(database.prepare("select count(*) as count from project").get()).toEqual({ count: 0 });
  expect(await readdir(restored)).not.toContain("repositories");
});

it("reads a database of the first version without migrating it", async () => {
  await sql`alter table instance_value rename to instance_secret`.execute(instance.database.kysely);
  await sql`delete from kysely_migration where name >= '0005'`.execute(instance.database.kysely);
  await backupDuring({});
  const [taken] = await (await openForRestore(path.join(root, "backups"), null)).readAll();
  expect(taken?.manifest).toMatchObject({ missing: [], release: null });
});

const copiesNow = () => readdirSync(instance.data).filter((name) => name.startsWith("backup-"));

it("leaves nothing in the data directory", async () => {
  await backupDuring({});
  expect(copiesNow()).toEqual([]);
});

it("copies the database to files that only its own user can read, whatever the umask is", async () => {
  const before = process.umask(0);
  const modes: string[] = [];
  try {
    await backupDuring({
      progress() {
        modes.push(...copiesNow().map((name) => (statSync(path.join(instance.data, name)).mode & 0o777).toString(8)));
      },
    });
  } finally {
    process.umask(before);
  }
  expect([...new Set(modes)]).toEqual(["600"]);
});

it("is readable only by its own user, whatever the umask is", async () => {
  const before = process.umask(0);
  try {
    await backupDuring({});
  } finally {
    process.umask(before);
  }
  const folder = path.join(root, "backups");
  const below = await readdir(folder, { recursive: true });
  const names = ["", ...below.filter((name) => name !== "lock")]; // the lock is always empty
  const modes = await Promise.all(names.map(async (name) => (await stat(path.join(folder, name))).mode & 0o077));
  expect(names.filter((_, index) => modes[index] !== 0)).toEqual([]);
  expect(names).toContain("backups");
});
