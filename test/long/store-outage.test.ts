import { testVault } from "#testing/vault.ts";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdir, readlink, rename, rm, statfs, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { loadConfig } from "#app/instance/config.ts";
import { createJob } from "#features/jobs/requests/submit.ts";
import { systemClock } from "#lib/clock.ts";
import { startServer } from "#main.ts";
import { queryViews } from "#features/visitors/reports/counts.ts";
import { createTestDatabase } from "#testing/postgres.ts";
import { userAgents } from "#testing/views.ts";
import { createSiteClient } from "#test/support/site-client.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { createTestApp } from "#testing/test-app.ts";
import { canMount } from "#test/support/can-mount.ts";
import { createCuttableWay } from "#test/support/cuttable-way.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { startTestServer } from "#test/support/server.ts";

/** Of the server, of its thread that folds views, and of the test. */
const LISTENERS = 3;

/** A look at the database that does not go the way that is cut. */
async function openDirect(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    async listeners(): Promise<number> {
      const { rows } = await client.query<{ count: string }>(
        "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'docent-listen'",
      );
      return Number(rows[0]?.count);
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** A disk of 48 MB, which can be filled up. */
async function createSmallDisk() {
  await using made = new AsyncDisposableStack();
  const { path } = made.use(await createTestDirectory());
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=48m,mode=0700", "tmpfs", path]);
  made.defer(() => void execFileSync("umount", ["--lazy", path]));
  const owned = made.move();
  return {
    path,
    async fill() {
      const { bavail, bsize } = await statfs(path);
      const filler = Buffer.alloc(Math.max(0, bavail * bsize - 16_384));
      // The server may have taken some of it since.
      await writeFile(`${path}/filler`, filler).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOSPC") throw error;
      });
    },
    free: () => rm(`${path}/filler`),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const READER = { "user-agent": userAgents.chrome, accept: "text/html" };

describe("a database that goes away", () => {
  it("is answered with 503 and Retry-After, and everything goes on when it is back", async () => {
    await using database = await createTestDatabase();
    await using way = await createCuttableWay(new URL(database.url));
    await using server = await startTestServer({
      engine: "postgres",
      files: { "index.md": "# Start\n" },
      environment: { DATABASE_URL: way.url },
      // The third of the listeners is the folding thread's.
      server: { isOneThread: false },
    });
    using site = createSiteClient(server);
    const read = () => site.send("/", { headers: READER });
    const confirm = (id: string) => site.send(`/_docent/view?path=/&id=${id}`, { method: "POST", headers: READER });
    const visitors = async () => {
      const { project, database: direct } = server.instance;
      const range = { projectId: project.id, from: null, to: null, limit: 1, offset: 0 };
      return (await queryViews({ database: direct }, range)).totals.human;
    };
    const poll = () => callApi(server.baseUrl, server.instance, { path: "/jobs" });
    expect((await poll()).status).toBe(200);
    expect((await read()).text).toContain("Start");
    expect((await confirm("before-the-outage")).status).toBe(204);
    await expect.poll(visitors).toBe(1);
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(200);
    await using direct = await openDirect(database.url);
    await expect.poll(() => direct.listeners()).toBe(LISTENERS);

    way.cut();
    for (let calls = 0; calls < 3; calls++) {
      const answer = await poll();
      expect(answer.status).toBe(503);
      expect(answer.body).toMatchObject({ code: "unavailable" });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const alive = await fetch(`${server.baseUrl}/health`);
    expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(503); // it is told for half a second
    const ready = await fetch(`${server.baseUrl}/ready`);
    expect([ready.status, ready.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await ready.json()).toEqual({ status: "unavailable", reasons: ["The database is out of reach."] });
    await sleep(2_500); // several attempts to listen for wake-ups fail
    for (let pages = 0; pages < 5; pages++) expect(await read()).toMatchObject({ status: 200 });
    expect((await site.send("/index.md")).text).toContain("# Start");
    expect((await confirm("during-the-outage")).status).toBe(204);

    way.open();
    await expect.poll(() => direct.listeners()).toBe(LISTENERS);
    // Each failed attempt must have made way for the next: another one of theirs would be there within a second.
    await sleep(1_500);
    expect(await direct.listeners()).toBe(LISTENERS);
    await expect.poll(visitors).toBe(2);
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(200);
    const created = await callApi(server.baseUrl, server.instance, {
      path: "/job",
      body: { prompt: "Fix the broken links." },
    });
    expect(created.status).toBe(201);
    expect((await waitForJob(server.baseUrl, server.instance, created.body.id)).status).toBe("completed");
  });

  it("that is SQLite's removed file takes nothing more that would be lost, and goes on when it is put back", async () => {
    await using server = await startTestServer({ engine: "sqlite", files: { "index.md": "# Start\n" } });
    using site = createSiteClient(server);
    const create = () =>
      callApi(server.baseUrl, server.instance, { path: "/job", body: { prompt: "Fix the broken links." } });
    expect((await site.send("/", { headers: READER })).status).toBe(200);
    const file = `${server.instance.data}/docent.sqlite`;
    await rename(file, `${file}.away`);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(503);
    expect((await fetch(`${server.baseUrl}/health`)).status).toBe(200);
    expect((await site.send("/", { headers: READER })).status).toBe(200);
    await rename(`${file}.away`, file);
    expect((await create()).status).toBe(201);
  });
});

describe("a full disk", () => {
  it("refuses what is new with 503, and answers whatever only reads", async () => {
    await using app = await createTestApp("sqlite");
    const { id } = (await app.call("POST", "/job", { body: { prompt: "Fix the broken links." } })).json;
    app.database.sqlite!.exec("pragma max_page_count = 1"); // SQLite takes what it has at least
    const prompt = "x".repeat(20_000);
    let answer = await app.call("POST", "/job", { body: { prompt } });
    for (let tries = 0; tries < 50 && answer.status === 201; tries++)
      answer = await app.call("POST", "/job", { body: { prompt } });
    expect([answer.status, answer.json.code]).toEqual([503, "unavailable"]);
    expect(answer.json.error).toBe("The server's disk is full. Try again later.");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await app.call("GET", `/job/${id}`)).status).toBe(200);
    expect((await app.call("GET", "/jobs")).status).toBe(200);
    app.database.sqlite!.exec("pragma max_page_count = 1000000");
    expect((await app.call("POST", "/job", { body: { prompt } })).status).toBe(201);
  });

  it.runIf(canMount())("leaves sites, reading and cloning as they are, and heals by itself", async () => {
    await using disk = await createSmallDisk();
    await using server = await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n" },
      data: `${disk.path}/data`,
      environment: { DOCENT_JOBS_AT_ONCE: "0" },
    });
    using site = createSiteClient(server);
    const { key, project } = server.instance;
    const create = () =>
      callApi(server.baseUrl, server.instance, { path: "/job", body: { prompt: "x".repeat(20_000) } });
    const { body } = await create();
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(200);
    await disk.fill();
    let refused = await create();
    for (let tries = 0; tries < 50 && refused.status === 201; tries++) refused = await create();
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(503); // it is told for half a second
    const ready = await fetch(`${server.baseUrl}/ready`);
    expect(await ready.json()).toMatchObject({ reasons: ["The disk of the data directory is full."] });
    expect((await fetch(`${server.baseUrl}/health`)).status).toBe(200);
    expect((await callApi(server.baseUrl, server.instance, { path: `/job/${body.id}` })).status).toBe(200);
    const counts = await fetch(`${server.baseUrl}/v1/analytics/${project.id}/visitors`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(counts.status).toBe(200);
    const refs = await fetch(`${server.baseUrl}/git/${project.slug}.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${btoa(`docent:${key}`)}` },
    });
    expect(refs.status).toBe(200);
    expect((await site.send("/", { headers: READER })).status).toBe(200);
    await disk.free();
    expect((await create()).status).toBe(201);
  });

  it.runIf(canMount())("is said to who pushes and who makes a key, logged, and leaves no file open", async () => {
    await using disk = await createSmallDisk();
    const log: string[] = [];
    const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
    await using server = await startTestServer({
      engine: "sqlite",
      files: { "index.md": "# Start\n" },
      data: `${disk.path}/data`,
      environment: { DOCENT_JOBS_AT_ONCE: "0" },
      server: { logger },
    });
    const { key, project, data } = server.instance;
    const push = () =>
      fetch(`${server.baseUrl}/git/${project.slug}.git/git-receive-pack`, {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`docent:${key}`)}`,
          "content-type": "application/x-git-receive-pack-request",
        },
        body: Buffer.alloc(3 * 1024 * 1024, 1),
      });
    await disk.fill();
    for (let pushes = 0; pushes < 3; pushes++) {
      const answer = await push();
      expect([answer.status, await answer.text()]).toEqual([503, "The server's disk is full. Try again later.\n"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const places = await Promise.all(
      (await readdir("/proc/self/fd")).map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")),
    );
    expect(places.filter((place) => place.includes("tmp_obj_"))).toEqual([]);

    const create = () => runDocent(["keys", "create", project.slug, "--data", data]);
    await writeFile(`${disk.path}/rest`, Buffer.alloc(64 * 1024)).catch(() => undefined); // takes the last bytes
    const made = await create();
    expect([made.exitCode, made.stderr.trim().split("\n")]).toEqual([
      1,
      [expect.stringMatching(/^docent: The disk .*is full or read-only/) as string],
    ]);
    const makeJob = () =>
      callApi(server.baseUrl, server.instance, { path: "/job", body: { prompt: "x".repeat(20_000) } });
    for (let tries = 0; tries < 50 && (await makeJob()).status === 201; tries++);
    for (let calls = 0; calls < 3; calls++) expect((await makeJob()).status).toBe(503);
    for (const said of ["git requests fail: the disk is full", "requests fail: the disk is full"])
      expect([said, log.filter((line) => line.includes(`"msg":"${said}"`)).length]).toEqual([said, 1]);
    expect(log.filter((line) => line.includes('"msg":"request failed"'))).toEqual([]);
    await rm(`${disk.path}/rest`);
    await disk.free();
    expect((await create()).exitCode).toBe(0);
    expect((await push()).status).toBe(400); // this was no push: it is read now
  });

  it.runIf(canMount())(
    "is logged when a small push finds no room, whose client reads why and no path of the server",
    async () => {
      await using disk = await createSmallDisk();
      const log: string[] = [];
      const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
      await using server = await startTestServer({
        engine: "sqlite",
        files: { "index.md": "# Start\n" },
        data: `${disk.path}/data`,
        environment: { DOCENT_JOBS_AT_ONCE: "0" },
        server: { logger },
      });
      await using outside = await createTestDirectory();
      const { key, project } = server.instance;
      const remote = `${server.baseUrl.replace("//", `//docent:${key}@`)}/git/${project.slug}.git`;
      await git(outside.path, "clone", "-q", remote, "work");
      const work = `${outside.path}/work`;
      // Well below what is kept in memory: no file of ours fails, git's own does.
      await commitFiles(work, { "page.md": randomBytes(64 * 1024).toString("base64") }, "Add a page");
      await disk.fill();
      await writeFile(`${disk.path}/rest`, Buffer.alloc(64 * 1024)).catch(() => undefined);
      const push = () => git(work, "push", "-q", "origin", "HEAD").catch(({ stderr }: { stderr: string }) => stderr);
      for (let pushes = 0; pushes < 2; pushes++) {
        const said = await push();
        expect(said).toContain("No space left on device");
        expect(said).toContain("[remote rejected]");
        expect(said).not.toContain(disk.path);
      }
      const saying = (message: string) => log.filter((line) => line.includes(`"${message}"`)).length;
      expect(saying("git requests fail: the disk is full")).toBe(1);
      expect(saying("trouble is over")).toBe(0);
      await rm(`${disk.path}/rest`);
      await disk.free();
      expect(await push()).toBe("");
      expect(saying("trouble is over")).toBe(1);
    },
  );
});

describe("repositories that are lost", () => {
  it("are named, their sites are 503, and jobs wait until they are put back", async () => {
    await using instance = await createTestInstance("sqlite", { "index.md": "# Start\n" });
    const log: string[] = [];
    const logger = pino({ level: "info" }, { write: (line: string) => void log.push(line) });
    const config = loadConfig(
      { data: instance.data, port: 0 },
      { ...instance.environment, DOCENT_JOB_MAX_ATTEMPTS: "1" },
    );
    await (await startServer(config, { logger }))[Symbol.asyncDispose]();
    const { project } = instance;
    const place = instance.repoStore.directory(project.id);
    await rename(place, `${instance.data}/away`);
    await using server = await startServer(config, { logger });
    const sentence = `Repositories are missing from the data directory: ${project.slug} (repositories/${project.id}.git).`;
    await expect.poll(() => log.filter((line) => line.includes(sentence)).length).toBe(1);
    await expect.poll(async () => (await fetch(`${server.baseUrl}/ready`)).status).toBe(200); // all other sites are as well as before
    using site = createSiteClient({ instance, ...server });
    const page = await site.send("/", { headers: READER });
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining("pages of this site are not on the server"),
    ]);
    const refs = await fetch(`${server.baseUrl}/git/${project.slug}.git/info/refs?service=git-upload-pack`, {
      headers: { authorization: `Basic ${btoa(`docent:${instance.key}`)}` },
    });
    expect([refs.status, await refs.text()]).toEqual([
      503,
      expect.stringContaining("The repository of this project is missing"),
    ]);
    const prompt = "Fix the broken links.";
    const job = async () =>
      createJob(
        {
          ...instance,
          clock: systemClock,
          redact: (text) => text,
          vault: testVault,
          redactFor: async () => (text) => text,
          agentCallsPerHour: 9,
        },
        {
          projectId: project.id,
          model: "docent/builtin-rules",
          baseRef: project.branch,
          draft: false,
          title: null,
          prompt,
        },
        null,
      );
    const { id } = (await job()).job;
    await expect
      .poll(() => log.some((line) => line.includes("job turn waits for the store")), { timeout: 20_000 })
      .toBe(true);
    expect(log.some((line) => line.includes("spawn git ENOENT") && line.includes("reason"))).toBe(false);
    await rename(`${instance.data}/away`, place);
    expect((await waitForJob(server.baseUrl, instance, id)).status).toBe("completed");
    expect((await site.send("/", { headers: READER })).status).toBe(200);
  });
});
