import { AppError } from "#lib/app-error.ts";

/** `now`: a request waits for it; `soon`: other work waits for it; `later`: background work. */
export type Priority = "now" | "soon" | "later";

/** A bounded number of places for work, shared fairly between their owners (projects). */
export interface FairPlaces {
  /** Runs a task when a place is free. `AppError unavailable` when too many of this owner's tasks wait already. */
  run<T>(owner: string, task: () => Promise<T>, priority?: Priority): Promise<T>;
}

export interface FairPlacesOptions {
  places: number;
  /**
   * How many places one owner may hold at once. By default all but one, so that one is always left for other owners.
   */
  perOwner?: number;
  /** How many tasks of one owner and priority may wait. */
  maxWaiting?: number | Record<Priority, number>;
  /** The error that is thrown beyond that. */
  refusal?: () => Error;
}

const PRIORITIES = ["now", "soon", "later"] as const;
/**
 * A priority that was passed over this often is served first, so that a flood of more urgent work slows it down but
 * does not starve it.
 */
const MAX_PASSED_OVER = 20;

const tooMuch = () =>
  new AppError("unavailable", "Too much of this project waits already.", { retryAfterSeconds: 5, isBusy: true });

/** The tasks that wait with one priority. */
interface Line {
  /** Least recently served owner first. */
  waiting: Map<string, (() => void)[]>;
  passedOver: number;
}

/**
 * The next place goes to the most urgent waiting task; among equals to the owner with the fewest places, then to the
 * one that has waited longest. An owner's tasks of one priority keep their order. `later` work leaves one place free,
 * overall and of its owner's, where there is more than one. A task should not wait for a slow client while it holds a
 * place.
 */
export function createFairPlaces(options: FairPlacesOptions): FairPlaces {
  const { places, perOwner = Math.max(1, options.places - 1), maxWaiting = Infinity } = options;
  const lines = new Map<Priority, Line>(PRIORITIES.map((each) => [each, { waiting: new Map(), passedOver: 0 }]));
  const held = createCount();
  const heldLater = createCount();

  const hasPlace = (owner: string, priority: Priority) =>
    held.all() < places &&
    held.of(owner) < perOwner &&
    (priority !== "later" ||
      (heldLater.all() < Math.max(1, places - 1) && heldLater.of(owner) < Math.max(1, perOwner - 1)));

  const take = (owner: string, priority: Priority, by = 1) => {
    held.add(owner, by);
    if (priority === "later") heldLater.add(owner, by);
  };

  const nextOwner = (priority: Priority): string | null => {
    let next: string | null = null;
    for (const owner of lines.get(priority)!.waiting.keys()) {
      if (hasPlace(owner, priority) && (next === null || held.of(owner) < held.of(next))) next = owner;
    }
    return next;
  };

  const inOrder = (): readonly Priority[] => {
    const isOverdue = (each: Priority) => lines.get(each)!.passedOver >= MAX_PASSED_OVER;
    return [...PRIORITIES.filter(isOverdue), ...PRIORITIES.filter((each) => !isOverdue(each))];
  };

  const serveNext = (): boolean => {
    for (const priority of inOrder()) {
      const owner = nextOwner(priority);
      const { waiting } = lines.get(priority)!;
      const queue = owner === null ? undefined : waiting.get(owner);
      const start = queue?.shift();
      if (owner === null || queue === undefined || start === undefined) continue;
      waiting.delete(owner);
      if (queue.length > 0) waiting.set(owner, queue);
      for (const [each, line] of lines) {
        line.passedOver = each === priority || line.waiting.size === 0 ? 0 : line.passedOver + 1;
      }
      take(owner, priority); // before another task can take the place
      start();
      return true;
    }
    return false;
  };

  const release = (owner: string, priority: Priority) => {
    take(owner, priority, -1);
    while (serveNext()); // a place that background work may not take may be free for several others
  };

  return {
    async run(owner, task, priority = "now") {
      if (hasPlace(owner, priority)) take(owner, priority);
      else {
        const { waiting } = lines.get(priority)!;
        const queue = waiting.get(owner) ?? [];
        if (queue.length >= (typeof maxWaiting === "number" ? maxWaiting : maxWaiting[priority])) {
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
        release(owner, priority);
      }
    },
  };
}

/** Counts the places held, by owner and in all. */
function createCount() {
  const byOwner = new Map<string, number>();
  let all = 0;
  return {
    all: () => all,
    of: (owner: string) => byOwner.get(owner) ?? 0,
    add(owner: string, by: number) {
      all += by;
      const left = (byOwner.get(owner) ?? 0) + by;
      if (left > 0) byOwner.set(owner, left);
      else byOwner.delete(owner);
    },
  };
}
