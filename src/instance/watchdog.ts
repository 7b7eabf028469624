import { Worker } from "node:worker_threads";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { ownModule } from "#lib/own-module.ts";

/** What the thread is told. */
export interface WatchdogSettings {
  /** One 32-bit number that the main thread counts up. */
  beats: SharedArrayBuffer;
  checkMs: number;
  /** Checks in a row without a beat after which the process ends. */
  patience: number;
  keptLog: LogFolder | null;
}

const CHECKS = 10;

/**
 * Ends this process, from a thread beside the event loop, when the event loop has not come round for `limitMs`: a process
 * that serves nobody and hears no SIGTERM is better gone, since a supervisor starts another and leases of its jobs run out.
 * Before that it writes why, with the stack of what is running, to standard error
 * and to the log that is kept.
 *
 * What counts is ten checks in a row, each with the thread itself awake: a machine that slept, or a process that was
 * stopped and goes on (SIGSTOP, SIGCONT), misses one check at most.
 */
export function startWatchdog({
  limitMs,
  keptLog = null,
}: {
  limitMs: number;
  keptLog?: LogFolder | null;
}): AsyncDisposable {
  const checkMs = Math.max(10, Math.floor(limitMs / CHECKS));
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  const workerData: WatchdogSettings = { beats, checkMs, patience: CHECKS, keptLog };
  const worker = new Worker(ownModule(import.meta.url, "watchdog-thread"), { workerData });
  worker.unref();
  const beat = setInterval(() => Atomics.add(counter, 0, 1), Math.max(5, Math.floor(checkMs / 2)));
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await worker.terminate();
    },
  };
}
