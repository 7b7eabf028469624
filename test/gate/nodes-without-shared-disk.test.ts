import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunningServer } from "#main.ts";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";
import { serveInstance } from "#test/support/server.ts";
import { createSiteClient } from "#test/support/site-client.ts";

const FILES = {
  "index.md": "# Start\n\nHarbor Cloud is here.\n",
  "guide.md": "# Guide\n\nUse Harbor Cloud.\n",
};

const made = new AsyncDisposableStack();
let instance: TestInstance;
/** All that a further node is given. */
let environment: Record<string, string>;
/** The first node, which has moved the repository of its directory into the database. */
let a: RunningProcess;

beforeAll(async () => {
  instance = made.use(
    await createTestInstance("postgres", FILES, { DOCENT_SECRET_KEY: randomBytes(32).toString("base64") }),
  );
  const { DATABASE_URL, DOCENT_SECRET_KEY } = instance.environment;
  environment = { DATABASE_URL: DATABASE_URL!, DOCENT_SECRET_KEY: DOCENT_SECRET_KEY!, DOCENT_JOB_LEASE_MS: "1000" };
  a = await startProcess("src/cli/main.ts", ["serve", "--port", "0", "--json", "--data", instance.data], {
    ...environment,
    DOCENT_REPOSITORIES: "database",
  });
  made.defer(() => (a.child.exitCode === null ? a.kill("SIGKILL") : undefined));
});
afterAll(() => made.disposeAsync());

/** A further node, in this process. */
const startNode = (data: string) => serveInstance({ data, environment });

const emptyDirectory = async () => path.join(made.use(await createTestDirectory()).path, "data");

async function pageAt({ port }: RunningServer, name: string): Promise<string> {
  using site = createSiteClient({ instance, port });
  return (await site.send(name)).text;
}

const mainOf = async ({ baseUrl }: RunningServer) => {
  const origin = baseUrl.replace("://", `://docent:${instance.key}@`);
  return (await git("/", "ls-remote", `${origin}/git/${instance.project.slug}.git`, "refs/heads/main")).slice(0, 40);
};

it("nodes with their own directories share sites, pushes and jobs, even if one is lost for good", async () => {
  const { project, key } = instance;
  await using b = await startNode(await emptyDirectory());

  // Pushed at A, read at B.
  const work = made.use(await createTestDirectory()).path;
  const origin = a.started.baseUrl.replace("://", `://docent:${key}@`);
  await git(work, "clone", "--quiet", `${origin}/git/${project.slug}.git`, ".");
  const pushed = await commitFiles(work, { "news.md": "# News\n\nHarbor Cloud has news.\n" }, "Add news");
  await git(work, "push", "--quiet", "origin", "HEAD:refs/heads/main");
  expect(await mainOf(b)).toBe(pushed);
  expect(await pageAt(b, "/news")).toContain("Harbor Cloud has news.");

  // A job of A, whose directory goes with it.
  const body = { prompt: 'Replace "Harbor Cloud" with "Harbor Platform".' };
  const job = (await callApi(a.started.baseUrl, instance, { path: "/job", body })).body;
  await waitForJob(a.started.baseUrl, instance, job.id);
  await a.kill("SIGKILL");
  await rm(instance.data, { recursive: true });

  // Its follow-up and its merge at B.
  const followUp = { prompt: 'Add a page titled "Notes" with the text "Read me."' };
  await callApi(b.baseUrl, instance, { path: `/job/${job.id}/message`, body: followUp });
  const done = await waitForJob(b.baseUrl, instance, job.id);
  expect(done).toMatchObject({ status: "completed", error: null, pullRequest: { number: 1, state: "open" } });
  const merged = await callApi(b.baseUrl, instance, { path: `/job/${job.id}/merge`, body: {} });
  expect(merged.body).toMatchObject({ pullRequest: { number: 1, state: "merged" } });

  // A node that begins with nothing.
  await using c = await startNode(await emptyDirectory());
  expect(await mainOf(c)).toBe(await mainOf(b));
  expect(await pageAt(c, "/news")).toContain("Harbor Platform has news.");
  expect(await pageAt(c, "/notes")).toContain("Read me.");
}, 180_000);

it("docent doctor checks repositories in the database, and names one with missing objects", async () => {
  const data = await emptyDirectory();
  await (await startNode(data))[Symbol.asyncDispose]();
  const look = async () => {
    const { stdout } = await runDocent(["doctor", "--full", "--json", "--data", data], { environment });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; words: string }[] };
    return findings.find(({ check }) => check === "repositories")?.words;
  };
  expect(await look()).toBe("1 repository in the database: git read every object.");
  const { kysely } = instance.database;
  const chunks = await kysely.deleteFrom("repository_pack_chunk").returningAll().execute();
  expect(await look()).toContain(`Objects of the repository of ${instance.project.slug} are missing.`);
  await kysely.insertInto("repository_pack_chunk").values(chunks).execute();
}, 120_000);

it("a backup contains repositories with the database, and not their copies", async () => {
  const folder = await emptyDirectory();
  const data = await emptyDirectory();
  const node = await startNode(data);
  await pageAt(node, "/");
  await node[Symbol.asyncDispose]();
  expect(await readdir(data)).toContain("repositories");
  const backup = await runDocent(["backup", "--data", data, "--to", folder, "--without-database", "--json"], {
    environment,
  });
  expect(JSON.parse(backup.stdout)).toMatchObject({ missing: [] });
  const restored = await emptyDirectory();
  await runDocent(["restore", "--from", folder, "--to", restored]);
  expect((await readdir(restored)).sort()).toEqual(["instance-id", "journal"]);
}, 120_000);

it("a node that is configured to keep repositories in its directory does not start", async () => {
  const refused = await runDocent(["serve", "--port", "0", "--data", await emptyDirectory()], {
    environment: { ...environment, DOCENT_REPOSITORIES: "directory" },
  });
  expect(refused.stderr).toContain("The repositories of this instance are in its database");
}, 60_000);
