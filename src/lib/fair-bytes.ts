import { AppError } from "./app-error.ts";

/** A bounded number of bytes, shared between owners (projects). */
export interface FairBytes {
  /** Opens a hold on the budget, empty at first. Dispose it when its bytes are freed. */
  hold(owner: string): ByteHold;
}

export interface ByteHold extends Disposable {
  /** Adds this many bytes. `AppError unavailable` when they exceed the budget; the hold keeps what it has. */
  take(bytes: number): void;
}

const REFUSALS = {
  ofOwner: "This project has too much on its way already. Try again when that is done.",
  ofAll: "The server has too much on its way already. Try again soon.",
};

/**
 * One owner gets at most `perOwner` bytes, and all together at most `total`. An owner's only hold may exceed
 * `perOwner`, up to `total`: otherwise a single large one could never proceed.
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
