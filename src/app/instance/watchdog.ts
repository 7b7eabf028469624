import { Worker } from "node:worker_threads";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { ownModule } from "#lib/own-module.ts";

/** What the thread is told at its start. */
export interface WatchdogSettings {
  /** One 32-bit number that the main thread counts up. */
  beats: SharedArrayBuffer;
  checkMs: number;
  /** What a main thread that is stuck uses or sleeps through, in checks. */
  patience: number;
  keptLog: LogFolder | null;
}

/** What the thread is told later: to watch, or when the process has to be gone. */
export type WatchdogOrder = { kind: "watch" } | { kind: "end"; afterMs: number };

export interface Watchdog extends AsyncDisposable {
  /** Begins to watch the main thread. */
  watch(): void;
  /** Ends the process when it is still there after so long. */
  endAfter(ms: number): void;
}

const CHECKS = 10;

/**
 * Ends this process, from a thread beside the event loop, when the event loop does not come round: a process
 * that serves nobody and hears no SIGTERM is better gone, since a supervisor starts another and leases of its jobs run out.
 * Before that it writes why, with the stack of what is running, to standard error and to the log that is kept.
 *
 * What counts is processor time: `limitMs` used by the main thread without coming round. A machine that slept, a process that was
 * stopped and one that others leave no processor to use none. A main thread that uses none and sleeps, as in a system call that never
 * returns, is ended after `limitMs` on the clock if no other thread of the process waits for a processor.
 *
 * `limitMs: 0` watches nothing.
 */
export function startWatchdog({ limitMs, keptLog = null }: { limitMs: number; keptLog?: LogFolder | null }): Watchdog {
  const checkMs = Math.max(10, Math.floor(limitMs / CHECKS));
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  const workerData: WatchdogSettings = { beats, checkMs, patience: CHECKS, keptLog };
  const worker = new Worker(ownModule(import.meta.url, "watchdog-thread"), { workerData });
  worker.unref();
  const send = (order: WatchdogOrder) => worker.postMessage(order);
  let beat: NodeJS.Timeout | undefined;
  return {
    watch() {
      if (limitMs === 0) return;
      send({ kind: "watch" });
      beat = setInterval(() => Atomics.add(counter, 0, 1), Math.max(5, Math.floor(checkMs / 2)));
    },
    endAfter: (afterMs) => send({ kind: "end", afterMs }),
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await worker.terminate();
    },
  };
}
