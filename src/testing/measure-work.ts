import { runInNewContext } from "node:vm";

const ENDLESS_MS = 120_000;

/**
 * Runs synchronous work and returns the processor time that this thread spent on it. Unlike wall-clock time, that does
 * not grow while other programs keep the machine busy. Throws when the work never ends, which a test runner cannot
 * interrupt.
 */
export function measureWork<T>(work: () => T): { result: T; threadMs: number } {
  const before = process.threadCpuUsage();
  const result = runInNewContext("work()", { work }, { timeout: ENDLESS_MS }) as T;
  const { user, system } = process.threadCpuUsage(before);
  return { result, threadMs: (user + system) / 1_000 };
}
