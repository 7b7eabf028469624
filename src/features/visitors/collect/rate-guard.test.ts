import { expect, test } from "vitest";
import { createRateGuard } from "./rate-guard.ts";

const setUp = (perMinute: number) => {
  let now = Date.UTC(2026, 10, 22);
  const guard = createRateGuard({ clock: { now: () => new Date(now) }, perMinute });
  return { guard, pass: (ms: number) => (now += ms) };
};

test("counts the calls of each key separately, starting over in each minute", () => {
  const { guard, pass } = setUp(2);
  const calls = () => ["a", "a", "b", "a", "a"].map((key) => guard.admits(key));
  expect(calls()).toEqual([true, true, true, false, false]);
  pass(59_999);
  expect(guard.admits("a")).toBe(false);
  pass(1);
  expect(calls()).toEqual([true, true, true, false, false]);
  pass(-60_000); // a clock that is set back
  expect(guard.admits("a")).toBe(true);
});

test("a limit per day holds for the whole day", () => {
  let now = Date.UTC(2026, 10, 22, 23);
  const guard = createRateGuard({ clock: { now: () => new Date(now) }, perDay: 2 });
  expect([guard.admits("a"), guard.admits("a"), guard.admits("a")]).toEqual([true, true, false]);
  now += 59 * 60_000;
  expect([guard.admits("a"), guard.admits("b")]).toEqual([false, true]);
  now += 60_000;
  expect(guard.admits("a")).toBe(true);
});

test("a flood from a hundred addresses blocks no others, and none of them is forgotten among a million others", () => {
  const { guard } = setUp(100);
  const flooding = Array.from({ length: 100 }, (_, index) => `203.0.113.${index}`);
  for (const key of flooding) for (let call = 0; call < 101; call++) guard.admits(key);
  const others = Array.from({ length: 1_000_000 }, (_, index) => `2001:db8:${index.toString(16)}::/64`);
  expect(others.filter((key) => !guard.admits(key)).length).toBeLessThan(25);
  expect(flooding.filter((key) => guard.admits(key))).toEqual([]);
});
