import { execFile } from "node:child_process";
import { mkdir, rm, stat } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { type Database, openDatabase } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { loadDocent } from "./docent.ts";
import { docentEngines, type Engine, lastRanges, openOtherEngines, type Range } from "./engines.ts";
import { type DataShape, generateViews } from "./generate.ts";
import type { BuiltProject, LargeProjectTimings } from "./large-project.ts";
import { measureInTurn, milliseconds, type Timing, timing } from "./measure.ts";
import { queryUnderIngestion } from "./under-ingestion.ts";

const HELP = `Compares Docent's visitor counts with counting at query time, on data it makes.

  npm run bench bench/visitors/main.ts -- [--views 200000] [--small 20] [--large 0] [--full] [--runs 15] [--only-docent]

  --full          --views 10000000 --small 1000 --large 100000000 (half an hour, 15 GB of disk, 6 GB of memory)
  --views N       views of the project that all engines are asked about
  --small N       projects of 1,000 views each beside it
  --large N       views of a project in a store of its own, counted by Docent only
  --only-docent   without PostgreSQL and DuckDB
`;

const { values } = parseArgs({
  options: {
    views: { type: "string" },
    small: { type: "string" },
    large: { type: "string" },
    pages: { type: "string", default: "2000" },
    runs: { type: "string", default: "15" },
    full: { type: "boolean", default: false },
    "only-docent": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const { full, runs } = values;
const views = Number(values.views ?? (full ? 10_000_000 : 200_000));
const smallProjects = Number(values.small ?? (full ? 1_000 : 20));
const largeViews = Number(values.large ?? (full ? 100_000_000 : 0));
const shape: DataShape = { views, days: 365, pages: Number(values.pages), seed: 7 };
const folder = path.resolve(import.meta.dirname, "../.data/visitors");
const say = (text: string) => process.stdout.write(`${text}\n`);
const whole = (value: number) => Math.round(value).toLocaleString("en");
const megabytes = async (one: string) => `${((await stat(one)).size / 1e6).toFixed(1)} MB`;

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(folder, { recursive: true, force: true }));
say(`${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.versions.node}, ${new Date().toISOString()}`);
sayLoad();

const file = path.join(folder, "docent.sqlite");
const sqlite = stack.use(await openSqlite(file));
sqlite.sqlite?.exec("pragma cache_size = -131072; pragma wal_autocheckpoint = 16384");
const projectId = await load();
const own = docentEngines("Docent, SQLite", sqlite, projectId);
const others = values["only-docent"] ? [] : await openOtherEngines(stack, { sqlite, projectId, shape, folder });
if (others.length > 0) say("DuckDB, which counts the views, says the same totals of each range.");
for (const range of lastRanges(shape)) {
  const heavy = range.days === 365 && views > 1_000_000;
  await compare(`${range.days} days, totals and 50 pages`, range, [...own, ...others], heavy ? 3 : Number(runs));
}
await askManyTimes();
await askSmallProjects();
await askUnderIngestion();
if (largeViews > 0) await askLargeProject();
sayLoad();

/** Folds the project's views, and those of the small projects. */
async function load(): Promise<ProjectId> {
  say(`\n${whole(views)} views of one project over ${shape.days} days, ${shape.pages} pages`);
  const loaded = await loadDocent(sqlite, generateViews(shape), (done, perSecond) => {
    if (done % 1_000_000 < 200_000) say(`  folded ${whole(done)}, lately ${whole(perSecond)}/s`);
  });
  say(
    `folded at ${whole(loaded.perSecond)} views/s${loaded.lastPerSecond > 0 ? `, the last 200,000 at ${whole(loaded.lastPerSecond)}/s` : ""}`,
  );
  return loaded.projectId;
}

function openSqlite(location: string): Promise<Database> {
  return openDatabase({ location: { engine: "sqlite", path: location }, logger: silentLogger, migrate: true });
}

async function compare(title: string, range: Range, engines: [string, Engine][], times: number): Promise<void> {
  const tasks = Object.fromEntries(engines.map(([name, engine]) => [name, () => engine(range)]));
  sayTimings(title, await measureInTurn(tasks, times));
}

function sayTimings(title: string, timings: Record<string, Timing>): void {
  say(`\n${title}, ms`);
  const base = Object.values(timings)[0]?.medianMs ?? 1;
  for (const [name, { medianMs, p95Ms }] of Object.entries(timings)) {
    const figures = `median ${milliseconds(medianMs).padStart(8)}  p95 ${milliseconds(p95Ms).padStart(8)}`;
    say(`  ${name.padEnd(48)} ${figures}  ${(medianMs / base).toFixed(1).padStart(9)} x`);
  }
}

async function askManyTimes(): Promise<void> {
  say("\nThe same query in a row 200 times, and 8 at once, ms");
  for (const [name, engine] of [...own.slice(0, 1), ...others.slice(0, 1)]) {
    for (const range of lastRanges(shape)) {
      const times: number[] = [];
      for (let run = 0; run < 200; run++) {
        const started = performance.now();
        await engine(range);
        times.push(performance.now() - started);
      }
      const { medianMs, p95Ms } = timing(times);
      const started = performance.now();
      await Promise.all(Array.from({ length: 8 }, () => engine(range)));
      const eight = performance.now() - started;
      say(
        `  ${name}, ${range.days} days: median ${milliseconds(medianMs)}, p95 ${milliseconds(p95Ms)}; 8 at once: ${milliseconds(eight)} for all`,
      );
    }
  }
}

async function askSmallProjects(): Promise<void> {
  const small = { ...shape, views: 1_000, pages: 50 };
  const engines: Engine[] = [];
  const started = performance.now();
  for (let number = 0; number < smallProjects; number++) {
    const loaded = await loadDocent(sqlite, generateViews({ ...small, seed: 100 + number }), () => undefined);
    engines.push(...docentEngines("small", sqlite, loaded.projectId).map(([, engine]) => engine));
  }
  const seconds = (performance.now() - started) / 1_000;
  say(`\n${whole(smallProjects)} projects of ${whole(small.views)} views beside it, folded in ${seconds.toFixed(1)} s`);
  for (const range of lastRanges(shape)) {
    const times: number[] = [];
    for (const engine of engines) {
      const asked = performance.now();
      await engine(range);
      times.push(performance.now() - asked);
    }
    const { medianMs, p95Ms } = timing(times);
    say(
      `  each asked for ${range.days} days, kept or not: median ${milliseconds(medianMs)} ms, p95 ${milliseconds(p95Ms)} ms`,
    );
  }
  say(`The store with all of them: ${await megabytes(file)}`);
}

async function askUnderIngestion(): Promise<void> {
  for (const perSecond of [1_000, 10_000]) {
    const { viewsPerSecond, refused, queries } = await queryUnderIngestion(
      { file, folder, projectId, shape },
      { perSecond, seconds: 10 },
    );
    say(
      `\n30 days while ${whole(viewsPerSecond)} views/s come in (${refused} refused): median ${milliseconds(queries.medianMs)} ms, p95 ${milliseconds(queries.p95Ms)} ms`,
    );
  }
}

async function askLargeProject(): Promise<void> {
  const largeFile = path.join(folder, "large.sqlite");
  const largeShape = { ...shape, views: largeViews };
  say(`\n${whole(largeViews)} views of one project: counting them (minutes)`);
  const built = await inProcess<BuiltProject>("build", largeFile, JSON.stringify(largeShape));
  say(`${whole(built.rows)} rows of counts in ${await megabytes(largeFile)}`);
  for (const task of ["query", "first"]) {
    const asked = await inProcess<LargeProjectTimings>(task, largeFile, JSON.stringify(largeShape), built.projectId);
    for (const { days, timings, eightAtOnceMs } of asked.ranges) {
      sayTimings(`${days} days, totals and 50 pages`, timings);
      say(`  8 at once: ${milliseconds(eightAtOnceMs)} ms for all`);
    }
    say(`Peak memory of the process that asked: ${whole(asked.peakMb)} MB`);
  }
}

async function inProcess<Answer>(...args: string[]): Promise<Answer> {
  const script = path.join(import.meta.dirname, "large-project.ts");
  const memory = args[0] === "build" ? ["--max-old-space-size=8192"] : [];
  const { stdout } = await promisify(execFile)(process.execPath, [...memory, script, ...args]);
  return JSON.parse(stdout) as Answer;
}

function sayLoad(): void {
  say(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
}
