import { mkdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { createCountsCache } from "#analytics/counts-cache.ts";
import { queryVisitors } from "#analytics/counts.ts";
import { type Day, DAY_MS, dayOf } from "#analytics/day.ts";
import { openDatabase } from "#db/database.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secret.ts";
import { startPostgresServer } from "#testing/postgres-server.ts";
import { copyIndex, loadDocent } from "./docent.ts";
import { loadDuckDb } from "./duckdb-peer.ts";
import { FIRST_TIME, generateViews } from "./generate.ts";
import { measureInTurn, milliseconds, type Timing, timing } from "./measure.ts";
import { openPeers } from "./postgres-peers.ts";

const HELP = `Compares Docent's visitor counts with counting at query time, on data it makes.

  node bench/visitors/main.ts [--views 200000] [--full] [--runs 15] [--pages 2000] [--only-docent]

  --full          10,000,000 views (some ten minutes, 8 GB of disk)
  --views N       any other number
  --only-docent   without PostgreSQL and DuckDB
`;

const { values } = parseArgs({
  options: {
    views: { type: "string", default: "200000" },
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

const views = values.full ? 10_000_000 : Number(values.views);
const shape = { views, days: 365, pages: Number(values.pages), seed: 7 };
const runs = Number(values.runs);
const say = (text: string) => process.stdout.write(`${text}\n`);
const folder = path.resolve(import.meta.dirname, "../.data/visitors");
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(folder, { recursive: true, force: true }));

const end = dayOf(FIRST_TIME + shape.days * DAY_MS - 1) + 1;
const ranges = [1, 30, 365].map((days) => ({ days, from: (end - days) as Day, to: end as Day }));

say(`${views.toLocaleString("en")} views of one project over ${shape.days} days, ${shape.pages} pages`);
const file = path.join(folder, "docent.sqlite");
const sqlite = stack.use(
  await openDatabase({ location: { engine: "sqlite", path: file }, logger: silentLogger, migrate: true }),
);
sqlite.sqlite?.exec("pragma cache_size = -131072; pragma wal_autocheckpoint = 16384");
const loaded = await loadDocent(sqlite, generateViews(shape), (done, perSecond) => {
  if (done % 1_000_000 < 200_000)
    say(`  folded ${done.toLocaleString("en")}, lately ${Math.round(perSecond).toLocaleString("en")}/s`);
});
const { projectId } = loaded;
say(
  `Docent on SQLite: folded at ${Math.round(loaded.perSecond).toLocaleString("en")} views/s (the last 200,000 at ${Math.round(loaded.lastPerSecond).toLocaleString("en")}/s), file ${megabytes((await stat(file)).size)}`,
);

type Task = (range: (typeof ranges)[number]) => Promise<unknown>;
const engines = new Map<string, Task>();
const sqliteCache = createCountsCache();
engines.set("Docent, SQLite", (range) =>
  queryVisitors({ database: sqlite, cache: sqliteCache }, { projectId, ...range, limit: 50, offset: 0 }),
);
engines.set("Docent, SQLite, nothing kept between calls", (range) =>
  queryVisitors({ database: sqlite }, { projectId, ...range, limit: 50, offset: 0 }),
);

if (!values["only-docent"]) {
  const server = await startPostgresServer({ durable: true });
  stack.defer(() => server.stop());
  const url = server.url("postgres");
  const postgres = stack.use(
    await openDatabase({ location: { engine: "postgres", url: new Secret(url) }, logger: silentLogger, migrate: true }),
  );
  await copyIndex(sqlite, postgres, projectId);
  const postgresCache = createCountsCache();
  engines.set("Docent, PostgreSQL", (range) =>
    queryVisitors({ database: postgres, cache: postgresCache }, { projectId, ...range, limit: 50, offset: 0 }),
  );
  engines.set("Docent, PostgreSQL, nothing kept between calls", (range) =>
    queryVisitors({ database: postgres }, { projectId, ...range, limit: 50, offset: 0 }),
  );
  const peers = await openPeers(url);
  stack.defer(() => peers.close());
  await peers.load(generateViews(shape));
  for (const peer of peers.peers) {
    engines.set(peer.name, ({ from, to }) => peer.query(new Date(from * DAY_MS), new Date(to * DAY_MS)));
  }
  const duckDb = await loadDuckDb(path.join(folder, "raw.duckdb"), generateViews(shape));
  stack.defer(() => duckDb.close());
  engines.set("DuckDB, raw views", ({ from, to }) => duckDb.query(from * DAY_MS, to * DAY_MS));
  for (const range of ranges) {
    // Both read the same views: they must say the same. Docent's key of a visitor is its address and client: two here.
    const { totals } = await queryVisitors({ database: sqlite }, { projectId, ...range, limit: 50, offset: 0 });
    const expected = await duckDb.query(range.from * DAY_MS, range.to * DAY_MS);
    if (JSON.stringify(totals) !== JSON.stringify(expected))
      throw new Error(`the engines differ: ${JSON.stringify({ totals, expected })}`);
  }
  say("All engines agree on the totals of each range.");
}

for (const range of ranges) {
  const heavy = range.days === 365 && views > 1_000_000;
  const tasks = Object.fromEntries([...engines].map(([name, task]) => [name, () => task(range)]));
  const timings: Record<string, Timing> = await measureInTurn(tasks, heavy ? 3 : runs);
  say(`\n${range.days} day${range.days === 1 ? "" : "s"}, totals and 50 pages, ms`);
  const base = timings["Docent, SQLite"]?.medianMs ?? 1;
  for (const [name, { medianMs, p95Ms }] of Object.entries(timings)) {
    say(
      `  ${name.padEnd(48)} median ${milliseconds(medianMs).padStart(8)}  p95 ${milliseconds(p95Ms).padStart(8)}  ${(medianMs / base).toFixed(1).padStart(9)} x`,
    );
  }
}

const own = engines.get("Docent, SQLite");
const month = ranges[1];
if (own && month) {
  const times: number[] = [];
  for (let run = 0; run < 200; run++) {
    const started = performance.now();
    await own(month);
    times.push(performance.now() - started);
  }
  const { medianMs, p95Ms } = timing(times);
  say(
    `\nDocent on SQLite, 30 days, 200 runs in a row: median ${milliseconds(medianMs)} ms, p95 ${milliseconds(p95Ms)} ms`,
  );
  const started = performance.now();
  await Promise.all(Array.from({ length: 8 }, () => own(month)));
  say(`8 at once: ${milliseconds(performance.now() - started)} ms for all`);
}
say(`Memory of this process: ${megabytes(process.memoryUsage().rss)}`);

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
