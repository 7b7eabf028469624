import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";

/** Closes one part of a process; `name` is for the log. Resolves when the part is closed or left behind. */
export type ClosePart = (name: string, part: AsyncDisposable) => Promise<void>;

/**
 * Gives all parts together `limitMs` from the first one on, and each at least `leastMs`: one that waits for a database
 * which does not answer is named in the log and left behind, so that those after it are still closed.
 */
export function createClosing(options: { logger: Logger; limitMs: number; leastMs: number }): ClosePart {
  let deadline: number | null = null;
  return async (name, part) => {
    deadline ??= performance.now() + options.limitMs;
    const limitMs = Math.max(options.leastMs, deadline - performance.now());
    const timer = new AbortController();
    const closed = Promise.resolve(part[Symbol.asyncDispose]()).then(() => true);
    const late = sleep(limitMs, false, { signal: timer.signal });
    late.catch(() => undefined); // ended below
    try {
      if (await Promise.race([closed, late])) return;
      options.logger.error({ part: name }, "did not close in time and is left behind");
      closed.catch(() => undefined); // of a part that is left behind nothing more is said
    } finally {
      timer.abort();
    }
  };
}
