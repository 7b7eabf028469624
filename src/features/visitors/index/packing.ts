import { randomInt } from "node:crypto";
import type { DatabaseTransaction } from "#db/database.ts";
import { monthStart, nextMonthStart, dayOf } from "#features/visitors/day.ts";
import { type CountRow, decodePack, encodePack, mergePack, packRows, packSpans } from "./pack.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";

/** Fewer changes than this are cheaper to sum in SQL (measured 1 ms) than to pack. */
export const MIN_PACKED_ROWS = 1_000;

interface PackWork {
  transaction: DatabaseTransaction;
  project: number;
  /** Months that ended before the month of this day are also packed as a whole. */
  today: number;
}

/**
 * Moves all rows of `visitor_count` of a project into its packs. Sums do not change, so a query sees either form. The
 * caller holds the project's write lock. Returns how many rows the changed packs now have.
 */
export async function packCounts(work: PackWork): Promise<number> {
  const { transaction, project } = work;
  const rows = await transaction.selectFrom("visitor_count").selectAll().where("project", "=", project).execute();
  let size = 0;
  for (const [day, changes] of Map.groupBy(rows, (row) => row.day)) {
    size += await changePack(work, day, changes);
  }
  await transaction.deleteFrom("visitor_count").where("project", "=", project).execute();
  for (const [month, changes] of Map.groupBy(rows, (row) => monthStart(row.day) as number)) {
    const known = await readPack(work, month, [packSpans.month]);
    if (!known) continue;
    const before = changes.filter((row) => row.previous < month);
    size += await writePack(work, { span: packSpans.month, day: month }, mergePack(known.pack, before));
  }
  await packClosedMonths(work);
  return size;
}

async function changePack(work: PackWork, day: number, changes: readonly CountRow[]): Promise<number> {
  const known = await readPack(work, day, [packSpans.day, packSpans.dayOfPackedMonth]);
  const isInPackedMonth = known ? known.span === packSpans.dayOfPackedMonth : await hasMonthPack(work, day);
  const span = isInPackedMonth ? packSpans.dayOfPackedMonth : packSpans.day;
  return writePack(work, { span, day }, mergePack(known?.pack ?? null, changes));
}

/** Packs every past month that is still in days only. */
export async function packClosedMonths(work: PackWork): Promise<void> {
  const { transaction, project, today } = work;
  const open = await transaction
    .selectFrom("visitor_pack")
    .select("day")
    .where("project", "=", project)
    .where("span", "=", packSpans.day)
    .where("day", "<", monthStart(today))
    .execute();
  for (const month of new Set(open.map(({ day }) => monthStart(day) as number))) {
    const days = await transaction
      .selectFrom("visitor_pack")
      .select("content")
      .where("project", "=", project)
      .where("span", "=", packSpans.day)
      .where("day", ">=", month)
      .where("day", "<", nextMonthStart(month))
      .execute();
    const rows = days.flatMap(({ content }) => packRows(decodePack(content)).filter((row) => row.previous < month));
    await writePack(work, { span: packSpans.month, day: month }, encodePack(rows));
    await transaction
      .updateTable("visitor_pack")
      .set({ span: packSpans.dayOfPackedMonth })
      .where("project", "=", project)
      .where("span", "=", packSpans.day)
      .where("day", ">=", month)
      .where("day", "<", nextMonthStart(month))
      .execute();
  }
}

async function hasMonthPack(work: PackWork, day: number): Promise<boolean> {
  const month = await work.transaction
    .selectFrom("visitor_pack")
    .select("version")
    .where("project", "=", work.project)
    .where("span", "=", packSpans.month)
    .where("day", "=", monthStart(day))
    .executeTakeFirst();
  return month !== undefined;
}

async function readPack({ transaction, project }: PackWork, day: number, spans: readonly number[]) {
  const row = await transaction
    .selectFrom("visitor_pack")
    .select(["span", "content"])
    .where("project", "=", project)
    .where("span", "in", spans)
    .where("day", "=", day)
    .executeTakeFirst();
  return row ? { span: row.span, pack: decodePack(row.content) } : null;
}

async function writePack(
  { transaction, project }: PackWork,
  { span, day }: { span: number; day: number },
  content: Uint8Array,
): Promise<number> {
  const version = randomInt(2 ** 31); // unique, even after the pack was deleted and created again
  await transaction
    .insertInto("visitor_pack")
    .values({ project, span, day, version, content })
    .onConflict((conflict) => conflict.columns(["project", "span", "day"]).doUpdateSet({ version, content }))
    .execute();
  return decodePack(content).rows;
}

/** Decides when the changes of an index are packed: when there are many, and enough to justify the rewrite. */
export interface Packer {
  /** Call it after writing `rows` of counts. The caller holds the project's write lock. */
  changed(transaction: DatabaseTransaction, index: number, rows: number): Promise<void>;
  forget(): void;
}

const MAX_REMEMBERED = 1_000;
/** How often a row is copied on average until its day is over: 2 µs each, for queries that sum fewer rows in SQL. */
const REWRITES_PER_ROW = 16;

export function createPacker(clock: Clock, minPackedRows = MIN_PACKED_ROWS): Packer {
  const states = createLruCache<number, { unpacked: number; packAt: number }>({ maxWeight: MAX_REMEMBERED });
  return {
    async changed(transaction, index, rows) {
      if (rows === 0) return;
      const known = states.get(index);
      const state = {
        unpacked: known ? known.unpacked + rows : await countUnpacked(transaction, index),
        packAt: known?.packAt ?? minPackedRows,
      };
      if (state.unpacked >= state.packAt) {
        const size = await packCounts({ transaction, project: index, today: dayOf(clock.now().getTime()) });
        state.unpacked = 0;
        state.packAt = Math.max(minPackedRows, Math.ceil(size / REWRITES_PER_ROW));
      }
      states.set(index, state);
    },
    forget: () => states.clear(),
  };
}

async function countUnpacked(transaction: DatabaseTransaction, index: number): Promise<number> {
  const { size } = await transaction
    .selectFrom("visitor_count")
    .select(({ fn }) => fn.countAll<number>().as("size"))
    .where("project", "=", index)
    .executeTakeFirstOrThrow();
  return Number(size);
}
