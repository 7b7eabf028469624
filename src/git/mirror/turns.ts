import { AppError } from "#lib/app-error.ts";
import { createKeyedMutex, type KeyedMutex } from "#lib/waiting/mutex.ts";

/**
 * One fetch at a time for a repository, in the order of the calls. Behind a host that hangs a line would grow for as long as
 * people ask: who has waited `patienceMs` for a turn gets `AppError unavailable`, and the work is not begun.
 */
export function createTurns({ patienceMs }: { patienceMs: number }): KeyedMutex {
  const mutex = createKeyedMutex();
  return {
    async run(key, task) {
      let state: "waits" | "begun" | "left" = "waits";
      const { promise: tooLate, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        if (state !== "waits") return;
        state = "left";
        const message = "The project's code host takes its time over what was asked before.";
        reject(new AppError("unavailable", message, { retryAfterSeconds: 30 }));
      }, patienceMs);
      const done = mutex.run(key, async () => {
        if (state === "left") return tooLate;
        state = "begun";
        clearTimeout(timer);
        return task();
      });
      return Promise.race([done, tooLate]);
    },
  };
}
