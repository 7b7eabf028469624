import { sql } from "kysely";

const MINUTE_MS = 60_000;
/** The minutes for which a window knows how many calls came before them: the current one, and the 60 before it. */
const MINUTES = 61;
const DIGITS = 12;
const FIRST_COUNT = 100_000_000_000;

/** A row of `rate_limit`: the calls, minute by minute, in the hour up to `minute`. */
export interface WindowRow {
  minute: number;
  calls: number;
  calls_before: string;
}

/** The window of a project's first call. */
export const firstWindow = (now: Date): WindowRow => ({
  minute: Math.floor(now.getTime() / MINUTE_MS),
  calls: FIRST_COUNT + 1,
  calls_before: String(FIRST_COUNT).repeat(MINUTES),
});

/**
 * The stored row, advanced to the minute of the inserted one, in SQL for both engines, for the update of an upsert.
 * With each minute that passed, the oldest number leaves `calls_before` on the left and the current one is appended on
 * the right; the calls since the oldest minute count. A clock that is up to an hour behind does not move the row:
 * nodes' clocks differ, and counted calls must not be lost. A clock that is further off, either way, starts a new
 * window; otherwise it could lock a project out for years.
 */
export function movedWindow() {
  const ahead = sql`(excluded.minute - rate_limit.minute)`;
  const last = sql.lit(MINUTES - 1);
  const passed = sql<number>`(case when ${ahead} between -${last} and 0 then 0 else ${ahead} end)`;
  // Only where it is 0 to 60: a PostgreSQL integer has 32 bits.
  const shift = sql`cast(${passed} as integer)`;
  const times = (count: typeof passed | typeof shift) =>
    sql`replace(substr(${sql.lit("#".repeat(MINUTES))}, 1, ${count}), '#', cast(rate_limit.calls as text))`;
  const callsBefore = sql<string>`(case when ${passed} between 0 and ${last}
    then substr(rate_limit.calls_before, ${shift} * ${sql.lit(DIGITS)} + 1) || ${times(shift)}
    else ${times(sql.lit(MINUTES))} end)`;
  return {
    minute: sql<number>`rate_limit.minute + ${passed}`,
    callsBefore,
    used: sql<number>`(rate_limit.calls - cast(substr(${callsBefore}, 1, ${sql.lit(DIGITS)}) as bigint))`,
  };
}

const callsBefore = ({ calls, calls_before }: WindowRow, index: number): number =>
  index < MINUTES ? Number(calls_before.slice(index * DIGITS, (index + 1) * DIGITS)) : calls;

/** The calls that count: those of the row's minute and of the 60 before it. */
export const usedCalls = (row: WindowRow): number => row.calls - callsBefore(row, 0);

/** Seconds from `now` until fewer than `count` of the row's calls count. */
export function secondsUntilFewer(row: WindowRow, count: number, now: Date): number {
  let minutes = 0;
  while (minutes < MINUTES && row.calls - callsBefore(row, minutes) >= count) minutes++;
  return Math.max(1, Math.ceil(((row.minute + minutes) * MINUTE_MS - now.getTime()) / 1000));
}
