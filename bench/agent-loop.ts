import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createApiKey } from "#features/keys/api-keys.ts";
import { loadConfig } from "#app/instance/config.ts";
import { openDatabase } from "#db/database.ts";
import { createRepoStore } from "#git/directory-repo-store.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLogger } from "#lib/logger.ts";
import { startServer } from "#main.ts";
import { createProject } from "#features/projects/projects.ts";
import type { ScriptInput, TurnInput } from "#testing/model-server/script.ts";
import { startPostgresServer } from "#testing/postgres-server.ts";
import { createTestRepository } from "#testing/repositories.ts";

// The overhead of the agent's loop with a model that responds immediately, over HTTP from a separate process: steps per second
// including store and git, memory per running job, and a hundred concurrent jobs in one process.
//
//   npm run bench bench/agent-loop.ts -- [--engine sqlite|postgres] [--jobs 100] [--steps 50]

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "sqlite" },
    jobs: { type: "string", default: "100" },
    steps: { type: "string", default: "50" },
  },
});
const jobCount = Number(values.jobs);
const stepCount = Number(values.steps);
const STEPS_OF_MANY = 10;
const HOLD_MS = 8_000;
const PAGES = 300;

const read = (page: number): TurnInput => ({
  calls: [{ name: "read_file", input: { path: `guides/page-${page}.md` } }],
});
const write = (page: number): TurnInput => ({
  calls: [
    {
      name: "write_file",
      input: { path: `new/page-${page}.md`, content: `# Page ${page}\n\n${"Words of a page. ".repeat(100)}\n` },
    },
  ],
});
const end: TurnInput = {
  calls: [{ name: "finish", input: { outcome: "done", title: "Write pages", summary: "Wrote them." } }],
};
const work = (steps: number) =>
  Array.from({ length: steps - 1 }, (_, step) => (step % 2 === 0 ? read(step) : write(step)));
const script: ScriptInput = {
  conversations: [
    { marker: "One long job", turns: [...work(stepCount), end] },
    { marker: "One of many", turns: [...work(STEPS_OF_MANY), end] },
    { marker: "Held", turns: [...work(STEPS_OF_MANY), { ...end, delayMs: HOLD_MS }] },
  ],
};

const directory = await mkdtemp(path.join(tmpdir(), "docent-bench-"));
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(directory, { recursive: true, force: true }));
const modelUrl = await startModel();
const postgres =
  values.engine === "postgres"
    ? stack.adopt(await startPostgresServer({ durable: true }), (server) => server.stop())
    : null;
const providers = { scripted: { kind: "anthropic", baseUrl: `${modelUrl}/v1`, apiKeyEnv: "SCRIPTED_KEY" } };
const config = loadConfig(
  { data: path.join(directory, "data"), port: 0, logLevel: "silent" },
  {
    DOCENT_AGENT_CALLS_PER_HOUR: "100000",
    DOCENT_JOBS_AT_ONCE: String(jobCount),
    DOCENT_MODELS: JSON.stringify({ providers }),
    SCRIPTED_KEY: "test-key",
    ...(postgres && { DATABASE_URL: postgres.url("postgres") }),
  },
);
const api = await prepare();

await runJobs("One of many", 3); // warms the caches: a server runs for weeks
const rows: Record<string, Record<string, string | number>> = {};
const one = await runJobs("One long job", 1);
rows[`one job of ${stepCount} steps`] = {
  seconds: one.seconds.toFixed(2),
  "steps/s": Math.round(stepCount / one.seconds),
};
const many = await runJobs("One of many", jobCount);
rows[`${jobCount} jobs of ${STEPS_OF_MANY} steps at once`] = {
  seconds: many.seconds.toFixed(2),
  "steps/s": Math.round((jobCount * STEPS_OF_MANY) / many.seconds),
  "p50 s": quantile(many.latencies, 0.5).toFixed(2),
  "p95 s": quantile(many.latencies, 0.95).toFixed(2),
};
rows[`${jobCount} running jobs`] = await measureMemory();
console.log(`${values.engine}, ${PAGES} pages`);
console.table(rows);

