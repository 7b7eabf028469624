import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { sql } from "kysely";
import { serveProgram } from "#bench/served-program.ts";
import { familyOf, memoryOf } from "#bench/server-process.ts";
import type { Database } from "#db/database.ts";
import { addProject, callApi, createTestInstance, type TestInstance, waitForJob } from "#test/support/instance.ts";
import type { Cost, Costs } from "./costs.ts";

/** Sites that are visited for the memory of one. */
const VISITED = 200;
const say = (text: string) => process.stderr.write(`${text}\n`);

/** Docs of some pages of 2.5 KB. */
function docs(pages: number): Record<string, string> {
  const words = "The product does what its name says, and this sentence stands for a paragraph. ".repeat(30);
  const page = (number: number) => [`page-${number}.md`, `# Page ${number}\n\nAsk Quasar.\n\n${words}\n`] as const;
  return { "index.md": "# Start\n\nAsk Quasar.\n", ...Object.fromEntries(Array.from({ length: pages }, (_, at) => page(at))) };
} // oxfmt-ignore

const sizeOf = async (...files: string[]) => {
  const sizes = await Promise.all(files.map((file) => stat(file).then(({ size }) => size, () => 0))); // oxfmt-ignore
  return sizes.reduce((sum, size) => sum + size, 0);
};
/** Without pages of the log that are in the file already. */
async function databaseSize({ data, database }: TestInstance): Promise<number> {
  await sql`pragma wal_checkpoint(truncate)`.execute(database.kysely);
  return sizeOf(`${data}/docent.sqlite`, `${data}/docent.sqlite-wal`);
}
/** Blocks on disk, as `du` counts them. */
const diskSize = async (folder: string) =>
  Number((await promisify(execFile)("du", ["-s", "--block-size=1", folder])).stdout.split("\t")[0]);

/** Processor time of a process and of its children that ended, in seconds (proc(5), fields 14 to 17). */
function allSeconds(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  const times = status.slice(status.lastIndexOf(")") + 2).split(" ").slice(11, 15).map(Number); // oxfmt-ignore
  return times.reduce((sum, ticks) => sum + ticks, 0) / 100;
}

async function serve(instance: TestInstance) {
  const { pid, ...server } = await serveProgram(instance);
  return { ...server, memory: () => memoryOf(familyOf(pid)), seconds: () => allSeconds(pid) };
}

async function firstPage(port: number, slug: string): Promise<void> {
  const sent = request({ host: "127.0.0.1", port, path: "/", headers: { host: `${slug}.localhost:${port}` } }).end();
  const [answer] = (await once(sent, "response")) as [NodeJS.ReadableStream & { statusCode: number }];
  if (answer.statusCode !== 200) throw new Error(`The site of ${slug} answered ${answer.statusCode}.`);
  await once(answer.resume(), "end");
}

const slugs = async ({ kysely }: Database) =>
  (await kysely.selectFrom("project").select("slug").orderBy("id").execute()).map(({ slug }) => slug);

/** What a server with one project uses while nothing happens. */
async function idleServer(instance: TestInstance, idleMs: number): Promise<{ seconds: number; memory: number }> {
  await using server = await serve(instance);
  await firstPage(server.port, instance.project.slug);
  await sleep(15_000);
  const { memory, seconds } = server;
  const before = seconds();
  await sleep(idleMs);
  return { seconds: seconds() - before, memory: memory() };
}

/** Creates projects in one data directory, starts a server on it, and visits some of them. */
export async function runProjects(
  count: number,
  { pages, idleMs }: { pages: number; idleMs: number },
): Promise<Partial<Costs>> {
  await using instance = await createTestInstance("sqlite", docs(pages));
  const { data, database } = instance;
  const alone = await idleServer(instance, idleMs);
  const before = { database: await databaseSize(instance), disk: await diskSize(`${data}/repositories`) };
  const startMs = performance.now();
  let made = 0;
  const lane = async () => {
    while (made < count) {
      const number = ++made;
      await addProject(instance, { name: `Project ${number}`, files: docs(pages) });
      if (number % 500 === 0) say(`${number} projects after ${Math.round((performance.now() - startMs) / 1_000)} s`);
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  const grownDisk = (await diskSize(`${data}/repositories`)) - before.disk;
  await using server = await serve(instance);
  // A server records, loads, indexes and checks the newest commit of every project once.
  const recorded = async () => {
    const row = await database.kysely.selectFrom("deployment").select(({ fn }) => fn.countAll<number>().as("count")).where("reported_at", "is not", null).executeTakeFirstOrThrow(); // oxfmt-ignore
    return Number(row.count);
  };
  while ((await recorded()) < count) await sleep(1_000);
  const loadedSeconds = server.seconds();
  await sleep(5_000);
  const idle = { seconds: server.seconds(), memory: server.memory() };
  await sleep(idleMs);
  const idleSeconds = server.seconds() - idle.seconds - alone.seconds;
  const grownWith = (await databaseSize(instance)) - before.database;
  const visited = (await slugs(database)).slice(0, Math.min(VISITED, count));
  for (const slug of visited) await firstPage(server.port, slug);
  const perSite = (server.memory() - idle.memory) / visited.length;
  say(
    `${count} projects: ready after ${(server.readyMs / 1_000).toFixed(1)} s; ${loadedSeconds.toFixed(0)} s of a core until each was loaded and checked once; ` +
      `${idle.memory.toFixed(0)} MB then (${alone.memory.toFixed(0)} with one project), ${server.memory().toFixed(0)} MB after the first pages of ${visited.length} sites`,
  );
  const of = `${count.toLocaleString("en")} projects of ${pages} pages, SQLite`;
  const cost = (value: number, unit: string, source = of): Cost => ({ value, unit, source });
  return {
    projectBytes: cost(grownWith / count, "bytes in the database"),
    projectDisk: cost(grownDisk / count, "bytes of repositories"),
    projectIdle: cost((Math.max(0, idleSeconds) * 1e3 * 3.6e6) / idleMs / count, "ms of a core an hour"),
    projectMemory: cost(Math.max(0, perSite), "MB of memory", `first pages of ${visited.length} of ${of}`),
  };
}

/** Runs jobs by the built-in rules, four at a time, and reports what they take and leave. */
export async function runJobs(count: number, pages: number): Promise<Partial<Costs>> {
  await using instance = await createTestInstance("sqlite", docs(pages), {
    DOCENT_AGENT_CALLS_PER_HOUR: "10000000",
    DOCENT_JOBS_AT_ONCE: "4",
  });
  await using server = await serve(instance);
  const run = async (number: number) => {
    const body = { prompt: `Replace "Quasar" with "Pulsar ${number}" everywhere` };
    const { body: job } = await callApi(server.baseUrl, instance, { path: "/job", body });
    await waitForJob(server.baseUrl, instance, job.id, 600_000);
  };
  await run(0); // parses all pages
  const measure = async () => ({
    database: await databaseSize(instance),
    disk: await diskSize(`${instance.data}/repositories`),
    seconds: server.seconds(),
  });
  const before = await measure();
  let next = 1;
  const lane = async () => {
    while (next <= count) await run(next++);
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  const after = await measure();
  const source = `${count.toLocaleString("en")} jobs by the built-in rules in ${pages} pages, SQLite`;
  const cost = (value: number, unit: string): Cost => ({ value: value / count, unit, source });
  return {
    job: cost((after.seconds - before.seconds) * 1e3, "ms of a core"),
    jobBytes: cost(after.database - before.database, "bytes in the database"),
    jobDisk: cost(after.disk - before.disk, "bytes of repositories"),
  };
}
