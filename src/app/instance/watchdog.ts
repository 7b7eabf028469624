import { Worker } from "node:worker_threads";
import type { LogFolder } from "#lib/logs/log-files.ts";
import { ownModule } from "#lib/own-module.ts";

/** Settings for the thread at its start. */
export interface WatchdogSettings {
  /** A 32-bit counter that the main thread increments. */
  beats: SharedArrayBuffer;
  checkMs: number;
  /** Number of checks during which a blocked main thread may use processor time or sleep. */
  patience: number;
  keptLog: LogFolder | null;
}

/** Later messages to the thread: start watching, or end the process after a delay. */
export type WatchdogOrder = { kind: "watch" } | { kind: "end"; afterMs: number };

export interface Watchdog extends AsyncDisposable {
  /** Starts watching the main thread. */
  watch(): void;
  /** Kills the process if it still runs after this time. */
  endAfter(ms: number): void;
}

const CHECKS = 10;

/**
 * Ends this process, from a separate thread, if its event loop is blocked: a process that serves no requests and
 * ignores SIGTERM is better ended, so that a supervisor can restart it and the leases of its jobs expire. Before that,
 * it writes the reason and the stack of the running code to standard error and to the log files.
 *
 * The limit applies to processor time: `limitMs` used by the main thread in one turn of the event loop. A machine that
 * slept, a stopped process and one without processor time use none. A main thread that sleeps without using any, as in
 * a system call that never returns, is ended after `limitMs` of wall-clock time if no other thread of the process waits
 * for a processor.
 *
 * `limitMs: 0` disables the watchdog.
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
