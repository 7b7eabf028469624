import type { Clock } from "#lib/clock.ts";
import type { ModelFailure } from "./failure.ts";

/** A provider that does not answer, as one credential sees it. */
export interface Outage {
  failure: ModelFailure;
  /** When it may be asked again. */
  until: Date;
}

/**
 * Remembers which providers do not answer, so that one failed call holds back all jobs that would make the same one.
 * Keyed by `ResolvedModel.credential`. One per process: each node finds out for itself with one call.
 */
export interface CircuitBreaker {
  /** Null: ask now. While a provider is away that lets one caller through each `PROBE_MS`. */
  hold(credential: string): Outage | null;
  /** Whether it is held, without taking the turn of the one that is let through. */
  isAway(credential: string): boolean;
  failed(credential: string, failure: ModelFailure): Outage;
  /** Returns whether the provider had been away. */
  answered(credential: string): boolean;
}

const SHORTEST_HOLD_MS = 5_000;
const LONGEST_HOLD_MS = 60_000;
/** The wait grows with the outage: a quarter of its age. */
const AGE_SHARE = 4;
const PROBE_MS = 15_000;

export function createCircuitBreaker({ clock }: { clock: Clock }): CircuitBreaker {
  const outages = new Map<string, Outage & { since: number }>();
  return {
    hold(credential) {
      const outage = outages.get(credential);
      const now = clock.now().getTime();
      if (!outage) return null;
      if (now < outage.until.getTime()) return outage;
      outage.until = new Date(now + PROBE_MS);
      return null;
    },
    isAway: (credential) => (outages.get(credential)?.until.getTime() ?? 0) > clock.now().getTime(),
    failed(credential, failure) {
      const now = clock.now().getTime();
      const since = outages.get(credential)?.since ?? now;
      const holdMs = Math.min(LONGEST_HOLD_MS, Math.max(SHORTEST_HOLD_MS, (now - since) / AGE_SHARE));
      const until = new Date(now + Math.max(holdMs, failure.retryAfterMs ?? 0));
      outages.set(credential, { failure, until, since });
      return { failure, until };
    },
    answered: (credential) => outages.delete(credential),
  };
}
