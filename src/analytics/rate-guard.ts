import type { Clock } from "#lib/clock.ts";
import { BoundedMap } from "./counts-cache.ts";

const MAX_REMEMBERED = 50_000;
const MINUTE_MS = 60_000;

/** Counts calls of each key in the current minute; forgets the oldest keys beyond 50,000. */
export function createRateGuard({ clock, perMinute }: { clock: Clock; perMinute: number }) {
  const windows = new BoundedMap<string, { minute: number; calls: number }>(MAX_REMEMBERED);
  return {
    admits(key: string): boolean {
      const minute = Math.floor(clock.now().getTime() / MINUTE_MS);
      const window = windows.get(key);
      if (window?.minute === minute) return ++window.calls <= perMinute;
      windows.set(key, { minute, calls: 1 });
      return true;
    },
  };
}
