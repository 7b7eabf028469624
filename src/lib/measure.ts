import { channel } from "node:diagnostics_channel";

/** An event that an operator may want to count. Costs next to nothing without a listener. */
export interface Measure<Fact extends object> {
  publish(fact: Fact): void;
  subscribe(listener: (fact: Fact) => void): Disposable;
}

/**
 * A measure for the whole process, named after its publisher. Publishers know no listeners, so low-level code needs no
 * extra argument, and listeners import the measures that they count.
 */
export function createMeasure<Fact extends object>(name: string): Measure<Fact> {
  const measured = channel(`docent.${name}`);
  return {
    publish: (fact) => measured.publish(fact),
    subscribe(listener) {
      const listen = (fact: unknown) => listener(fact as Fact); // one publisher per name
      measured.subscribe(listen);
      return { [Symbol.dispose]: () => measured.unsubscribe(listen) };
    },
  };
}

/** Seconds since an earlier `performance.now()`. */
export const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1_000;
