/** The source of time. Passed in, so that tests decide what time it is. */
export interface Clock {
  now(): Date;
}

export const DAY_MS = 86_400_000;

/** The start of a day in UTC, from `YYYY-MM-DD`; null for any other text and for days that do not exist. */
export function readCalendarDay(text: string): Date | null {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : null;
  return day === null || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text ? null : day;
}

export const systemClock: Clock = { now: () => new Date() };
