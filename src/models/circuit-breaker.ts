import type { Clock } from "#lib/clock.ts";
import type { ModelFailure } from "./failure.ts";

/** An outage of a provider, as seen with one credential. */
export interface Outage {
  failure: ModelFailure;
  /** When calls may be tried again. */
  until: Date;
}

/**
 * Remembers which providers are down, so that one failed call stops all jobs from repeating it. Keyed by
 * `ResolvedModel.credential`. One per process: each node detects an outage with one call of its own.
 */
export interface CircuitBreaker {
  /** Null: make the call now. During an outage, one caller gets null every `PROBE_MS`. */
  hold(credential: string): Outage | null;
  /** Whether calls are held; unlike `hold`, does not use up the probe. */
  isAway(credential: string): boolean;
  failed(credential: string, failure: ModelFailure): Outage;
  /** Ends an outage; returns whether there was one. */
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
