import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { pino } from "pino";
import { expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { silentLogger } from "#lib/logger.ts";
import { startServer } from "#main.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { createTestDirectory } from "#testing/repositories.ts";
import { createPerson } from "#test/support/person.ts";
import { canMount } from "#test/support/can-mount.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance } from "#test/support/instance.ts";
import { startProcess } from "#test/support/processes.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

const NOBODY = 65_534;
/** Only root can give a folder to another user, and be another. */
const isRoot = process.getuid?.() === 0;

/** What another user of the machine is told who reads a file; of one who cannot be tried the mode must do. */
async function readAsOther(file: string): Promise<string> {
  if (!isRoot) return ((await stat(file)).mode & 0o077) === 0 ? "Permission denied" : "";
  const { stdout, stderr } = await promisify(execFile)("cat", [file], { uid: NOBODY, gid: NOBODY }).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout + stderr;
}

/** What of a folder others may read, write or enter, by its path in it. */
async function openToOthers(folder: string): Promise<string[]> {
  const names = ["", ...(await readdir(folder, { recursive: true }))];
  const modes = await Promise.all(
    names.map(async (name) => ({ name, mode: (await stat(path.join(folder, name))).mode })),
  );
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name);
}

async function withUmask<T>(mask: number, work: () => Promise<T>): Promise<T> {
  const before = process.umask(mask);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}

const serve = (data: string, environment: Record<string, string> = {}) =>
  startProcess("src/cli/main.ts", ["serve", "--port", "0", "--json", "--data", data], environment);
/** The same in this process, with its lock: for what does not depend on a process of its own. */
const serveHere = (data: string, environment: Record<string, string> = {}, adopt = false, logger = silentLogger) =>
  startServer(loadConfig({ data, port: 0 }, environment), { logger, adopt });
const startAndStop = async (...given: Parameters<typeof serveHere>) =>
  (await serveHere(...given))[Symbol.asyncDispose]();
const list = (data: string) => runDocent(["projects", "list", "--json", "--data", data]);

it("a data directory is readable only by its own user, whatever the umask is and was", async () => {
  await using instance = await withUmask(0, () => createTestInstance("sqlite", { "index.md": "# Start\n" }));
  await chmod(instance.data, 0o755);
  await mkdir(path.join(instance.data, "journal", "1"), { recursive: true, mode: 0o700 });
  await writeFile(path.join(instance.data, "journal", "1", "id"), "made-by-an-earlier-version", { mode: 0o644 });
  for (const name of ["agents.json", "agent-addresses.json"])
    await writeFile(path.join(instance.data, name), "{}", { mode: 0o644 });
  expect((await openToOthers(instance.data)).length).toBeGreaterThan(10);
  await chmod(path.dirname(instance.data), 0o755);
  const server = await withUmask(0, () => serve(instance.data));
  const answer = await callApi(server.started.baseUrl, instance, { path: "/job", body: { prompt: "Fix the links." } });
  expect(answer.status).toBe(201);
  const files = await readdir(instance.data);
  expect(files).toEqual(expect.arrayContaining(["docent.sqlite", "docent.sqlite-wal", "docent.sqlite-shm", "journal"]));
  expect(files).toEqual(expect.arrayContaining(["secrets.key", "instance-id", `server-${server.child.pid}.json`]));
  expect(await openToOthers(instance.data)).toEqual([]);
  expect(await readAsOther(path.join(instance.data, "docent.sqlite"))).toContain("Permission denied");
  await server.kill("SIGTERM");
  expect(await openToOthers(instance.data)).toEqual([]);
});

