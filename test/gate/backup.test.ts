import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningServer } from "#main.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { userAgents } from "#testing/views.ts";
import { runDocent } from "#test/support/commands.ts";
import { NODE_COMPILE_CACHE, programFile } from "#test/support/processes.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { serveInstance } from "#test/support/server.ts";

const FILES = { "index.md": "# Start\n\nAll about ships.\n" };
const LOAD_MS = LONG_TESTS ? 10_000 : 0;
/** Between two pushes, jobs or views: the gate needs some during the backup, not as many as there can be. */
const PAUSE_MS = LONG_TESTS ? 0 : 100;

/** What clients of a server know to be done. */
interface Acknowledged {
  commits: string[];
  jobs: string[];
  views: number;
}

interface Taken {
  id: string;
  size: number;
  written: number;
}

interface Load {
  acknowledged(): Acknowledged;
  counts(): Record<string, number>;
  stop(): Promise<void>;
}

/** Pushes, jobs and views, one after another each, until they are stopped. */
async function startLoad({ baseUrl }: RunningServer, instance: TestInstance, work: string): Promise<Load> {
  const { project, key } = instance;
  const done: Acknowledged = { commits: [], jobs: [], views: 0 };
  const ended = { now: false };
  const origin = baseUrl.replace("://", `://docent:${key}@`);
  await git(path.dirname(work), "clone", "--quiet", `${origin}/git/${project.slug}.git`, work);
  const repeat = async (step: (turn: number) => Promise<void>) => {
    for (let turn = 1; !ended.now; turn++) {
      await step(turn);
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all([
    repeat(async (turn) => {
      const commit = await commitFiles(work, { [`pages/${turn}.md`]: `# Page ${turn}\n` }, `Page ${turn}`);
      await git(work, "push", "--quiet", "origin", "HEAD:refs/heads/drafts");
      done.commits.push(commit);
    }),
    repeat(async (turn) => {
      const prompt = `Replace "ships" with "ships number ${turn}".`;
      const { body } = await callApi(baseUrl, instance, { path: "/job", body: { prompt } });
      const job = await waitForJob(baseUrl, instance, body.id);
      expect(job.status).toBe("completed");
      done.jobs.push(job.id);
    }),
    repeat(async (turn) => {
      const views = [
        { event_id: `e${turn}`, path: "/", address: `192.0.2.${turn % 250}`, userAgent: userAgents.chrome },
      ];
      const response = await fetch(`${baseUrl}/v1/analytics/${project.id}/views`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ views }),
      });
      expect(response.status).toBe(200);
      done.views += 1;
    }),
  ]);
  return {
    acknowledged: () => structuredClone(done),
    counts: () => ({ commits: done.commits.length, jobs: done.jobs.length, views: done.views }),
    async stop() {
      ended.now = true;
      await running;
    },
  };
}

/** The views that a server has counted, once there are that many. */
async function countedViews(baseUrl: string, { project, key }: TestInstance, wanted: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(`${baseUrl}/v1/analytics/${project.id}/views`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { totals } = (await response.json()) as { totals: { total: number } };
    if (totals.total >= wanted || tries === 100) return totals.total;
    await sleep(100);
  }
}

it("a backup has everything that a server under load had acknowledged, and a server starts on it elsewhere", async () => {
  await using directory = await createTestDirectory();
  const place = (name: string) => path.join(directory.path, name);
  await using instance = await createTestInstance("sqlite", FILES, { DOCENT_JOURNAL_SECONDS: "0.2" });
  await writeFile(place("passphrase"), "correct horse battery staple\n");
  const sealed = ["--passphrase-file", place("passphrase"), "--json"];
  const server = await serveInstance(instance);
  const load = await startLoad(server, instance, place("work"));
  await sleep(LOAD_MS);
  await expect.poll(() => Math.min(...Object.values(load.counts()))).toBeGreaterThanOrEqual(1);
  const before = load.acknowledged();
  const args = ["backup", "--data", instance.data, "--to", place("backups"), ...sealed];
  const first = await runDocent(args);
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  await load.stop();
  const second = await runDocent(args);
  expect(second).toMatchObject({ exitCode: 0, stderr: "" });
  await server[Symbol.asyncDispose]();
  const [{ id }, again] = [first, second].map(({ stdout }) => JSON.parse(stdout) as Taken) as [Taken, Taken];
  // The database changed, the objects of the repository did not.
  expect(again.written).toBeLessThan(again.size);

  const restored = await runDocent([
    "restore",
    "--from",
    place("backups"),
    "--to",
    place("data"),
    "--backup",
    id,
    "--check",
    ...sealed,
  ]);
  expect(restored.exitCode).toBe(0);
  await rm(instance.data, { recursive: true });
  const errors: string[] = [];
  const logger = pino({ level: "error" }, { write: (line) => errors.push(line) });
  await using other = await serveInstance({ data: place("data"), environment: instance.environment }, { logger });
  const { baseUrl } = other;
  for (const job of before.jobs) {
    expect((await callApi(baseUrl, instance, { path: `/job/${job}` })).body.status).toBe("completed");
  }
  await git(
    directory.path,
    "clone",
    "--quiet",
    "--bare",
    `${baseUrl.replace("://", `://docent:${instance.key}@`)}/git/${instance.project.slug}.git`,
    place("clone"),
  );
  const there = (await git(place("clone"), "rev-list", "refs/heads/drafts")).split("\n");
  expect(before.commits.filter((commit) => !there.includes(commit))).toEqual([]);
  expect(await countedViews(baseUrl, instance, before.views)).toBeGreaterThanOrEqual(before.views);
  expect(errors).toEqual([]);
});

