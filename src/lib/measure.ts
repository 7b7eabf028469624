import { channel } from "node:diagnostics_channel";

/** Something that happens and that an operator may want to count. Costs next to nothing while nobody listens. */
export interface Measure<Fact extends object> {
  publish(fact: Fact): void;
  subscribe(listener: (fact: Fact) => void): Disposable;
}

/**
 * A measure of the whole process, named for its publisher. Whoever publishes knows no listener, so a part at the bottom needs no
 * argument for it, and whoever counts asks for the measures by import.
 */
export function createMeasure<Fact extends object>(name: string): Measure<Fact> {
  const measured = channel(`docent.${name}`);
  return {
    publish: (fact) => measured.publish(fact),
    subscribe(listener) {
      const listen = (fact: unknown) => listener(fact as Fact); // one publisher for each name
      measured.subscribe(listen);
      return { [Symbol.dispose]: () => measured.unsubscribe(listen) };
    },
  };
}

/** Seconds since an earlier `performance.now()`. */
export const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1_000;
