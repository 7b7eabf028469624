import { AppError } from "#lib/app-error.ts";
import { untilAborted } from "#lib/waiting/until-aborted.ts";

/** Runs one piece of work for each key. `AppError conflict` when newer work replaces it or its client is gone. */
export type RunNewest = <T>(key: string, client: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Work on what a person types: only the result for the newest text is of use. */
export function createNewestOnly(): RunNewest {
  const running = new Map<string, AbortController>();
  return async (key, client, work) => {
    running.get(key)?.abort(new AppError("conflict", "A newer text was sent meanwhile."));
    const own = new AbortController();
    running.set(key, own);
    const leave = () => own.abort(new AppError("conflict", "The request was closed."));
    client.addEventListener("abort", leave, { once: true });
    if (client.aborted) leave();
    try {
      return await untilAborted(work(own.signal), own.signal);
    } finally {
      client.removeEventListener("abort", leave);
      if (running.get(key) === own) running.delete(key);
    }
  };
}