describe("backups of a data directory", () => {
  const made = new AsyncDisposableStack();
  let instance: TestInstance;
  let root: string;
  const place = (name: string) => path.join(root, name);
  const backup = (...args: string[]) => runDocent(["backup", "--data", instance.data, ...args]);
  const restore = (...args: string[]) => runDocent(["restore", ...args]);
  const blobsOf = async (folder: string) => {
    const names = await readdir(path.join(folder, "blobs"), { recursive: true });
    return names.filter((name) => name.includes("/")).map((name) => path.join(folder, "blobs", name));
  };

  beforeAll(async () => {
    root = made.use(await createTestDirectory()).path;
    instance = made.use(await createTestInstance("sqlite", FILES));
    await writeFile(path.join(instance.data, "instance-id"), "test\n");
    await writeFile(path.join(instance.data, "secrets.key"), "the key\n");
  });
  afterAll(() => made.disposeAsync());

  it("contain the key only if they are encrypted or it is requested, and say so", async () => {
    const plain = await backup("--to", place("plain"));
    expect(plain.exitCode).toBe(0);
    expect(plain.stderr).toContain("secrets.key is not in this backup");
    await restore("--from", place("plain"), "--to", place("without-key"));
    expect(await readdir(place("without-key"))).not.toContain("secrets.key");
    await backup("--to", place("with-key-backups"), "--include-key");
    await restore("--from", place("with-key-backups"), "--to", place("with-key"));
    expect(await readFile(path.join(place("with-key"), "secrets.key"), "utf8")).toBe("the key\n");
  });

  it("are made of a store from before stores had IDs, which then takes the ID of its backups", async () => {
    await using old = await createTestInstance("sqlite", FILES);
    expect(await readdir(old.data)).not.toContain("instance-id");
    const copy = ["--data", old.data, "--to", place("of-old")];
    expect((await runDocent(["backup", ...copy])).exitCode).toBe(0);
    expect((await runDocent(["projects", "create", "More", "--data", old.data])).exitCode).toBe(0);
    expect(await readdir(old.data)).toContain("instance-id");
    expect((await runDocent(["backup", ...copy])).exitCode).toBe(0);
  });

  it("cannot be read without the passphrase", async () => {
    await writeFile(place("passphrase"), "correct horse battery staple\n");
    await writeFile(place("other"), "another horse battery staple\n");
    const sealed = ["--passphrase-file", place("passphrase")];
    expect((await backup("--to", place("sealed"), ...sealed)).exitCode).toBe(0);
    for (const file of await blobsOf(place("sealed"))) {
      expect((await readFile(file)).toString("latin1")).not.toMatch(/SQLite format|refs\/heads|the key|\[core\]/);
    }
    const from = ["--from", place("sealed"), "--check"];
    expect((await restore(...from)).stderr).toContain("are encrypted: add --passphrase-file");
    expect((await restore(...from, "--passphrase-file", place("other"))).stderr).toContain("passphrase is not the one");
    expect(await restore(...from, ...sealed)).toMatchObject({ exitCode: 0 });
  });

  it("are kept up to the requested number, and unreferenced blobs are deleted", async () => {
    const to = ["--to", place("kept"), "--keep", "2", "--json"];
    const ids: string[] = [];
    for (let turn = 1; turn <= 3; turn++) {
      await writeFile(path.join(instance.data, "agents.json"), `{"turn":${turn}}`);
      ids.push((JSON.parse((await backup(...to)).stdout) as { id: string }).id);
    }
    const listed = JSON.parse((await restore("--from", place("kept"), "--list", "--json")).stdout) as { id: string }[];
    expect(listed.map(({ id }) => id)).toEqual(ids.slice(1));
    const contents = await Promise.all((await blobsOf(place("kept"))).map((file) => readFile(file, "latin1")));
    expect(contents.filter((text) => text.startsWith('{"turn"')).sort()).toEqual(['{"turn":2}', '{"turn":3}']);
    await rm(path.join(instance.data, "agents.json"));
  });

  it("name a modified, truncated or missing blob, and the next backup writes it again", async () => {
    await backup("--to", place("damaged"));
    const from = ["--from", place("damaged"), "--check"];
    const blobs = await blobsOf(place("damaged"));
    const [file = ""] = blobs;
    const whole = await readFile(file);
    for (const bytes of [Buffer.concat([whole, Buffer.from("x")]), whole.subarray(0, whole.length - 1), null]) {
      await rm(file);
      if (bytes !== null) await writeFile(file, bytes);
      const { exitCode, stderr } = await restore(...from);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`${file} is ${bytes === null ? "missing" : "damaged"}`);
    }
    await backup("--to", place("damaged"));
    expect(await restore(...from)).toMatchObject({ exitCode: 0 });
  });

  it("do not exist before they are complete, even if they are killed", async () => {
    const journal = path.join(instance.data, "journal", "1");
    await mkdir(journal, { recursive: true });
    await writeFile(path.join(journal, "0000000001.journal"), randomBytes(64 * 1024 * 1024));
    const args = [programFile("src/cli/main.ts"), "backup", "--data", instance.data, "--to", place("killed")];
    const child = spawn(process.execPath, args, {
      stdio: "ignore",
      env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE },
    });
    const ended = once(child, "exit");
    await expect.poll(() => readdir(path.join(place("killed"), "blobs"))).not.toHaveLength(0);
    child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect((await restore("--from", place("killed"), "--check")).stderr).toContain("There is no finished backup");
    await rm(journal, { recursive: true });
    expect((await backup("--to", place("killed"), "--keep", "1")).exitCode).toBe(0);
    expect(await restore("--from", place("killed"), "--check")).toMatchObject({ exitCode: 0 });
    expect((await blobsOf(place("killed"))).length).toBeLessThan(64);
    expect((await readdir(place("killed"), { recursive: true })).filter((name) => name.includes(".new-"))).toEqual([]);
  });

  it("are restored into empty directories only, and taken outside of the data directory", async () => {
    await backup("--to", place("strict"));
    const { exitCode, stderr } = await restore("--from", place("strict"), "--to", instance.data);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("is not empty")]);
    expect((await backup("--to", path.join(instance.data, "b"))).stderr).toContain("outside of the data directory");
    expect((await restore("--from", root, "--check")).stderr).toContain("There are no backups in");
    expect((await backup("--to", root)).stderr).toContain("holds other files");
  });

  it("take a PostgreSQL database with pg_dump, or say what to do without it", async () => {
    const bin = place("bin");
    await mkdir(bin);
    await writeFile(path.join(bin, "pg_dump"), '#!/bin/sh\necho "dump of $4 $PGPASSWORD"\n');
    await chmod(path.join(bin, "pg_dump"), 0o755);
    const environment = { DATABASE_URL: "postgres://docent:geheim@db.example.com/docent" };
    const args = ["backup", "--data", instance.data, "--to", place("postgres")];
    const missing = await runDocent(args, { environment: { ...environment, PATH: "/nonexistent" } });
    expect(missing.stderr).toContain("`pg_dump` is not installed here");
    const taken = await runDocent([...args, "--json"], {
      environment: { ...environment, PATH: `${bin}:/usr/bin:/bin` },
    });
    expect(taken).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("The database cannot be read: ") as string,
    });
    const { id } = JSON.parse(taken.stdout) as Taken; // nobody knows which repositories there must be
    await restore("--from", place("postgres"), "--to", place("dumped"), "--backup", id);
    expect(await readFile(path.join(place("dumped"), "docent.dump"), "utf8")).toBe(
      "dump of --dbname=postgres://docent@db.example.com/docent geheim\n",
    );
    const without = await runDocent([...args, "--without-database"], { environment });
    expect(without.stderr).toContain("point-in-time recovery");
    expect((await stat(place("postgres"))).mode & 0o077).toBe(0);
  });
});
