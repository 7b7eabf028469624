import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestRepository, git } from "#testing/repositories.ts";
import { type BombedServer, startBombedServer } from "#test/support/bombed-server.ts";
import { callApi, waitForJob } from "#test/support/instance.ts";

// A few tiny objects can stand for any number of paths. Whoever may push them stops nobody but their own new site.

const made = new AsyncDisposableStack();
let server: BombedServer;
let work: string;

beforeAll(async () => {
  server = made.use(await startBombedServer({ "index.md": "# Bombs\n" }));
  work = made.use(await createTestRepository({})).path;
}, 60_000);
afterAll(() => made.disposeAsync());

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
  await git(work, "push", "-q", "--force", server.remote, `${commit}:refs/heads/${branch}`);
}

const ownSite = () => server.site(server.instance.project);

/** Between two looks at the others: without a pause they would take the processor from what they watch. */
const LOOK_MS = 50;

/** The other project's page and the health of the server, asked for all the while. */
async function othersWhile<T>(happens: Promise<T>): Promise<T> {
  let isOver = false;
  const end = happens.finally(() => (isOver = true));
  do {
    expect((await server.site(server.other)).body).toContain("Calm");
    expect((await server.get("/health")).status).toBe(200);
    await Promise.race([end, sleep(LOOK_MS)]);
  } while (!isOver);
  return end;
}

/** A site that was read before the push goes on showing that; one that was not says why there is nothing to show. */
function expectHarmless({ status, body }: { status: number; body: string }, sentence: string): void {
  const [words, isKnown] = status === 200 ? ["Bombs", true] : [sentence, status === 503];
  expect([status, isKnown]).toEqual([status, true]);
  expect(body).toContain(words);
}

it("ten to the twelfth folders, pushed to main, stop only their own site, with an explanation", async () => {
  await store(["hash-object", "-t", "tree", "-w", "--stdin"], "");
  await push(await stack(12, EMPTY_TREE), "main");
  expectHarmless(
    await othersWhile(ownSite()),
    "This site cannot be shown. The repository has more than 50,000 folders. Docent reads no repository like that.",
  );
});

it("a quarter of a million pages from twenty objects do the same", async () => {
  const page = await store(["hash-object", "-w", "--stdin"], "# Page\n");
  const twelve = await store(
    ["mktree"],
    Array.from({ length: 12 }, (_, index) => `100644 blob ${page}\tp${index}.md\n`).join(""),
  );
  await push(await stack(5, twelve), "main");
  expectHarmless(await othersWhile(ownSite()), "more than 100,000 files");
});

it("a job on such a branch fails once, with the reason", async () => {
  await push(await stack(12, EMPTY_TREE), "bomb");
  const { instance, process } = server;
  const { baseUrl } = process.started;
  const created = await callApi(baseUrl, instance, {
    path: "/job",
    body: { prompt: 'Replace "Page" with "Leaf"', ref: "bomb" },
  });
  expect(created.status).toBe(201);
  const job = await othersWhile(waitForJob(baseUrl, instance, created.body.id));
  expect(job).toMatchObject({
    status: "failed",
    error: {
      code: "impossible",
      message: "The repository has more than 50,000 folders. Docent reads no repository like that.",
      hint: "Make the branch smaller, or create the job with another `ref`.",
    },
  });
});

it("a site that was shown before keeps its last version", async () => {
  const good = await store(["hash-object", "-w", "--stdin"], "# Good again\n");
  await push(await store(["mktree"], `100644 blob ${good}\tindex.md\n`), "main");
  await expect.poll(async () => (await ownSite()).body).toContain("Good again");
  await push(await stack(12, EMPTY_TREE), "main");
  await sleep(600); // two looks at the branch
  expect((await ownSite()).body).toContain("Good again");
});

it("the server stops on SIGTERM", async () => {
  server.process.child.kill("SIGTERM");
  expect(await server.process.exited).toBeNull();
});
