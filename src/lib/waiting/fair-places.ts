import { AppError } from "#lib/app-error.ts";

/** A bounded number of places for work, shared fairly between their owners (projects). */
export interface FairPlaces {
  /** Runs a task when there is a place. `AppError unavailable` when too many of this owner's tasks wait already. */
  run<T>(owner: string, task: () => Promise<T>): Promise<T>;
}

export interface FairPlacesOptions {
  places: number;
  /** What one owner may hold at once. By default all but one place, so that there is always one for somebody else. */
  perOwner?: number;
  /** How many tasks of one owner may wait. */
  maxWaiting?: number;
  /** What is thrown at more. */
  refusal?: () => Error;
}

const tooMuch = () =>
  new AppError("unavailable", "Too much of this project waits already.", { retryAfterSeconds: 5, isBusy: true });

/**
 * The next place goes to the waiting owner who holds the fewest, of those to who waits the longest. An owner's own tasks
 * keep their order. A task should not wait for a slow client while it has its place.
 */
export function createFairPlaces(options: FairPlacesOptions): FairPlaces {
  const { places, perOwner = Math.max(1, options.places - 1), maxWaiting = Infinity } = options;
  const held = new Map<string, number>();
  // In the order in which the owners were served last: who is first has waited the longest.
  const waiting = new Map<string, (() => void)[]>();
  let used = 0;

  const heldBy = (owner: string) => held.get(owner) ?? 0;
  const hasPlace = (owner: string) => used < places && heldBy(owner) < perOwner;
  const take = (owner: string) => {
    used += 1;
    held.set(owner, heldBy(owner) + 1);
  };

  const nextOwner = (): string | null => {
    let next: string | null = null;
    for (const owner of waiting.keys()) {
      if (hasPlace(owner) && (next === null || heldBy(owner) < heldBy(next))) next = owner;
    }
    return next;
  };

  const serveNext = () => {
    const owner = nextOwner();
    const queue = owner === null ? undefined : waiting.get(owner);
    const start = queue?.shift();
    if (owner === null || queue === undefined || start === undefined) return;
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    take(owner); // before anybody else can slip in between
    start();
  };

  const release = (owner: string) => {
    used -= 1;
    const rest = heldBy(owner) - 1;
    if (rest > 0) held.set(owner, rest);
    else held.delete(owner);
    serveNext();
  };

  return {
    async run(owner, task) {
      if (hasPlace(owner)) take(owner);
      else {
        const queue = waiting.get(owner) ?? [];
        if (queue.length >= maxWaiting) {
          throw (options.refusal ?? tooMuch)();
        }
        await new Promise<void>((resolve) => {
          queue.push(resolve);
          waiting.set(owner, queue);
        });
      }
      try {
        return await task();
      } finally {
        release(owner);
      }
    },
  };
}
