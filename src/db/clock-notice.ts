import { DAY_MS } from "#lib/clock.ts";
import type { Logger } from "#lib/logger.ts";
import type { TimeState } from "./time-state.ts";

const NOT_BELIEVED =
  "the clock is far ahead of what this store has seen and is not believed: nothing is deleted or archived as too old. " +
  "Set the clock if it is wrong; if it is right, leave it: it is believed once servers have run by it for seven days";

/**
 * Logs once when the wall clock diverges from the trusted time, and once when they agree again. A process that starts
 * during a divergence logs it too.
 */
export function createClockNotice(logger: Logger): (state: TimeState) => void {
  let isSaid = false;
  return ({ wall, trusted, parted_at: partedAt, ran_ms: ranMs }) => {
    const isParted = partedAt !== null;
    if (isParted === isSaid) return;
    isSaid = isParted;
    const clock = instant(wall);
    if (!isParted) return logger.info({ clock }, "the clock is believed again");
    const apart = { trusted: instant(trusted), aheadDays: days(wall - trusted) };
    logger.warn({ clock, ...apart, since: instant(partedAt), ranDays: days(ranMs) }, NOT_BELIEVED);
  };
}

const instant = (ms: number): string => new Date(ms).toISOString();
const days = (ms: number): number => Math.round((ms / DAY_MS) * 10) / 10;
