import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
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

// Whether the cost of a chore depends on its change, in a repository of many pages: a term on ten of them and a front matter
// key of one, from the POST to the pull request, against git's own edit, commit and push of the same files in turn; and the
// memory of the server after a hundred jobs.
//
//   npm run bench bench/chores-at-scale.ts -- [--pages 5000] [--rounds 15] [--jobs 100]

const option = (name: string, otherwise: number) => Number(process.argv[process.argv.indexOf(name) + 1]) || otherwise;
const pages = option("--pages", 5_000);
const rounds = option("--rounds", 15);
const jobs = option("--jobs", 100);
const FILES_WITH_TERM = 10;
const WARM_UP = 3;
const withTerm = Array.from({ length: FILES_WITH_TERM }, (_, index) => Math.floor((index * pages) / FILES_WITH_TERM));
const folderOf = (page: number) => `part-${page % 50}`;
const run = promisify(execFile);
const IDENTITY = {
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@docent.invalid",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@docent.invalid",
};
const git = (folder: string, ...args: string[]) =>
  run("git", ["-C", folder, ...args], { env: { ...process.env, ...IDENTITY } });

const directory = await mkdtemp(path.join(tmpdir(), "docent-bench-"));
try {
  await measure();
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function writeDocs(source: string): Promise<void> {
  for (let part = 0; part < 50; part += 1) await mkdir(path.join(source, `part-${part}`), { recursive: true });
  for (let page = 0; page < pages; page += 1) {
    const next = (page + 1) % pages;
    const term = withTerm.includes(page) ? "Ask Quasar about it.\n\n" : "";
    const text =
      `---\ntitle: Page ${page}\ndescription: About page ${page}\n---\n\n${term}` +
      `See [the next one](/${folderOf(next)}/page-${next}).\n\n## Words\n\n${"Words of a page. ".repeat(120)}\n`;
    await writeFile(path.join(source, folderOf(page), `page-${page}.md`), text);
  }
  await writeFile(path.join(source, "index.md"), "# Start\n");
  await git(source, "init", "--quiet", "--initial-branch=main");
  await git(source, "add", "--all");
  await git(source, "commit", "--quiet", "--message=Start");
}

async function measure(): Promise<void> {
  const source = path.join(directory, "source");
  await writeDocs(source);
  const bare = path.join(directory, "bare.git");
  await run("git", ["clone", "--quiet", "--bare", source, bare]);
  await git(source, "remote", "add", "origin", bare);

  const data = path.join(directory, "data");
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
  const job = (prompt: string) => jobToPullRequest(server.baseUrl, { project: project.id, key, prompt });
  const replace = (number: number) => job(`Replace "Quasar" with "Pulsar ${number}" everywhere`);
  const setKey = (number: number) => job(`Set the description of part-7/page-57 to "Number ${number}"`);

  await idle();
  const cold = await timed(() => replace(0));
  const times = { term: [] as number[], key: [] as number[], gitTen: [] as number[], gitOne: [] as number[] };
  for (let round = 1; round <= rounds + WARM_UP; round += 1) {
    const isWarm = round > WARM_UP;
    const keep = (list: number[], ms: number) => void (isWarm && list.push(ms));
    keep(times.term, await timed(() => replace(round)));
    keep(times.gitTen, await timed(() => byGit(source, { files: withTerm, round, branch: "ten" })));
    keep(times.key, await timed(() => setKey(round)));
    keep(times.gitOne, await timed(() => byGit(source, { files: [57], round, branch: "one" })));
  }
  for (let done = 2 * (rounds + WARM_UP) + 1; done < jobs; done += 1)
    await (done % 2 === 0 ? replace(1_000 + done) : setKey(1_000 + done));
  globalThis.gc?.();
  await sleep(1_000);
  const { rss, heapUsed, external } = process.memoryUsage();
  const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  process.stdout.write(`${pages} pages, load ${loadavg()[0]?.toFixed(1)}, first job ${Math.round(cold)} ms\n`);
  console.table({
    [`a term on ${FILES_WITH_TERM} pages`]: figures(times.term, times.gitTen),
    "a front-matter key of one page": figures(times.key, times.gitOne),
  });
  process.stdout.write(
    `After ${Math.max(jobs, 2 * (rounds + WARM_UP) + 1)} jobs: ${megabytes(rss)} MB resident, ` +
      `${megabytes(heapUsed)} MB of heap and ${megabytes(external)} MB beside it in use\n`,
  );
}

/** Waits until the server has indexed the site for its search after it started. */
async function idle(): Promise<void> {
  for (let quiet = 0; quiet < 4;) {
    const before = process.cpuUsage();
    await sleep(500);
    const { user, system } = process.cpuUsage(before);
    quiet = user + system < 50_000 ? quiet + 1 : 0;
  }
}

function figures(own: readonly number[], other: readonly number[]) {
  const median = (values: readonly number[]) => quantile(values, 0.5);
  return {
    "median ms": Math.round(median(own)),
    "p95 ms": Math.round(quantile(own, 0.95)),
    "git's median ms": Math.round(median(other)),
    ratio: (median(own) / median(other)).toFixed(2),
  };
}

async function jobToPullRequest(
  baseUrl: string,
  { project, key, prompt }: { project: string; key: string; prompt: string },
): Promise<void> {
  const url = `${baseUrl}/v2/agent/${project}/job`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const created = (await (await fetch(url, { method: "POST", headers, body: JSON.stringify({ prompt }) })).json()) as {
    id: string;
  };
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

/** The same change by hand in an existing work tree: branch, edit, commit, push. */
async function byGit(
  source: string,
  { files, round, branch }: { files: readonly number[]; round: number; branch: string },
): Promise<void> {
  const paths = files.map((page) => `${folderOf(page)}/page-${page}.md`);
  await git(source, "checkout", "--quiet", "-B", `${branch}-${round}`, "main");
  await run("sed", ["-i", `s/Quasar\\|About page/Pulsar ${round}/`, ...paths.map((each) => path.join(source, each))]);
  await git(source, "commit", "--quiet", "--all", "--message=Bench");
  await git(source, "push", "--quiet", "origin", `${branch}-${round}`);
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
