/** Runs the tasks of one key one after another, in the order of the calls. Keys without tasks cost nothing. */
export interface KeyedMutex {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<void>>();
  return {
    async run(key, task) {
      const before = tails.get(key) ?? Promise.resolve();
      const turn = Promise.withResolvers<void>();
      const tail = before.then(() => turn.promise);
      tails.set(key, tail);
      await before;
      try {
        return await task();
      } finally {
        turn.resolve();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}
