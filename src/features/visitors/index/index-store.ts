import type { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "#db/database.ts";
import type { CountRow } from "./pack.ts";

export interface PresenceKey {
  visitor: number;
  page: number;
}

export interface PresenceRow extends PresenceKey {
  last: number;
  earlier: Uint8Array | null;
}

export interface DayCountRow extends CountRow {
  day: number;
}

export interface TallyRow {
  facet: number;
  day: number;
  item: number;
  human: number;
  ai: number;
  other: number;
}

/**
 * The high-volume writes inside a transaction. Two implementations, because one statement per row costs 2 µs on SQLite
 * and a round trip on PostgreSQL, where arrays are passed in one statement (which SQLite has no cheap form of).
 */
export interface IndexStore {
  /** One row per key, null where there is none; sort keys by visitor, then page, for speed. */
  readPresence(project: number, keys: readonly PresenceKey[]): Promise<(PresenceRow | null)[]>;
  writePresence(project: number, rows: readonly PresenceRow[]): Promise<void>;
  /** Adds to the existing rows; rows that become all zero stay. */
  addCounts(project: number, rows: readonly DayCountRow[]): Promise<void>;
  addTallies(project: number, rows: readonly TallyRow[]): Promise<void>;
}

/** Creates the store for a transaction. Prepared statements are kept by the returned function: create it once. */
export function createIndexStores(database: Database): (transaction: DatabaseTransaction) => IndexStore {
  if (database.sqlite === null) return postgresIndexStore;
  const store = sqliteIndexStore(database.sqlite);
  return () => store;
}

function sqliteIndexStore(connection: DatabaseSync): IndexStore {
  const read = connection.prepare(
    "select last, earlier from visitor_presence where project = ? and visitor = ? and page = ?",
  );
  const write = connection.prepare("insert or replace into visitor_presence values (?, ?, ?, ?, ?)");
  const count = connection.prepare(
    `insert into visitor_count values (?, ?, ?, ?, ?, ?, ?) on conflict do update
     set human = human + excluded.human, ai = ai + excluded.ai, total = total + excluded.total`,
  );
  const tally = connection.prepare(
    `insert into view_tally values (?, ?, ?, ?, ?, ?, ?) on conflict do update
     set human = human + excluded.human, ai = ai + excluded.ai, other = other + excluded.other`,
  );
  return {
    async readPresence(project, keys) {
      return keys.map(({ visitor, page }) => {
        const row = read.get(project, visitor, page) as Pick<PresenceRow, "last" | "earlier"> | undefined;
        return row === undefined ? null : { visitor, page, last: row.last, earlier: row.earlier };
      });
    },
    async writePresence(project, rows) {
      for (const row of rows) write.run(project, row.visitor, row.page, row.last, row.earlier);
    },
    async addCounts(project, rows) {
      for (const row of rows) count.run(project, row.day, row.page, row.previous, row.human, row.ai, row.total);
    },
    async addTallies(project, rows) {
      for (const row of rows) tally.run(project, row.facet, row.day, row.item, row.human, row.ai, row.other);
    },
  };
}

const column = <Row>(rows: readonly Row[], name: keyof Row) => rows.map((row) => row[name]);

function postgresIndexStore(transaction: DatabaseTransaction): IndexStore {
  return {
    async readPresence(project, keys) {
      if (keys.length === 0) return [];
      const found = await sql<PresenceRow>`
        select p.visitor, p.page, p.last, p.earlier
        from unnest(${column(keys, "visitor")}::bigint[], ${column(keys, "page")}::int[]) as k (visitor, page)
        join visitor_presence p on p.project = ${project} and p.visitor = k.visitor and p.page = k.page
      `.execute(transaction);
      const byKey = new Map(found.rows.map((row) => [`${row.visitor}/${row.page}`, row]));
      return keys.map(({ visitor, page }) => byKey.get(`${visitor}/${page}`) ?? null);
    },
    async writePresence(project, rows) {
      if (rows.length === 0) return;
      await sql`
        insert into visitor_presence (project, visitor, page, last, earlier)
        select ${project}, * from unnest(
          ${column(rows, "visitor")}::bigint[], ${column(rows, "page")}::int[], ${column(rows, "last")}::int[],
          ${column(rows, "earlier")}::bytea[])
        on conflict (project, visitor, page) do update set last = excluded.last, earlier = excluded.earlier
      `.execute(transaction);
    },
    async addCounts(project, rows) {
      if (rows.length === 0) return;
      await sql`
        insert into visitor_count as c (project, day, page, previous, human, ai, total)
        select ${project}, * from unnest(
          ${column(rows, "day")}::int[], ${column(rows, "page")}::int[], ${column(rows, "previous")}::int[],
          ${column(rows, "human")}::int[], ${column(rows, "ai")}::int[], ${column(rows, "total")}::int[])
        on conflict (project, day, page, previous) do update
        set human = c.human + excluded.human, ai = c.ai + excluded.ai, total = c.total + excluded.total
      `.execute(transaction);
    },
    async addTallies(project, rows) {
      if (rows.length === 0) return;
      await sql`
        insert into view_tally as t (project, facet, day, item, human, ai, other)
        select ${project}, * from unnest(
          ${column(rows, "facet")}::int[], ${column(rows, "day")}::int[], ${column(rows, "item")}::int[],
          ${column(rows, "human")}::int[], ${column(rows, "ai")}::int[], ${column(rows, "other")}::int[])
        on conflict (project, facet, day, item) do update
        set human = t.human + excluded.human, ai = t.ai + excluded.ai, other = t.other + excluded.other
      `.execute(transaction);
    },
  };
}
