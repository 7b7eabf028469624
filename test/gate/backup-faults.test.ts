import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { openStoreVault } from "#app/instance/store-vault.ts";
import { silentLogger } from "#lib/logger.ts";
import { createTestDirectory, git } from "#testing/repositories.ts";
import { canMount } from "#test/support/can-mount.ts";
import { runDocent } from "#test/support/commands.ts";
import { programFile } from "#test/support/processes.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";

interface Listed {
  id: string;
  release: string | null;
  missing: string[];
}

describe("backups when something is wrong", () => {
  const made = new AsyncDisposableStack();
  let instance: TestInstance;
  let root: string;
  let repository: string;
  const place = (name: string) => path.join(root, name);
  const backup = (folder: string, ...args: string[]) =>
    runDocent(["backup", "--data", instance.data, "--to", place(folder), ...args]);
  const restore = (folder: string, ...args: string[]) => runDocent(["restore", "--from", place(folder), ...args]);
  const list = async (folder: string) => JSON.parse((await restore(folder, "--list", "--json")).stdout) as Listed[];
  const manifestOf = (folder: string, id: string) => path.join(place(folder), "backups", `${id}.manifest`);

  beforeAll(async () => {
    root = made.use(await createTestDirectory()).path;
    instance = made.use(await createTestInstance("sqlite", { "index.md": "# Start\n" }));
    const { database, data } = instance;
    await writeFile(path.join(data, "instance-id"), "test\n");
    await openStoreVault({ database, config: loadConfig({ data }, {}), logger: silentLogger });
    await database.kysely.insertInto("instance_value").values({ name: "release", value: "0.1.7" }).execute();
    repository = path.join(data, "repositories", `${instance.project.id}.git`);
  });
  afterAll(() => made.disposeAsync());

  it("are incomplete if a repository is missing, and then no complete one is deleted", async () => {
    expect(await backup("lost", "--keep", "1")).toMatchObject({ exitCode: 0 });
    await rename(repository, place("aside"));
    const { exitCode, stderr } = await backup("lost", "--keep", "1");
    const lost = `The repository of test-docs is missing: repositories/${path.basename(repository)}`;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(lost)]);
    expect(stderr).not.toContain("Deleted older backups");
    const [good, bad] = await list("lost");
    expect([good?.missing, bad?.missing]).toEqual([[], [lost]]);
    const refused = await restore("lost", "--to", place("refused"));
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining(`--backup ${good!.id}.`)]);
    const checked = await restore("lost", "--check");
    expect([checked.exitCode, checked.stderr]).toEqual([1, expect.stringContaining(lost)]);
    expect((await restore("lost", "--check", "--backup", good!.id)).exitCode).toBe(0);
    await rename(place("aside"), repository);
    expect((await backup("lost", "--keep", "1")).stderr).toContain(`Deleted older backups: ${good!.id}, ${bad!.id}`);
  });

  it("are incomplete if git cannot read a repository, and --check names a damaged object", async () => {
    await rename(path.join(repository, "HEAD"), place("HEAD"));
    const { exitCode, stderr } = await backup("broken");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${path.basename(repository)} cannot be read: `)]);
    await rename(place("HEAD"), path.join(repository, "HEAD"));
    await cp(repository, place("aside"), { recursive: true });
    const blob = (await git(repository, "rev-parse", "main:index.md")).trim();
    const packs = path.join(repository, "objects", "pack");
    for (const name of await readdir(packs)) {
      if (!name.endsWith(".pack")) continue;
      const bytes = await readFile(path.join(packs, name));
      await rm(path.join(packs, name));
      await writeFile(path.join(packs, name), bytes.fill(0, 12, 40));
    }
    const loose = path.join(repository, "objects", blob.slice(0, 2), blob.slice(2));
    if ((await readdir(path.dirname(loose)).catch(() => [])).length > 0) {
      await rm(loose);
      await writeFile(loose, "damaged");
    }
    await backup("corrupt");
    const checked = await restore("corrupt", "--check");
    expect([checked.exitCode, checked.stderr]).toEqual([1, expect.stringContaining(path.basename(repository))]);
    await rm(repository, { recursive: true });
    await rename(place("aside"), repository);
  });

  it("of two servers cannot share a folder", async () => {
    await backup("shared");
    const file = path.join(instance.data, "instance-id");
    await writeFile(file, "another\n");
    const { exitCode, stderr } = await backup("shared", "--keep", "1");
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/another server .*a folder of its own/)]);
    await writeFile(file, "test\n");
    expect(await list("shared")).toHaveLength(1);
  });

  it("sort after those that were taken with a clock that was ahead", async () => {
    await backup("ahead");
    const [{ id }] = (await list("ahead")) as [Listed];
    const future = "20991231T235959999Z";
    await writeFile(manifestOf("ahead", future), (await readFile(manifestOf("ahead", id), "utf8")).replace(id, future));
    expect((await backup("ahead", "--keep", "1")).stderr).toContain(`Deleted older backups: ${id}, ${future}`);
    expect((await list("ahead")).map((one) => one.id)).toEqual(["21000101T000000000Z"]);
  });

  it("are listed, taken and kept next to one with a damaged manifest", async () => {
    await backup("torn");
    await backup("torn");
    const [first, second] = await list("torn");
    await writeFile(manifestOf("torn", second!.id), "{");
    const listed = await restore("torn", "--list");
    expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(first!.id) as string });
    expect(listed.stderr).toContain(`Damaged manifests: ${manifestOf("torn", second!.id)}`);
    const { exitCode, stderr } = await backup("torn", "--keep", "2");
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining("Docent deletes no blob")]);
    expect((await backup("torn", "--keep", "1")).stderr).toContain(
      `Deleted older backups: ${first!.id}, ${second!.id}`,
    );
  });

  it("name the version of the server, and are verified with the key that they contain", async () => {
    await backup("keyed", "--include-key");
    expect((await list("keyed"))[0]?.release).toBe("0.1.7");
    expect((await restore("keyed", "--check")).exitCode).toBe(0);
    const file = path.join(instance.data, "secrets.key");
    const key = await readFile(file);
    await writeFile(file, Buffer.alloc(32, 1).toString("base64"));
    await backup("keyed", "--include-key");
    expect((await restore("keyed", "--check")).stderr).toContain("secrets.key does not open the stored secrets: wrong");
    await writeFile(file, key);
  });

  it("say what to do without the server's DATABASE_URL, and without a passphrase", async () => {
    const file = path.join(instance.data, "docent.sqlite");
    await rename(file, place("docent.sqlite"));
    const { exitCode, stderr } = await backup("elsewhere");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("set DATABASE_URL to the server's value")]);
    expect(stderr).not.toContain("    at ");
    expect((await runDocent(["doctor", "--data", instance.data])).stdout).toContain("set DATABASE_URL");
    await rename(place("docent.sqlite"), file);
    expect((await backup("elsewhere", "--passphrase-file", place("none"))).stderr).toContain(
      "passphrase cannot be read",
    );
  });

  it.runIf(LONG_TESTS && canMount())(
    "leave a full disk as it was, make room by the oldest that is one too many, and those before stay whole",
    async () => {
      for (const name of ["small", "data"]) await mkdir(place(name)); // a small database needs little space beside it
      const script = `mount -t tmpfs -o size=4m tmpfs ${place("small")}
mount -t tmpfs -o size=16m,mode=0700 tmpfs ${place("data")} && cp -a ${instance.data}/. ${place("data")}
run() { "$0" --disable-warning=ExperimentalWarning ${programFile("src/cli/main.ts")} "$@"; echo "status $?"; }
fill() { head -c "$1" /dev/urandom > ${place("data")}/agents.json; }
backup() { run backup --data ${place("data")} --to ${place("small")}/b --keep 2; find ${place("small")}/b -type f | wc -l; }
fill 1300000; backup
fill 8000000; backup
fill 1300000; backup
fill 1300000; backup
run restore --from ${place("small")}/b --check`;
      const { stdout, stderr } = await promisify(execFile)("unshare", [
        "--mount",
        "sh",
        "-c",
        script,
        process.execPath,
      ]);
      const lines = stdout.trim().split("\n");
      const statuses = lines.filter((line) => line.startsWith("status")).map((line) => line.slice("status ".length));
      expect(statuses).toEqual(["0", "1", "0", "0", "0"]);
      const [before, after] = lines.filter((line) => /^\d+$/.test(line));
      expect(after).toBe(before);
      expect(stderr).toContain("There is no space left for the backup");
      expect(stderr).toContain("The disk of the backups is full. Deleted older backups: ");
    },
  );
});