async function startModel(): Promise<string> {
  const file = path.join(directory, "script.json");
  await writeFile(file, JSON.stringify(script));
  const entry = path.join(import.meta.dirname, "..", "src", "testing", "model-server", "main.ts");
  const child: ChildProcess = spawn(process.execPath, [entry, "--script", file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  stack.defer(() => void child.kill("SIGTERM"));
  const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
  return (JSON.parse(line) as { url: string }).url;
}

async function prepare(): Promise<{ url: string; headers: Record<string, string> }> {
  const pages = Array.from({ length: PAGES }, (_, page) => [
    `guides/page-${page}.md`,
    `# Page ${page}\n\n${"Words. ".repeat(300)}\n`,
  ]);
  const source = stack.use(
    await createTestRepository({ "index.md": "# Start\n", ...(Object.fromEntries(pages) as Record<string, string>) }),
  );
  const deps = { clock: systemClock, logger: silentLogger };
  await using database = await openDatabase({ location: config.database, logger: silentLogger, migrate: true });
  await using repoStore = createRepoStore({
    root: path.join(config.dataDirectory, "repositories"),
    logger: silentLogger,
  });
  const project = await createProject(
    { database, repoStore, ...deps },
    { name: "Bench", source: source.path, branch: null },
  );
  const { key } = await createApiKey(
    { database, ...deps, keysPerHour: 10 },
    { projectId: project.id, name: "bench", expiresInDays: 7 },
  );
  const server = stack.use(await startServer(config, { logger: silentLogger }));
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return { url: `${server.baseUrl}/v2/agent/${project.id}/job`, headers };
}

/** Creates jobs together and waits for them. The latency of each is from its POST to the first poll that finds it done. */
async function runJobs(prompt: string, count: number): Promise<{ seconds: number; latencies: number[] }> {
  const start = performance.now();
  const latencies = await Promise.all(Array.from({ length: count }, () => runJob(prompt, 10 * count)));
  return { seconds: (performance.now() - start) / 1_000, latencies };
}

/** Polls less often with more jobs, so that polling does not affect the measurement. */
async function runJob(prompt: string, pollMs: number): Promise<number> {
  const start = performance.now();
  const body = JSON.stringify({ prompt, model: "scripted/instant" });
  const created = (await (await fetch(api.url, { method: "POST", headers: api.headers, body })).json()) as {
    id: string;
  };
  for (;;) {
    await sleep(pollMs);
    const job = (await (await fetch(`${api.url}/${created.id}`, { headers: api.headers })).json()) as {
      status: string;
      prLink: unknown;
    };
    if (job.status === "completed" && job.prLink) return (performance.now() - start) / 1_000;
    if (job.status !== "active") throw new Error(`The job ended as ${JSON.stringify(job)}`);
  }
}

/** Memory in use while every job has done its steps and waits for the model's last response, compared with before. */
async function measureMemory(): Promise<Record<string, string>> {
  const before = alive();
  const rssBefore = process.memoryUsage.rss();
  const running = runJobs("Held", jobCount);
  let peakRss = 0;
  const watch = setInterval(() => (peakRss = Math.max(peakRss, process.memoryUsage.rss())), 50);
  const steps = await stepsStored(jobCount * (STEPS_OF_MANY - 1));
  const during = alive();
  await running;
  clearInterval(watch);
  const perJob = (during - before) / jobCount / 1_048_576;
  return {
    "alive MB per job": perJob.toFixed(2),
    "peak RSS MB": Math.round(peakRss / 1_048_576).toString(),
    "peak RSS MB per job": ((peakRss - rssBefore) / jobCount / 1_048_576).toFixed(2),
    "steps stored": String(steps),
  };
}

function alive(): number {
  if (!globalThis.gc) throw new Error("Run it with node --expose-gc.");
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Waits until active jobs have stored this many steps. */
async function stepsStored(wanted: number): Promise<number> {
  await using database = await openDatabase({ location: config.database, logger: silentLogger, migrate: false });
  for (;;) {
    const row = await database.kysely
      .selectFrom("job")
      .select((expression) => expression.fn.sum<number>("steps").as("steps"))
      .where("status", "=", "active")
      .executeTakeFirstOrThrow();
    if (Number(row.steps) >= wanted) return Number(row.steps);
    await sleep(50);
  }
}

function quantile(sample: readonly number[], q: number): number {
  const sorted = [...sample].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
