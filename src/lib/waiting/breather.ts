/** Called now and then during long work; returns a promise to wait for when others should have the thread. */
export type Breather = () => Promise<void> | null;

const SLICE_MS = 8;

/**
 * For work that is too small for a thread of its own and too long for one turn of the event loop. Large work of a
 * tenant runs in slices of 8 ms, with other requests in between: `const rest = breathe(); if (rest) await rest;`
 */
export function createBreather(now: () => number = () => performance.now()): Breather {
  let sliceEnd = now() + SLICE_MS;
  return () => {
    if (now() < sliceEnd) return null;
    return new Promise((resolve) => {
      setImmediate(() => {
        sliceEnd = now() + SLICE_MS;
        resolve();
      });
    });
  };
}

/** Runs a generator to its end in slices; it yields wherever it may be interrupted. */
export async function runInSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  const breathe = createBreather();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    const rest = breathe();
    if (rest) await rest;
  }
}

/** Runs it without pauses, for work that is known to be small. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
