import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { StoreDeps } from "#features/jobs/transitions/change.ts";
import { type Claim, heartbeat, LostClaim, readClaims } from "#features/jobs/queue/queue.ts";

/** Thrown into a turn whose job is to be cancelled. */
export class Cancelled extends Error {}

/** Keeps the leases of one worker's jobs alive, and ends turns whose claim is lost or which are to be cancelled. */
export interface ClaimWatch extends AsyncDisposable {
  /** Watches one claim until disposed; `controller` is aborted with `LostClaim` or `Cancelled`. */
  watch(claim: Claim, controller: AbortController): Disposable;
}

const LOOK_MS = 1_000;
/** Two beats may fail before a lease runs out. */
const BEATS_PER_LEASE = 3;

/**
 * One statement for all jobs together: every third of the lease a write that prolongs, in between every second a look
 * for cancellations whose signal was lost. Nothing while no job runs.
 */
export function startClaimWatch(deps: StoreDeps & { logger: Logger }, { leaseMs }: { leaseMs: number }): ClaimWatch {
  const { database, logger } = deps;
  const watched = new Map<Claim, AbortController>();
  const lookMs = Math.min(LOOK_MS, leaseMs / BEATS_PER_LEASE);
  const trouble = createLastingTrouble(logger, "leases of jobs could not be prolonged");
  let beatAt = -Infinity;
  let looking: Promise<void> | null = null;

  async function look(): Promise<void> {
    const claims = [...watched.keys()];
    const now = performance.now();
    // The timer may be a little early; a beat must not wait for its next tick then.
    const isBeat = now - beatAt >= leaseMs / BEATS_PER_LEASE - lookMs / 2;
    const held = isBeat ? await heartbeat(deps, claims, leaseMs) : await readClaims(deps, claims);
    if (isBeat) beatAt = now;
    for (const claim of claims) {
      const state = held.get(claim.jobId);
      if (!state) watched.get(claim)?.abort(new LostClaim());
      else if (state.cancelRequested) watched.get(claim)?.abort(new Cancelled());
    }
  }

  const lookSoon = () => {
    if (watched.size === 0) return;
    looking ??= look()
      .then(trouble.worked, trouble.failed)
      .finally(() => (looking = null));
  };
  const timer = setInterval(lookSoon, lookMs);
  const unsubscribe = database.wakeUp.subscribe("job", (jobId) => {
    if ([...watched.keys()].some((claim) => claim.jobId === jobId)) lookSoon();
  });
  return {
    watch(claim, controller) {
      watched.set(claim, controller);
      return { [Symbol.dispose]: () => void watched.delete(claim) };
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      unsubscribe();
      await looking;
    },
  };
}
