import type { DatabaseTransaction } from "#db/database.ts";
import type { Clock } from "#lib/clock.ts";
import { createLruCache } from "#lib/lru-cache.ts";
import { dayOf } from "#features/visitors/day.ts";
import { MIN_PACKED_ROWS, packCounts } from "./packing.ts";

/** Decides when the changes of an index are packed: when they are many, and enough against what must be rewritten. */
export interface Packer {
  /** `rows` of counts were written. The caller holds the project's write lock. */
  changed(transaction: DatabaseTransaction, index: number, rows: number): Promise<void>;
  forget(): void;
}

const MAX_REMEMBERED = 1_000;
/** A row is copied that often on average until its day is over: 2 µs, for a query that sums fewer rows in SQL. */
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
