import { setTimeout as delay } from "node:timers/promises";

/** Waits; ends at once by throwing the signal's reason when it fires. */
export async function waitOrAbort(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/**
 * The promise, or the signal's reason as soon as it fires, also when the work behind the promise does not look at the
 * signal. What the work answers afterwards is dropped.
 */
export async function withSignal<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