it("a data directory is rejected if it belongs to another user", async () => {
  await using directory = await createTestDirectory();
  const data = isRoot ? directory.path : "/";
  if (isRoot) await chown(data, NOBODY, NOBODY);
  const before = await readdir(data);
  const owner = isRoot ? NOBODY : 0;
  for (const command of [
    ["serve", "--port", "0"],
    ["projects", "list"],
  ]) {
    const { exitCode, stderr } = await runDocent([...command, "--data", data]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${data} belongs to user ${owner}, and this process runs as user ${process.geteuid?.()}.`);
    expect(await readdir(data)).toEqual(before);
  }
});

it("a data directory is rejected in one sentence if it contains other files or cannot be created", async () => {
  await using directory = await createTestDirectory();
  const shared = path.join(directory.path, "shared");
  await mkdir(shared);
  await writeFile(path.join(shared, "notes.txt"), "mine");
  await chmod(path.join(shared, "notes.txt"), 0o644);
  await chmod(shared, 0o755);
  await writeFile(path.join(directory.path, "file"), "");
  for (const [data, words] of [
    [shared, "holds files that are not Docent's"],
    [path.join(directory.path, "file"), "is a file"],
    [path.join(directory.path, "file", "below"), "a part of the path is a file"],
    ["/proc/foo", "cannot be used"],
    ["/proc/foo/bar", "cannot be used"],
  ] as const) {
    const { exitCode, stderr } = await runDocent(["serve", "--port", "0", "--data", data]);
    expect([data, exitCode]).toEqual([data, 1]);
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at |unexpected failure/);
  }
  expect((await stat(shared)).mode & 0o777).toBe(0o755);
  expect((await stat(path.join(shared, "notes.txt"))).mode & 0o777).toBe(0o644);
});

it("a data directory is not created by a command that reads, and a damaged store is reported without a stack trace", async () => {
  await using directory = await createTestDirectory();
  const typo = path.join(directory.path, "typo");
  for (const args of [
    ["projects", "list"],
    ["keys", "list", "x"],
    ["jobs", "show", "job_x"],
  ]) {
    const { exitCode, stderr } = await runDocent([...args, "--data", typo]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`There is no Docent store in ${typo}.`);
  }
  expect(existsSync(typo)).toBe(false);
  await writeFile(path.join(directory.path, "docent.sqlite"), "this is no database ".repeat(100));
  const { stderr } = await list(directory.path);
  expect(stderr).toContain("cannot be used: file is not a database");
  expect(stderr).not.toMatch(/\n\s+at /);
});

it("a data directory keeps its tables under a server of another version, whatever command runs", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  const change = (text: string) => {
    using file = new DatabaseSync(path.join(instance.data, "docent.sqlite"));
    file.exec(text);
  };
  change(`delete from kysely_migration where name = (select max(name) from kysely_migration)`);
  const older = await list(instance.data);
  expect([older.exitCode, older.stderr]).toEqual([1, expect.stringContaining("older version of Docent")]);
  change(`insert into kysely_migration (name, timestamp) values ('9999-later', '2027-01-01')`);
  const newer = await list(instance.data);
  expect([newer.exitCode, newer.stderr]).toEqual([1, expect.stringContaining("newer version of Docent")]);
  const server = await runDocent(["serve", "--port", "0", "--data", instance.data]);
  expect([server.exitCode, server.stderr]).toEqual([1, expect.stringContaining("newer version of Docent")]);
});

it("a data directory with SQLite is served by one server at a time, which the error names; a kill releases it", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  const first = await serve(instance.data);
  const second = await runDocent(["serve", "--port", "0", "--data", instance.data]);
  expect(second.exitCode).toBe(1);
  expect(second.stderr).toContain(`is served at ${first.started.baseUrl} (process ${first.child.pid})`);
  const created = await runDocent(["jobs", "create", instance.project.slug, "Fix the links.", "--data", instance.data]);
  expect(created.stderr).not.toContain("No server runs");
  await first.kill("SIGKILL");
  await writeFile(path.join(instance.data, `server-${first.child.pid}.json.new`), "{");
  await using _third = await serveHere(instance.data);
  expect((await readdir(instance.data)).filter((name) => name.startsWith("server-"))).toEqual([
    `server-${process.pid}.json`,
  ]);
});

it.runIf(LONG_TESTS)(
  "a data directory has no running server after it was copied, until one starts on the copy",
  async () => {
    await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
    await using elsewhere = await createTestDirectory();
    const copy = path.join(elsewhere.path, "copy");
    const original = await serve(instance.data);
    await cp(instance.data, copy, { recursive: true });
    const create = () => runDocent(["jobs", "create", instance.project.slug, "Fix the links.", "--data", copy]);
    expect(await readdir(copy)).toContain(`server-${original.child.pid}.json`);
    expect((await create()).stderr).toContain("No server runs");
    const second = await serve(copy);
    expect((await readdir(copy)).filter((name) => name.startsWith("server-"))).toEqual([
      `server-${second.child.pid}.json`,
    ]);
    expect((await create()).stderr).not.toContain("No server runs");
    await second.kill("SIGTERM");
    await original.kill("SIGTERM");
  },
);

it("a data directory with PostgreSQL is served by several servers, and is in use until the last one stops", async () => {
  await using instance = await createTestInstance("postgres", { "index.md": "# Start\n" });
  const first = await serve(instance.data, instance.environment);
  await startAndStop(instance.data, instance.environment);
  const create = ["jobs", "create", instance.project.slug, "Fix the links.", "--data", instance.data];
  expect((await runDocent(create, { environment: instance.environment })).stderr).not.toContain("No server runs");
  await first.kill("SIGTERM");
  expect((await runDocent(create, { environment: instance.environment })).stderr).toContain("No server runs");
});

it("a data directory is rejected with an emptied or foreign database, until --adopt", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  await using other = await createTestInstance("sqlite", { "index.md": "# Other\n" });
  for (const one of [instance, other]) await startAndStop(one.data);
  await instance.database[Symbol.asyncDispose]();
  await other.database[Symbol.asyncDispose]();
  const file = path.join(instance.data, "docent.sqlite");
  await rename(file, `${file}.kept`);
  const start = () => runDocent(["serve", "--port", "0", "--data", instance.data]);
  const make = () => runDocent(["projects", "create", "New", "--data", instance.data]);
  const refused = [1, expect.stringContaining("The database is not the one of")];
  const missing = [1, expect.stringContaining("its `docent.sqlite` is not")];
  for (const attempt of [await start(), await make()]) expect([attempt.exitCode, attempt.stderr]).toEqual(missing);
  expect(existsSync(file)).toBe(false); // a backup can be put there

  await writeFile(file, "");
  for (const attempt of [await start(), await make()]) expect([attempt.exitCode, attempt.stderr]).toEqual(refused);

  await rm(file);
  await writeFile(file, await readFile(path.join(other.data, "docent.sqlite")), { mode: 0o600 });
  const foreign = await start();
  expect([foreign.exitCode, foreign.stderr]).toEqual(refused);
  expect(foreign.stderr).toContain("docent serve --adopt");

  const lines: { msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as { msg: string });
  await startAndStop(instance.data, {}, true, pino({ level: "warn" }, { write }));
  expect(lines.find(({ msg }) => msg.includes("belong together from now on"))).toMatchObject({
    withoutRepository: { count: 1, names: [other.project.slug] },
    withoutProject: { count: 1, names: [`${instance.project.id}.git`] },
  });
  await startAndStop(instance.data); // from then on they belong together
});

it("a data directory of an earlier version is rejected if the database next to its repositories is missing", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  await instance.database[Symbol.asyncDispose]();
  await rm(path.join(instance.data, "docent.sqlite"));
  const { exitCode, stderr } = await runDocent(["serve", "--port", "0", "--data", instance.data]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("its `docent.sqlite` is not")]);
});

it.runIf(canMount())(
  "that fills up after the tables were made is named, and nothing is said of what was not changed",
  async () => {
    await using directory = await createTestDirectory();
    const journal = path.join(directory.path, "data", "journal");
    await mkdir(journal, { recursive: true, mode: 0o700 });
    execFileSync("mount", ["-t", "tmpfs", "-o", "nr_inodes=1,mode=0700", "tmpfs", journal]);
    try {
      const data = path.dirname(journal);
      const { exitCode, stderr } = await runDocent(["serve", "--port", "0", "--data", data]);
      expect([exitCode, stderr.trim().split("\n")]).toEqual([
        1,
        [
          expect.stringMatching(
            /^docent: The disk is full or read-only \(.+\)\. What was done before stays\. Free /,
          ) as string,
        ],
      ]);
      expect((await list(data)).exitCode).toBe(0); // the tables are there
    } finally {
      execFileSync("umount", ["--lazy", journal]);
    }
  },
);

it.runIf(LONG_TESTS)(
  "a data directory that is empty is rejected with a full database, and nothing is written, until --adopt",
  async () => {
    await using instance = await createTestInstance("postgres", { "index.md": "# Start\n" });
    await using elsewhere = await createTestDirectory();
    const data = path.join(elsewhere.path, "not-mounted");
    const environment = { ...instance.environment, DOCENT_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };
    await (await serve(instance.data, environment)).kill("SIGTERM");
    await mkdir(data, { mode: 0o700 });
    const { exitCode, stderr } = await runDocent(["serve", "--port", "0", "--data", data], { environment });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${data} is empty, and the database has projects`)]);
    expect(stderr).toContain("docent serve --adopt");
    expect(await readdir(data)).not.toContain("instance-id");
    const adopt = ["serve", "--port", "0", "--json", "--adopt", "--data", data];
    await (await startProcess("src/cli/main.ts", adopt, environment)).kill("SIGTERM");
    await (await serve(data, environment)).kill("SIGTERM");
  },
);

