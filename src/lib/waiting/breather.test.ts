import { expect, it } from "vitest";
import { createBreather, runAtOnce, runInSlices } from "./breather.ts";

it("requests a pause when a slice of 8 ms is used up, and starts a new slice after it", async () => {
  let now = 0;
  const breathe = createBreather(() => now);
  now = 7.9;
  expect(breathe()).toBeNull();
  now = 8;
  let others = 0;
  setImmediate(() => others++);
  await breathe();
  expect(others).toBe(1);
  now = 15.9;
  expect(breathe()).toBeNull();
  now = 16;
  expect(breathe()).toBeInstanceOf(Promise);
});

it("runs the same work at once or in slices", async () => {
  function* sum(): Generator<void, number> {
    let total = 0;
    for (let number = 1; number <= 1_000; number++) {
      total += number;
      yield;
    }
    return total;
  }
  expect(runAtOnce(sum())).toBe(500_500);
  expect(await runInSlices(sum())).toBe(500_500);
});
