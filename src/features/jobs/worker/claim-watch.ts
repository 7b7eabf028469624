import { createLastingTrouble } from "#lib/lasting-trouble.ts";
import type { Logger } from "#lib/logger.ts";
import type { StoreDeps } from "#features/jobs/transitions/change.ts";
import { type Claim, heartbeat, LostClaim, readClaims } from "#features/jobs/queue/queue.ts";

/** Aborts a turn whose job was cancelled. */
export class Cancelled extends Error {}

/** Keeps the leases of one worker's jobs alive, and aborts turns whose claim is lost or whose job was cancelled. */
export interface ClaimWatch extends AsyncDisposable {
  /** Watches one claim until disposed; `controller` is aborted with `LostClaim` or `Cancelled`. */
  watch(claim: Claim, controller: AbortController): Disposable;
  /**
   * Extends the leases if that is due. To be awaited before the same worker claims a job: in a process that got no processor
   * time, the leases of its own jobs may have expired.
   */
  extendDue(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Two heartbeats may fail before a lease expires. */
const BEATS_PER_LEASE = 3;

/**
 * Runs one statement for all jobs together: after each third of the lease a write that extends it, and every second in
 * between a read that finds cancellations whose notification was lost. Runs nothing without active jobs.
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
    // The timer may be slightly early. The heartbeat must not wait for the next tick then.
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
    async extendDue() {
      await looking;
      if (performance.now() - beatAt >= leaseMs / BEATS_PER_LEASE) lookSoon();
      await looking;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      unsubscribe();
      await looking;
    },
  };
}
