import type { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";

/** Work that takes time, such as a request or a turn of a job. Costs next to nothing without a follower. */
export interface Activity<Fact extends object> {
  /** Does the work. What is known only at its end is added to `fact` meanwhile. */
  run<T>(fact: Fact, work: () => Promise<T>): Promise<T>;
  /**
   * `begin` is called before each work. What it returns is in `current` for all that the work calls, and is passed to
   * `end`, with the error that the work threw or null.
   */
  follow<Mark>(
    current: AsyncLocalStorage<Mark>,
    follower: { begin(fact: Fact): Mark; end(mark: Mark, fact: Fact, error: unknown): void },
  ): Disposable;
}

/**
 * An activity for the whole process, named after its publisher: a measure with a duration, for traces. Like publishers
 * of measures, who does the work knows no followers.
 */
export function createActivity<Fact extends object>(name: string): Activity<Fact> {
  const begins = channel(`docent.${name} begins`);
  return {
    run<T>(fact: Fact, work: () => Promise<T>): Promise<T> {
      if (!begins.hasSubscribers) return work();
      const ends: ((error: unknown) => void)[] = [];
      const endWith = (error: unknown) => ends.forEach((end) => end(error));
      return begins.runStores({ fact, ends }, async () => {
        try {
          const result = await work();
          endWith(null);
          return result;
        } catch (error) {
          endWith(error);
          throw error;
        }
      });
    },
    follow(current, { begin, end }) {
      begins.bindStore(current, (message) => {
        const { fact, ends } = message as { fact: Fact; ends: ((error: unknown) => void)[] }; // one publisher per name
        const mark = begin(fact);
        ends.push((error) => end(mark, fact, error));
        return mark;
      });
      return { [Symbol.dispose]: () => void begins.unbindStore(current) };
    },
  };
}
