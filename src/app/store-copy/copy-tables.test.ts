import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { copyTables, rowsAtOnce, sizedTables } from "./copy-tables.ts";
import { spaceProblem } from "./copy-target.ts";
import { withFaultsNamed } from "./named-faults.ts";
import { connectForCopy, createPostgresTables } from "./postgres-tables.ts";
import { openSqliteTables } from "./sqlite-tables.ts";
import { NOT_COPIED, type StoredRow, type StoredTable, type TableStore } from "./table-store.ts";

const made = new AsyncDisposableStack();
const { signal } = new AbortController();
let url: Secret;
let there: pg.Client;
let place: (name: string) => string;

beforeAll(async () => {
  const directory = made.use(await createTestDirectory());
  place = (name) => path.join(directory.path, `${name}.sqlite`);
  url = new Secret(made.use(await createTestDatabase()).url);
  await using _ = await openDatabase({ location: { engine: "postgres", url }, logger: silentLogger, migrate: true });
  there = made.use(await connectForCopy(url));
});
afterAll(() => made.disposeAsync());

async function migratedFile(name: string): Promise<string> {
  const location = { engine: "sqlite", path: place(name) } as const;
  await using _ = await openDatabase({ location, logger: silentLogger, migrate: true });
  return location.path;
}

const copy = (source: TableStore, target: TableStore, isContinued = false) =>
  copyTables({ source, target, signal, progress: () => undefined }, { isContinued });

async function rowsOf(store: TableStore, name: string): Promise<string[]> {
  const table = (await store.tables()).find((each) => each.name === name)!;
  const found: StoredRow[] = [];
  for await (const rows of store.read(table, 3)) found.push(...rows);
  const line = (row: StoredRow) =>
    row.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : `${typeof value} ${value}`));
  return found.map((row) => line(row).join(" | ")).sort();
}

const PROJECT = "insert into project (id, slug, name, code_host, branch, settings, created_at)";
const ODD_TEXTS = [
  "",
  "NULL",
  "null",
  '{"a":[1,"\\\\"]}',
  "\\",
  "{},\"'",
  "naïve – 漢字 🚢 \u202e\n\t",
  "\ufeff",
  "x".repeat(70_000),
];

function fill(file: string): void {
  using database = new DatabaseSync(file);
  const value = database.prepare("insert into instance_value (name, value) values (?, ?)");
  for (const [index, text] of ODD_TEXTS.entries()) value.run(`odd ${index}`, text);
  const presence = database.prepare(
    "insert into visitor_presence (project, visitor, page, last, earlier) values (1, ?, 0, 1, ?)",
  );
  presence.run(
    2n ** 63n - 1n,
    Uint8Array.from({ length: 256 }, (_, index) => index),
  );
  presence.run(-(2n ** 63n), new Uint8Array());
  presence.run(2n ** 53n + 1n, null);
  database.exec(`${PROJECT} values ('prj_1', 'a', 'A', 'embedded', 'main', '{}', 1)`);
}

it("finds every table and column of the schema on both engines, and none that PostgreSQL numbers by itself", async () => {
  const file = await migratedFile("schema");
  using tables = openSqliteTables(file, { isSource: true });
  const [here, onPostgres] = [await tables.tables(), await createPostgresTables(there, { isSource: false }).tables()];
  const unordered = (all: readonly StoredTable[]) =>
    all.map((table) => ({ ...table, parents: table.parents.toSorted() }));
  expect(unordered(onPostgres)).toEqual(unordered(here));
  using database = new DatabaseSync(file);
  const all = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
  const copied = here.map(({ name }) => name);
  expect(copied.concat(...NOT_COPIED)).toEqual(expect.arrayContaining(all.map(({ name }) => name)));
  const { rows } = await there.query<{ table_name: string }>(
    "select table_name from information_schema.columns where is_identity = 'YES' or column_default like 'nextval%'",
  );
  expect(rows.filter(({ table_name: name }) => copied.includes(name))).toEqual([]);
});

