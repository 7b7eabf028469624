import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";

/** Closes one part of a process; `name` is for the log. Resolves when the part is closed or abandoned. */
export type ClosePart = (name: string, part: AsyncDisposable) => Promise<void>;

/**
 * Shares `limitMs` between all parts, counted from the first, and gives each at least `leastMs`. A part that hangs,
 * such as one that waits for an unresponsive database, is logged and abandoned, so that the parts after it are still
 * closed.
 */
export function createClosing(options: { logger: Logger; limitMs: number; leastMs: number }): ClosePart {
  let deadline: number | null = null;
  return async (name, part) => {
    deadline ??= performance.now() + options.limitMs;
    const limitMs = Math.max(options.leastMs, deadline - performance.now());
    const timer = new AbortController();
    const closed = Promise.resolve(part[Symbol.asyncDispose]()).then(() => true);
    const timeout = sleep(limitMs, false, { signal: timer.signal });
    timeout.catch(() => undefined); // aborted below
    try {
      if (await Promise.race([closed, timeout])) return;
      options.logger.error({ part: name }, "did not close in time and is left behind");
      closed.catch(() => undefined); // a late error of an abandoned part is not logged
    } finally {
      timer.abort();
    }
  };
}
