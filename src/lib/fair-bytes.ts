import { AppError } from "./app-error.ts";

/** Room of a bounded size, shared between owners (projects). */
export interface FairBytes {
  /** A part of the room, empty at first. Dispose it when what lay there is gone. */
  hold(owner: string): ByteHold;
}

export interface ByteHold extends Disposable {
  /** Takes this much more. `AppError unavailable` when there is no room; what it holds stays. */
  take(bytes: number): void;
}

const REFUSALS = {
  ofOwner: "This project has too much on its way already. Try again when that is done.",
  ofAll: "The server has too much on its way already. Try again soon.",
};

/**
 * No owner takes more than `perOwner`, and all together take no more than `total`. An owner's only part may be larger than
 * `perOwner`, up to `total`: otherwise a large one would never get through.
 */
export function createFairBytes(
  { total, perOwner }: { total: number; perOwner: number },
  refusals: typeof REFUSALS = REFUSALS,
): FairBytes {
  const held = new Map<string, number>();
  let used = 0;

  const change = (owner: string, bytes: number) => {
    used += bytes;
    const now = (held.get(owner) ?? 0) + bytes;
    if (now > 0) held.set(owner, now);
    else held.delete(owner);
  };

  return {
    hold(owner) {
      let own = 0;
      return {
        take(bytes) {
          const ofOwner = held.get(owner) ?? 0;
          const isAlone = ofOwner === own;
          if (!isAlone && ofOwner + bytes > perOwner) {
            throw new AppError("unavailable", refusals.ofOwner, { retryAfterSeconds: 30, isBusy: true });
          }
          if (used + bytes > total) {
            throw new AppError("unavailable", refusals.ofAll, { retryAfterSeconds: 30, isBusy: true });
          }
          own += bytes;
          change(owner, bytes);
        },
        [Symbol.dispose]() {
          change(owner, -own);
          own = 0;
        },
      };
    },
  };
}