it("a data directory is not changed by a server whose port is in use", async () => {
  await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
  const store = path.join(instance.data, "docent.sqlite");
  const version = () => {
    using file = new DatabaseSync(store);
    return file.prepare("select name from kysely_migration order by name desc limit 1").get();
  };
  {
    using file = new DatabaseSync(store);
    file.exec("delete from kysely_migration where name = (select max(name) from kysely_migration)");
  }
  const before = version();
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { exitCode, stderr } = await runDocent(["serve", "--port", String(port), "--data", instance.data]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("another program listens there")]);
  expect(version()).toEqual(before);
  other.close();
});

it.runIf(LONG_TESTS)(
  "a data directory is shared by all nodes of a database, even before the first project",
  async () => {
    await using postgres = await createTestDatabase();
    await using directory = await createTestDirectory();
    const [own, other] = ["first", "second"].map((name) => path.join(directory.path, name)) as [string, string];
    const environment = { DATABASE_URL: postgres.url, DOCENT_SECRET_KEY: Buffer.alloc(32, 7).toString("base64") };
    const first = await serve(own, environment);
    const { exitCode, stderr } = await runDocent(["serve", "--port", "0", "--data", other], { environment });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining(`another data directory: ${other} has never been its`),
    ]);
    expect(await readdir(other)).not.toContain("instance-id");
    const second = await serve(own, environment);
    const ready = () =>
      Promise.all([first, second].map(async ({ started }) => (await fetch(`${started.baseUrl}/ready`)).status));
    await expect.poll(ready).toEqual([200, 200]);
    await Promise.all([first.kill("SIGKILL"), second.kill("SIGKILL")]);
  },
);

