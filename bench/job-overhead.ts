import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createApiKey } from "#features/keys/api-keys.ts";
import { loadConfig } from "#app/instance/config.ts";
import { openDatabase } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { startServer } from "#main.ts";
import { createProject } from "#features/projects/projects.ts";

// The overhead of a job in addition to the model: from the POST to the pull request on the embedded code host, against git's
// own programs for one commit on one branch of the same repository, in the same run.
//
//   npm run bench bench/job-overhead.ts -- [--jobs 40]

const jobCount = Number(process.argv[process.argv.indexOf("--jobs") + 1]) || 40;
const run = promisify(execFile);
const EXAMPLE = path.join(import.meta.dirname, "..", "examples", "harbor-docs");
const IDENTITY = {
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@docent.invalid",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@docent.invalid",
};

const directory = await mkdtemp(path.join(tmpdir(), "docent-bench-"));
try {
  const rows = [await measure("example, 15 pages", 0), await measure("1,500 files", 1_500)];
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])));
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function measure(name: string, extraPages: number) {
  const source = path.join(directory, `source-${extraPages}`);
  await cp(EXAMPLE, source, { recursive: true });
  for (let page = 0; page < extraPages; page++) {
    const text = `# Page ${page}\n\nSee [the next one](/bulk-${(page + 1) % extraPages}).\n\n${"Words of a page. ".repeat(120)}\n`;
    await writeFile(path.join(source, `bulk-${page}.md`), text);
  }
  const git = (...args: string[]) => run("git", ["-C", source, ...args], { env: { ...process.env, ...IDENTITY } });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=Start");

  const data = path.join(directory, `data-${extraPages}`);
  const config = loadConfig({ data, port: 0, logLevel: "silent" }, { DOCENT_AGENT_CALLS_PER_HOUR: "100000" });
  const deps = { clock: systemClock, logger: silentLogger };
  await using database = await openDatabase({ location: config.database, logger: silentLogger, migrate: true });
  await using repoStore = createRepoStore({ root: path.join(data, "repositories"), logger: silentLogger });
  const project = await createProject({ database, repoStore, ...deps }, { name: "Bench", source, branch: null });
  const { key } = await createApiKey(
    { database, ...deps, keysPerHour: 10 },
    { projectId: project.id, name: "bench", expiresInDays: 7 },
  );
  await using server = await startServer(config, { logger: silentLogger });
  const jobs: number[] = [];
  const gits: number[] = [];
  for (let job = 0; job < jobCount + 3; job++) {
    jobs.push(await timed(() => jobToPullRequest(server.baseUrl, { project: project.id, key, job })));
    gits.push(await timed(() => gitCommit(repoStore.directory(project.id), job)));
  }
  // The first three warm the caches: a server runs for weeks.
  const warm = { jobs: jobs.slice(3), gits: gits.slice(3) };
  return {
    name,
    "first job ms": Math.round(jobs[0]!),
    "median ms": Math.round(quantile(warm.jobs, 0.5)),
    "p95 ms": Math.round(quantile(warm.jobs, 0.95)),
    "git alone, median ms": Math.round(quantile(warm.gits, 0.5)),
    "ratio of medians": (quantile(warm.jobs, 0.5) / quantile(warm.gits, 0.5)).toFixed(2),
  };
}

async function jobToPullRequest(
  baseUrl: string,
  { project, key, job }: { project: string; key: string; job: number },
): Promise<void> {
  const url = `${baseUrl}/v2/agent/${project}/job`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ prompt: `Add a page titled "Bench ${job}" with the text "Number ${job}."` });
  const created = (await (await fetch(url, { method: "POST", headers, body })).json()) as { id: string };
  for (;;) {
    const state = (await (await fetch(`${url}/${created.id}`, { headers })).json()) as {
      status: string;
      prLink: string | null;
    };
    if (state.status === "completed" && state.prLink) return;
    if (state.status !== "active") throw new Error(`The job ended as ${JSON.stringify(state)}`);
    await sleep(2);
  }
}

/** One file, one tree, one commit, one branch, with git's own programs as in a script. */
async function gitCommit(repository: string, job: number): Promise<void> {
  const env = {
    ...process.env,
    ...IDENTITY,
    GIT_DIR: repository,
    GIT_INDEX_FILE: path.join(directory, `index-${job}`),
  };
  const git = async (args: string[], input = "") => {
    const child = run("git", args, { env });
    // A program that reads no input may exit before its input is closed.
    child.child.stdin?.on("error", () => undefined).end(input);
    return (await child).stdout.trim();
  };
  const base = await git(["rev-parse", "refs/heads/main"]);
  const blob = await git(["hash-object", "-w", "--stdin"], `Number ${job}\n`);
  await git(["read-tree", base]);
  await git(["update-index", "--add", "--cacheinfo", `100644,${blob},git-${job}.md`]);
  const tree = await git(["write-tree"]);
  const commit = await git(["commit-tree", tree, "-p", base, "-m", "Bench"]);
  await git(["update-ref", `refs/heads/git-${job}`, commit]);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
