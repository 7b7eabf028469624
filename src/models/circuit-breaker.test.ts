import { expect, it } from "vitest";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import type { ModelFailure } from "./failure.ts";

const START = Date.parse("2026-11-27T12:00:00Z");
const failure = (retryAfterMs: number | null = null): ModelFailure => ({
  code: "model_unavailable",
  message: "p/m: the provider could not answer (503).",
  hint: "Check it.",
  retryable: true,
  retryAfterMs,
  status: 503,
});

/** A breaker whose clock is set in seconds. */
function breakerAt() {
  let seconds = 0;
  const breaker = createCircuitBreaker({ clock: { now: () => new Date(START + seconds * 1_000) } });
  return {
    breaker,
    at: (now: number) => void (seconds = now),
    heldFor: () => {
      const outage = breaker.hold("key");
      return outage && (outage.until.getTime() - START) / 1_000 - seconds;
    },
  };
}

it("lets every call through until one fails, and again after one succeeds", () => {
  const { breaker, heldFor } = breakerAt();
  expect(heldFor()).toBeNull();
  breaker.failed("key", failure());
  expect(heldFor()).toBe(5);
  expect(breaker.hold("another key")).toBeNull();
  expect(breaker.answered("key")).toBe(true);
  expect(heldFor()).toBeNull();
  expect(breaker.answered("key")).toBe(false);
});

it("lets one call through every 15 seconds after the wait", () => {
  const { breaker, at, heldFor } = breakerAt();
  breaker.failed("key", failure());
  at(5);
  expect(heldFor()).toBeNull();
  expect(heldFor()).toBe(15);
  at(20);
  expect(heldFor()).toBeNull();
  expect(heldFor()).toBe(15);
});

it("waits for a quarter of the outage's age, between 5 seconds and a minute", () => {
  const { breaker, at, heldFor } = breakerAt();
  const waits = [0, 12, 40, 120, 600].map((seconds) => {
    at(seconds);
    breaker.failed("key", failure());
    return heldFor();
  });
  expect(waits).toEqual([5, 5, 10, 30, 60]);
});

it("waits for as long as the provider asks, where that is longer", () => {
  const { breaker, heldFor } = breakerAt();
  breaker.failed("key", failure(90_000));
  expect(heldFor()).toBe(90);
});
