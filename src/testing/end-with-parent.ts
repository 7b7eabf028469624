const EVERY_MS = 1_000;
const kept: { timer?: NodeJS.Timeout } = {};

/**
 * Ends this process soon after the one that started it. The parent cannot be relied on to do it: who ends a run of the tests
 * may use SIGKILL.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  kept.timer ??= setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGKILL");
  }, EVERY_MS).unref();
}
