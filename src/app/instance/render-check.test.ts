import { expect, it } from "vitest";
import { createRenderCheck } from "./render-check.ts";

/** A render check on a fake clock. The test decides when a check ends. */
function start() {
  const time = { ms: 0 };
  const checks: ((isFine: boolean) => void)[] = [];
  const canRender = () => new Promise<boolean>((resolve) => void checks.push(resolve));
  const problem = createRenderCheck(canRender, { monotonicMs: () => time.ms, waitMs: 1 });
  const end = async (isFine: boolean) => {
    checks.at(-1)!(isFine);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { time, checks, problem, end };
}

it("renders one page at a time, and none for five seconds after a success", async () => {
  const { time, checks, problem, end } = start();
  expect(await Promise.all([problem(), problem()])).toEqual(Array(2).fill(expect.stringContaining("is starting")));
  await end(true);
  time.ms = 5_000;
  expect([await problem(), checks.length]).toEqual([null, 1]);
  time.ms = 5_001;
  expect([await problem(), checks.length]).toEqual([null, 2]);
});

it("reports that pages cannot be rendered until a check succeeds", async () => {
  const { time, problem, end } = start();
  await problem();
  await end(false);
  expect(await problem()).toContain("cannot be rendered");
  time.ms = 6_000;
  const answer = problem();
  await end(true);
  expect(await answer).toBe(null);
});

it("keeps the last result for a minute while a page waits for the processor", async () => {
  const { time, problem, end } = start();
  await problem();
  await end(true);
  time.ms = 10_000;
  expect(await problem()).toBe(null);
  time.ms = 70_000;
  expect(await problem()).toBe(null);
  time.ms = 70_001;
  expect(await problem()).toContain("does not answer");
  await end(true);
  expect(await problem()).toBe(null);
});