it("copies any value there and back unchanged, and again only what differs", async () => {
  const [file, other] = [await migratedFile("original"), await migratedFile("returned")];
  fill(file);
  using original = openSqliteTables(file, { isSource: true });
  const onPostgres = createPostgresTables(there, { isSource: false });
  const copied = await copy(original, onPostgres);
  {
    using returned = openSqliteTables(other, { isSource: false });
    await copy(onPostgres, returned);
    for (const name of ["instance_value", "visitor_presence", "project"]) {
      expect(await rowsOf(returned, name)).toEqual(await rowsOf(original, name));
    }
  }
  await there.query("update project set name = 'B'; delete from instance_value where name = 'odd 1'");
  expect(await copy(original, onPostgres, true)).toEqual(copied);
  expect(await rowsOf(onPostgres, "project")).toEqual(await rowsOf(original, "project"));
});

it("copies each table after those that it refers to, and large rows a few at once", async () => {
  using file = openSqliteTables(await migratedFile("order"), { isSource: true });
  const before = new Set<string>();
  for (const { table } of await sizedTables(file, { signal, progress: () => undefined })) {
    expect([table.name, table.parents.filter((parent) => !before.has(parent))]).toEqual([table.name, []]);
    before.add(table.name);
  }
  const sizes = [10, 1024 * 1024, 100 * 1024 * 1024].map((widestBytes) => ({ rows: 1, bytes: 1, widestBytes }));
  expect(sizes.map(rowsAtOnce)).toEqual([1_000, 8, 1]);
});

it("refuses a copy that is not the same, and a target with other tables", async () => {
  const [file, other] = [await migratedFile("whole"), await migratedFile("partial")];
  fill(file);
  using source = openSqliteTables(file, { isSource: true });
  using target = openSqliteTables(other, { isSource: false });
  const losing: TableStore = {
    ...target,
    async *read(table, rowsAtOnceThere) {
      for await (const rows of target.read(table, rowsAtOnceThere))
        yield table.name === "instance_value" ? rows.slice(1) : rows;
    },
  };
  await target.clear(await target.tables());
  await expect(copy(source, losing)).rejects.toThrow("The copy of instance_value is not the same as the original.");
  using database = new DatabaseSync(other);
  database.exec("create table extra (id integer primary key)");
  await expect(copy(source, target)).rejects.toThrow("do not have the same tables: extra (id)");
});

it("says which of the two databases failed, and that the same command continues", async () => {
  using file = openSqliteTables(await migratedFile("full"), { isSource: false });
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  const target = withFaultsNamed({ ...file, insert: () => Promise.reject(full) });
  const [table] = await target.tables();
  await expect(target.insert(table!, [])).rejects.toThrow(
    /^The database that is copied to, .*full\.sqlite, has no space left on its disk\. Free some space, then run the same/,
  );
  await using client = await connectForCopy(url);
  const source = withFaultsNamed(createPostgresTables(client, { isSource: true }));
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  await there.query("select pg_terminate_backend($1)", [rows[0]!.pid]);
  const isNamed =
    /^The database that is copied, postgres:\/\/[^:]+:\d+\/\w+, does not answer any more: .*run the same command again/;
  const read = () => source.read(table!, 10)[Symbol.asyncIterator]().next();
  await expect(read()).rejects.toThrow(isNamed);
  await expect(read()).rejects.toThrow(isNamed); // the client knows by now
});

it("needs free space for a copy to SQLite", async () => {
  expect(await spaceProblem(place("to/be/made"), 1_000)).toBeNull();
  expect(await spaceProblem(place("to/be/made"), 1e18)).toMatch(
    / MB left, and the copy needs about 1,300,000,000,000 MB/,
  );
});

it.each([
  ["a NUL character", "'a' || char(0)", "1", "slug: contains a NUL character"],
  ["a number beyond 64 bits", "'a'", "9e99", "created_at: is not a whole number"],
])("refuses %s with the row and the column", async (name, slug, at, words) => {
  const file = await migratedFile(name);
  using database = new DatabaseSync(file);
  database.exec(`${PROJECT} values ('prj_nul', ${slug}, 'A', 'embedded', 'main', '{}', ${at})`);
  using source = openSqliteTables(file, { isSource: true });
  const target = createPostgresTables(there, { isSource: false });
  await target.clear(await target.tables());
  await expect(copy(source, target)).rejects.toThrow(`project (id = prj_nul), column ${words}`);
});
