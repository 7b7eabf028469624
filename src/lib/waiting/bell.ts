/** Wakes one waiting loop. A ring without a waiter is remembered for the next wait. */
export interface Bell {
  ring(): void;
  /** Waits until a ring, the timeout or an abort, whichever is first; never throws. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let isRung = false;
  let wake: (() => void) | null = null;
  return {
    ring() {
      isRung = true;
      wake?.();
    },
    async wait(timeoutMs, signal) {
      if (!isRung && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, timeoutMs);
        const abort = () => resolve();
        signal.addEventListener("abort", abort, { once: true });
        wake = resolve;
        await promise;
        wake = null;
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
      }
      isRung = false;
    },
  };
}