it.each([
  ["before its database had the id", false],
  ["after its database had it", true],
])("is finished by the next start where the first was cut short %s", async (_, isInDatabase) => {
  await using directory = await createTestDirectory();
  const id = path.join(directory.path, "instance-id");
  expect((await runDocent(["projects", "create", "Docs", "--data", directory.path])).exitCode).toBe(0);
  expect((await runDocent(["projects", "delete", "docs", "--yes", "--data", directory.path])).exitCode).toBe(0);
  await rename(id, `${id}.new`);
  if (!isInDatabase) {
    using file = new DatabaseSync(path.join(directory.path, "docent.sqlite"));
    file.exec("delete from instance_value where name = 'id'");
  }
  expect((await runDocent(["projects", "create", "Docs", "--data", directory.path])).exitCode).toBe(0);
  expect(await readdir(directory.path)).toEqual(expect.arrayContaining(["instance-id"]));
  expect(existsSync(`${id}.new`)).toBe(false);
});

it("a data directory is named if a command creates the default ./data", async () => {
  await using directory = await createTestDirectory();
  const { docent, folder } = await createPerson(directory.path);
  const said = /^Made a new store in \.\/data, as neither --data nor DOCENT_DATA names one\. .* another --data .*\n$/;
  const first = await docent(["projects", "create", "My docs", "--json"]);
  expect([first.exitCode, JSON.parse(first.stdout)]).toMatchObject([0, { slug: "my-docs" }]);
  expect(first.stderr).toMatch(said);
  expect((await docent(["projects", "create", "More docs"])).stderr).toBe("");
  expect((await docent(["projects", "create", "Named", "--data", "./named"])).stderr).toBe("");
  await rm(path.join(folder, "data"), { recursive: true });
  // A link to a store that no server uses would open nothing.
  expect(await docent(["admin"])).toMatchObject({ exitCode: 1, stdout: "" });
  expect(existsSync(path.join(folder, "data"))).toBe(false);
});

it("a start removes what backups left, but not the copy of one that runs", async () => {
  await using directory = await createTestDirectory();
  const data = path.join(directory.path, "data");
  await startAndStop(data);
  const NO_PROCESS = 2 ** 22 + 1; // above every process ID of Linux
  const copies = [`backup-${process.ppid}.sqlite`, `backup-${process.ppid}.sqlite-wal`];
  const left = [`backup-${NO_PROCESS}.sqlite`, `backup-${NO_PROCESS}.sqlite-journal`, "backup-1.sqlite-shm"];
  for (const name of [...copies, ...left]) await writeFile(path.join(data, name), "");
  await startAndStop(data);
  expect((await readdir(data)).filter((name) => name.startsWith("backup-")).sort()).toEqual(copies);
});
