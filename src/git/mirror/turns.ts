import { AppError } from "#lib/app-error.ts";
import { createKeyedMutex, type KeyedMutex } from "#lib/waiting/mutex.ts";

/**
 * Runs one fetch at a time per repository, in call order. A queue behind a hanging host would grow without bound, so a
 * caller that has waited `patienceMs` gets `AppError unavailable`, and its task never starts.
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
        const message = "The project's code host has not responded to an earlier request yet.";
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
