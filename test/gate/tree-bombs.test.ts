import { execFile } from "node:child_process";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { createTestRepository, git } from "#testing/repositories.ts";
import { callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";

// A few tiny objects can stand for any number of paths. Whoever may push them stops nobody but their own new site.

const made = new AsyncDisposableStack();
let instance: TestInstance;
let other: Project;
let server: RunningProcess;
let work: string;

beforeAll(async () => {
  instance = made.use(await createTestInstance("sqlite", { "index.md": "# Bombs\n" }));
  const source = made.use(await createTestRepository({ "index.md": "# Calm\n" }));
  const deps = { database: instance.database, repoStore: instance.repoStore, clock: systemClock };
  other = await createProject(deps, { name: "Calm docs", source: source.path, branch: null });
  work = made.use(await createTestRepository({})).path;
  server = await startProcess("test/support/crashing-server.ts", ["never", instance.data], instance.environment);
}, 60_000);
afterAll(async () => {
  await server.kill("SIGKILL");
  await made.disposeAsync();
});

function store(args: string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile("git", args, { cwd: work }, (error, stdout) =>
      error ? reject(error as Error) : resolve(stdout.trim()),
    );
    child.stdin?.end(input);
  });
}

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** `levels` of trees, each with ten times the one below. */
async function stack(levels: number, bottom: string): Promise<string> {
  let tree = bottom;
  for (let level = 0; level < levels; level++) {
    const lines = Array.from({ length: 10 }, (_, index) => `040000 tree ${tree}\td${index}\n`);
    tree = await store(["mktree"], lines.join(""));
  }
  return tree;
}

async function push(tree: string, branch: string): Promise<void> {
  const commit = (await git(work, "commit-tree", "-m", "Bomb", tree)).trim();
  const remote = `http://x:${instance.key}@127.0.0.1:${server.started.port}/git/${instance.project.slug}.git`;
  await git(work, "push", "-q", "--force", remote, `${commit}:refs/heads/${branch}`);
}

async function get(path: string, host = "127.0.0.1"): Promise<{ status: number; body: string }> {
  const answer = await new Promise<{ status: number; body: Promise<string> }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port: server.started.port, path, headers: { host } }, (response) =>
      resolve({ status: response.statusCode ?? 0, body: text(response) }),
    );
    sent.once("error", reject);
    sent.end();
  });
  return { status: answer.status, body: await answer.body };
}
const site = (project: Project) => get("/", `${project.slug}.localhost:${server.started.port}`);

/** The other project's page and the health of the server, asked for all the while. */
async function othersWhile<T>(happens: Promise<T>): Promise<T> {
  let isOver = false;
  const end = happens.finally(() => (isOver = true));
  do {
    expect((await site(other)).body).toContain("Calm");
    expect((await get("/health")).status).toBe(200);
  } while (!isOver);
  return end;
}

/** A site that was read before the push goes on showing that; one that was not says why there is nothing to show. */
function expectHarmless({ status, body }: { status: number; body: string }, sentence: string): void {
  const [words, isKnown] = status === 200 ? ["Bombs", true] : [sentence, status === 503];
  expect([status, isKnown]).toEqual([status, true]);
  expect(body).toContain(words);
}

it("ten to the twelfth folders, pushed to main, stop no other site, and their own with a sentence", async () => {
  await store(["hash-object", "-t", "tree", "-w", "--stdin"], "");
  await push(await stack(12, EMPTY_TREE), "main");
  expectHarmless(
    await othersWhile(site(instance.project)),
    "This site cannot be shown. The repository has more than 50,000 folders. Docent reads no repository like that.",
  );
});

it("a quarter of a million pages made of twenty objects do the same", async () => {
  const page = await store(["hash-object", "-w", "--stdin"], "# Page\n");
  const twelve = await store(
    ["mktree"],
    Array.from({ length: 12 }, (_, index) => `100644 blob ${page}\tp${index}.md\n`).join(""),
  );
  await push(await stack(5, twelve), "main");
  expectHarmless(await othersWhile(site(instance.project)), "more than 100,000 files");
});

it("a job on such a branch fails once, with the reason", async () => {
  await push(await stack(12, EMPTY_TREE), "bomb");
  const created = await callApi(server.started.baseUrl, instance, {
    path: "/job",
    body: { prompt: 'Replace "Page" with "Leaf"', ref: "bomb" },
  });
  expect(created.status).toBe(201);
  const job = await othersWhile(waitForJob(server.started.baseUrl, instance, created.body.id));
  expect(job).toMatchObject({
    status: "failed",
    error: {
      code: "impossible",
      message: "The repository has more than 50,000 folders. Docent reads no repository like that.",
      hint: "Make the branch smaller, or create the job with another `ref`.",
    },
  });
});

it("a site that was shown before goes on with what it had", async () => {
  const good = await store(["hash-object", "-w", "--stdin"], "# Good again\n");
  await push(await store(["mktree"], `100644 blob ${good}\tindex.md\n`), "main");
  await expect.poll(async () => (await site(instance.project)).body).toContain("Good again");
  await push(await stack(12, EMPTY_TREE), "main");
  await new Promise((resolve) => setTimeout(resolve, 600)); // two looks at the branch
  expect((await site(instance.project)).body).toContain("Good again");
});

it("the server stops when it is told to", async () => {
  server.child.kill("SIGTERM");
  expect(await server.exited).toBeNull();
});
