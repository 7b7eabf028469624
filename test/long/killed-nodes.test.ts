import { randomBytes } from "node:crypto";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { commitFiles, createTestDirectory, git } from "#testing/repositories.ts";
import { startS3Server } from "#testing/s3-server.ts";
import { runDocent } from "#test/support/commands.ts";
import { callApi, createTestInstance, waitForJob } from "#test/support/instance.ts";
import { type RunningProcess, startProcess } from "#test/support/processes.ts";
import { createRandom } from "#test/support/random.ts";

const ROUNDS = 12;
const STORED = new Set(["repositories", "object storage"]);
const WRITERS = ["one", "two", "three"];

const made = new AsyncDisposableStack();
afterAll(() => made.disposeAsync());
const emptyDirectory = async () => made.use(await createTestDirectory()).path;

it.each([
  ["the database", {}],
  ["a bucket", { DOCENT_REPOSITORIES: "s3" }],
])(
  "every push and job that a killed node acknowledged is at the other one, with packs in %s",
  async (_, own) => {
    const bucket = "DOCENT_REPOSITORIES" in own ? made.use(await startS3Server()).environment : {};
    const instance = made.use(
      await createTestInstance(
        "postgres",
        { "index.md": "# Start\n\nAll about ships.\n" },
        { DOCENT_SECRET_KEY: randomBytes(32).toString("base64") },
      ),
    );
    const { project, key } = instance;
    const start = async (data: string) => {
      const args = ["serve", "--port", "0", "--json", "--data", data];
      const node = await startProcess("src/cli/main.ts", args, {
        ...instance.environment,
        DOCENT_REPOSITORIES: "database",
        ...bucket,
        ...own,
      });
      made.defer(() => (node.child.exitCode === null ? node.kill("SIGKILL") : undefined));
      return node;
    };
    const urlOf = ({ started }: RunningProcess) =>
      `${started.baseUrl.replace("://", `://docent:${key}@`)}/git/${project.slug}.git`;
    const tipsAt = async (node: RunningProcess) => {
      const lines = (await git("/", "ls-remote", urlOf(node), "refs/heads/*")).trim().split("\n");
      return new Map(lines.map((line) => [line.slice("0".repeat(40).length + 1), line.slice(0, 40)]));
    };
    let doomed = await start(instance.data);
    const other = await start(`${await emptyDirectory()}/data`);
    const random = createRandom(7);
    const clones = new Map<string, string>();
    for (const name of WRITERS) {
      const folder = path.join(await emptyDirectory(), "work");
      await git(path.dirname(folder), "clone", "--quiet", urlOf(other), folder);
      clones.set(name, folder);
    }
    const jobs: string[] = [];
    let acknowledged = 0;

    for (let round = 0; round < ROUNDS; round++) {
      let isOver = false;
      /** The commits that a branch may be at: the one that was acknowledged last, and those sent after it. */
      const candidates = new Map<string, string[]>();
      const writing = WRITERS.map(async (name) => {
        const folder = clones.get(name)!;
        for (let turn = 0; !isOver; turn++) {
          const commit = await commitFiles(
            folder,
            { [`${name}.md`]: `# ${name} ${round} ${turn}\n` },
            `${round} ${turn}`,
          );
          candidates.get(name)?.push(commit);
          await git(folder, "push", "--quiet", urlOf(doomed), `HEAD:refs/heads/${name}`).then(
            () => {
              acknowledged += 1;
              candidates.set(name, [commit]);
            },
            () => undefined,
          );
        }
      });
      const body = { prompt: `Replace "ships" with "ships of round ${round}".` };
      const created = await callApi(doomed.started.baseUrl, instance, { path: "/job", body });
      jobs.push(created.body.id);
      const before = acknowledged;
      while (acknowledged < before + 2) await sleep(20);
      await sleep(random() * 1_000);
      await doomed.kill("SIGKILL");
      isOver = true;
      await Promise.all(writing);
      const tips = await tipsAt(other);
      for (const [name, commits] of candidates) expect(commits).toContain(tips.get(`refs/heads/${name}`));
      doomed = await start(instance.data);
      // The other node carries out what the killed one had begun: its branch could come between the two lists.
      await waitForJob(other.started.baseUrl, instance, created.body.id);
      const tipsAfter = await tipsAt(doomed);
      const others = await tipsAt(other);
      // A node serves an older copy while its database or bucket is out of reach, which it logs.
      expect(tipsAfter, `${doomed.log()}\n${other.log()}`).toEqual(others);
      for (const folder of clones.values()) await git(folder, "fetch", "--quiet", urlOf(other));
    }

    for (const id of jobs) {
      const job = await waitForJob(other.started.baseUrl, instance, id);
      expect(job).toMatchObject({ status: "completed", error: null, pullRequest: { state: "open" } });
    }
    const { kysely } = instance.database;
    expect(await kysely.selectFrom("pull_request").select("number").execute()).toHaveLength(jobs.length);
    const whole = await emptyDirectory();
    await git(whole, "clone", "--quiet", "--mirror", urlOf(other), ".");
    expect(await git(whole, "fsck", "--full", "--strict")).not.toMatch(/error|missing/);
    const { stdout } = await runDocent(["doctor", "--full", "--json", "--data", instance.data], {
      environment: { ...instance.environment, ...bucket },
    });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; words: string }[] };
    expect(findings.filter(({ check }) => STORED.has(check)).map(({ state }) => state)).toEqual(["ok", "ok"]);
  },
  600_000,
);
