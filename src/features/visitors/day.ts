import { DAY_MS } from "#lib/clock.ts";

declare const brand: unique symbol;
/** A UTC calendar day as the number of days since 1970-01-01. */
export type Day = number & { readonly [brand]: "Day" };

/** The UTC day that an instant (milliseconds since 1970) falls on. */
export function dayOf(instant: number): Day {
  return Math.floor(instant / DAY_MS) as Day;
}

/** `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The first day of the month that `day` lies in. */
export function monthStart(day: number): Day {
  const date = new Date(day * DAY_MS);
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS) as Day;
}

/** The first day of the month after the one that `day` lies in. */
export function nextMonthStart(day: number): Day {
  const date = new Date(day * DAY_MS);
  return (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / DAY_MS) as Day;
}
