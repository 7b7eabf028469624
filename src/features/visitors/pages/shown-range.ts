import { type Day, dayText } from "#features/visitors/day.ts";
import { parseDay } from "#features/visitors/range.ts";

/** Ranges that the page offers, in days. */
export const RANGES = [7, 30, 90, 365] as const;
const DEFAULT_DAYS = 30;

/** Days of the analytics page, up to but excluding `to`. */
export interface ShownRange {
  from: Day;
  to: Day;
  days: number;
  /** One of `RANGES` that ends today; null for days that the reader chose. */
  preset: number | null;
  /** The query string of the same range. */
  query: string;
  /** Why the requested days are not shown; null when they are. */
  problem: string | null;
}

const lastDays = (days: number, today: Day, problem: string | null = null): ShownRange => ({
  from: (today + 1 - days) as Day,
  to: (today + 1) as Day,
  days,
  preset: days,
  query: `days=${days}`,
  problem,
});

/** The range in a query: `?days=30`, or the first and the last day as `?from=2026-11-01&to=2026-11-20`. */
export function rangeOf(query: (name: string) => string | undefined, today: Day): ShownRange {
  const [from, to] = [query("from") ?? "", query("to") ?? ""];
  if (from === "" && to === "") {
    return lastDays(RANGES.find((range) => String(range) === query("days")) ?? DEFAULT_DAYS, today);
  }
  const [first, until] = [parseDay(from), to === "" ? today : parseDay(to)];
  if (first === null || until === null) return lastDays(DEFAULT_DAYS, today, "Dates are written as 2026-11-20.");
  // There are no views in the future, and the chart of a long range shows its end.
  const last = Math.min(until, today);
  if (first > last)
    return lastDays(DEFAULT_DAYS, today, "The first day must not be after the last day, or in the future.");
  return {
    from: first,
    to: (last + 1) as Day,
    days: last + 1 - first,
    preset: null,
    query: `from=${dayText(first)}&to=${dayText(last)}`,
    problem: null,
  };
}
