import { setTimeout as sleep } from "node:timers/promises";

/** Repeats `work` until disposed, which aborts the signal. `work` must not reject. */
export function repeat(
  work: (signal: AbortSignal) => Promise<void>,
  { firstAfterMs = 0, everyMs }: { firstAfterMs?: number; everyMs: number },
): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const loop = (async () => {
    if (firstAfterMs > 0) await rest(firstAfterMs);
    while (!signal.aborted) {
      await work(signal);
      await rest(everyMs);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await loop;
    },
  };
}
