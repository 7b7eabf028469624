import { AppError } from "#lib/app-error.ts";

/** `now`: somebody waits for it; `soon`: work that others wait for; `later`: work in the background. */
export type Priority = "now" | "soon" | "later";

/** A bounded number of places for work, shared fairly between their owners (projects). */
export interface FairPlaces {
  /** Runs a task when there is a place. `AppError unavailable` when too many of this owner's tasks wait already. */
  run<T>(owner: string, task: () => Promise<T>, priority?: Priority): Promise<T>;
}

export interface FairPlacesOptions {
  places: number;
  /** What one owner may hold at once. By default all but one place, so that there is always one for somebody else. */
  perOwner?: number;
  /** How many tasks of one owner and priority may wait. */
  maxWaiting?: number | Record<Priority, number>;
  /** What is thrown at more. */
  refusal?: () => Error;
}

const PRIORITIES = ["now", "soon", "later"] as const;
/** A priority that was passed over so often is served first, so that a flood of more urgent work slows it down and does not stop it. */
const MAX_PASSED_OVER = 20;

const tooMuch = () =>
  new AppError("unavailable", "Too much of this project waits already.", { retryAfterSeconds: 5, isBusy: true });

/** What waits with one priority. */
interface Line {
  /** In the order in which the owners were served last: who is first has waited the longest. */
  waiting: Map<string, (() => void)[]>;
  passedOver: number;
}

/**
 * The next place goes to the most urgent work that waits; of that to the owner who holds the fewest places, and of those to who waits
 * the longest. An owner's own tasks of one priority keep their order. Work that is `later` leaves a place free, of those of all
 * and of its owner's, where there is more than one. A task should not wait for a slow client while it has its place.
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
      take(owner, priority); // before anybody else can slip in between
      start();
      return true;
    }
    return false;
  };

  const release = (owner: string, priority: Priority) => {
    take(owner, priority, -1);
    while (serveNext()); // a place that work in the background may not have may be there for several
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

/** How many places are held, by owner and in all. */
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
