/** The source of time. Passed in, so that tests decide what time it is. */
export interface Clock {
  now(): Date;
}

export const DAY_MS = 86_400_000;

export const systemClock: Clock = { now: () => new Date() };
