import path from "node:path";
import { createCountsCache } from "#features/visitors/reports/counts-cache.ts";
import { queryVisitors } from "#features/visitors/reports/counts.ts";
import { type Day, dayOf } from "#features/visitors/day.ts";
import { type Database, openDatabase } from "#db/database.ts";
import type { ProjectId } from "#lib/ids.ts";
import { silentLogger } from "#lib/logger.ts";
import { Secret } from "#lib/secrets/secret.ts";
import { startPostgresServer } from "#testing/postgres-server.ts";
import { DAY_MS } from "#lib/clock.ts";
import { copyIndex } from "./docent.ts";
import { loadDuckDb } from "./duckdb-peer.ts";
import { type DataShape, FIRST_TIME, generateViews } from "./generate.ts";
import { openPeers } from "./postgres-peers.ts";

export interface Range {
  days: number;
  from: Day;
  to: Day;
}
/** Totals of the site and its first 50 pages. */
export type Engine = (range: Range) => Promise<unknown>;

/** The last 1, 30 and 365 days of generated data. */
export function lastRanges({ days }: DataShape): Range[] {
  const end = dayOf(FIRST_TIME + days * DAY_MS - 1) + 1;
  return [1, 30, 365].map((length) => ({ days: length, from: (end - length) as Day, to: end as Day }));
}

/** Docent in normal operation (packs and names cached in memory), and for the first query of a process. */
export function docentEngines(name: string, database: Database, projectId: ProjectId): [string, Engine][] {
  const cache = createCountsCache();
  const query = (range: Range) => ({ projectId, from: range.from, to: range.to, limit: 50, offset: 0 });
  return [
    [name, (range) => queryVisitors({ database, cache }, query(range))],
    [`${name}, nothing kept between calls`, (range) => queryVisitors({ database }, query(range))],
  ];
}

/**
 * The other engines on the same views: Docent on PostgreSQL, two peers' SQL on PostgreSQL, DuckDB on raw views. Throws when the
 * totals of DuckDB, which counts the raw views, differ from Docent's.
 */
export async function openOtherEngines(
  stack: AsyncDisposableStack,
  { sqlite, projectId, shape, folder }: { sqlite: Database; projectId: ProjectId; shape: DataShape; folder: string },
): Promise<[string, Engine][]> {
  const server = await startPostgresServer({ durable: true });
  stack.defer(() => server.stop());
  const url = server.url("postgres");
  const location = { engine: "postgres", url: new Secret(url) } as const;
  const postgres = stack.use(await openDatabase({ location, logger: silentLogger, migrate: true }));
  await copyIndex(sqlite, postgres, projectId);
  const peers = await openPeers(url);
  stack.defer(() => peers.close());
  await peers.load(generateViews(shape));
  const duckDb = await loadDuckDb(path.join(folder, "raw.duckdb"), generateViews(shape));
  stack.defer(() => duckDb.close());
  for (const { from, to } of lastRanges(shape)) {
    const { totals } = await queryVisitors({ database: sqlite }, { projectId, from, to, limit: 50, offset: 0 });
    const expected = await duckDb.query(from * DAY_MS, to * DAY_MS);
    if (JSON.stringify(totals) !== JSON.stringify(expected))
      throw new Error(`the engines differ: ${JSON.stringify({ totals, expected })}`);
  }
  return [
    ...docentEngines("Docent, PostgreSQL", postgres, projectId),
    ...peers.peers.map(({ name, query }): [string, Engine] => [
      name,
      ({ from, to }) => query(new Date(from * DAY_MS), new Date(to * DAY_MS)),
    ]),
    ["DuckDB, raw views", ({ from, to }) => duckDb.query(from * DAY_MS, to * DAY_MS)],
  ];
}
