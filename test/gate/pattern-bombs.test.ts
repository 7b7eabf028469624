import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "#lib/clock.ts";
import type { Project } from "#features/projects/project.ts";
import { createProject } from "#features/projects/projects.ts";
import { createTestRepository, git } from "#testing/repositories.ts";
import { createTestInstance, type TestInstance } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";

// A regular expression cannot be interrupted: one of polynomial cost on a long line stopped the server for hours.

const made = new AsyncDisposableStack();
let instance: TestInstance;
let other: Project;
let server: RunningProcess;

beforeAll(async () => {
  instance = made.use(await createTestInstance("sqlite", { "index.md": "# Before\n" }));
  const source = made.use(await createTestRepository({ "index.md": "# Calm\n" }));
  const deps = { database: instance.database, repoStore: instance.repoStore, clock: systemClock };
  other = await createProject(deps, { name: "Calm docs", source: source.path, branch: null });
  server = await startProcess("test/support/crashing-server.ts", ["never", instance.data], instance.environment);
}, 60_000);
afterAll(async () => {
  await server.kill("SIGKILL");
  await made.disposeAsync();
});

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

const blanks = " ".repeat(30_000);
const slashes = "/".repeat(400_000);
const group = { group: "A", pages: ["index"] };

it.each<[string, Record<string, string>]>([
  ["a heading of blanks", { "index.md": `Shown\n\n# a${blanks}x\u2028y\n` }],
  [
    "front matter that no parser reads, of blanks",
    { "index.md": `---\na: [\nb: ${" ".repeat(12_000)}x\u2028y\n---\nShown\n` },
  ],
  [
    "an older configuration's address of slashes",
    {
      "index.md": "# A\n\nShown\n",
      "mint.json": JSON.stringify({ name: "A", navigation: [group], tabs: [{ name: "T", url: `x${slashes}x` }] }),
    },
  ],
  ["a link of slashes", { "index.md": `# A\n\nShown [a](/x${slashes}x#y) and [b](/x${slashes}x)\n` }],
])("%s, pushed, holds up nobody", async (_name, files) => {
  await using work = await createTestRepository(files);
  const remote = `http://x:${instance.key}@127.0.0.1:${server.started.port}/git/${instance.project.slug}.git`;
  await git(work.path, "push", "-q", "--force", remote, "HEAD:refs/heads/main");
  await expect.poll(async () => (await site(instance.project)).body, { timeout: 10_000 }).toContain("Shown");
  expect((await site(other)).body).toContain("Calm");
  expect((await get("/health")).status).toBe(200);
});
