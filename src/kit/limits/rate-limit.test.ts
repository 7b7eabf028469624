import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "#lib/app-error.ts";
import { BOTH_ENGINES, openTestDatabase } from "#testing/databases.ts";
import { insertTestProject } from "#testing/projects.ts";
import { countCall } from "./rate-limit.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const YEARS_MS = 3 * 365 * 24 * HOUR_MS;
const START = Date.parse("2026-11-20T12:30:20Z");
const RUNS = { numRuns: 25, endOnFailure: true };

describe.each(BOTH_ENGINES)("the rate limit on %s", (engine) => {
  async function start() {
    const opened = await openTestDatabase(engine);
    const { database } = opened;
    let projects = 0;
    /** Counts calls of a project of its own: seconds to wait when a call is refused, null when it is admitted. */
    async function caller(limit: number) {
      const projectId = await insertTestProject(database, `docs-${projects++}`);
      return async (nowMs: number) => {
        try {
          return {
            state: await countCall(database.kysely, { projectId, bucket: "agent", limit, now: new Date(nowMs) }),
          };
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== "rate_limited") throw error;
          return { state: null, waitMs: error.retryAfterSeconds! * 1000 };
        }
      };
    }
    return { database, caller, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  }

  it("slides: calls expire minute by minute, not at the full hour", async () => {
    await using run = await start();
    const call = await run.caller(2);
    expect((await call(START)).state).toEqual({ limit: 2, remaining: 1, resetSeconds: 3_640 });
    expect((await call(START + 20 * MINUTE_MS)).state).toEqual({ limit: 2, remaining: 0, resetSeconds: 2_440 });
    expect(await call(START + 45 * MINUTE_MS)).toEqual({ state: null, waitMs: 940_000 });
    // The first call's minute, 12:30, is 61 minutes old at 13:31.
    expect((await call(Date.parse("2026-11-20T13:30:59.999Z"))).state).toBeNull();
    expect((await call(Date.parse("2026-11-20T13:31:00Z"))).state).toEqual({
      limit: 2,
      remaining: 0,
      resetSeconds: 1_200,
    });
  });

  it("admits 100 of 300 simultaneous calls, each with a different number left", async () => {
    await using run = await start();
    const call = await run.caller(100);
    const answers = await Promise.all(Array.from({ length: 300 }, () => call(START)));
    const left = answers.flatMap(({ state }) => (state ? [state.remaining] : [])).sort((a, b) => a - b);
    expect(left).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  it("never admits more than the limit in any hour, and never delays a call without need", async () => {
    await using run = await start();
    const gap = fc.oneof(fc.nat({ max: 30_000 }), fc.nat({ max: 20 * MINUTE_MS }), fc.nat({ max: 3 * HOUR_MS }));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.array(gap, { maxLength: 40 }), async (limit, gaps) => {
        const call = await run.caller(limit);
        const passed: number[] = [];
        const results: { isRight: boolean; [fact: string]: unknown }[] = [];
        let now = START;
        for (const gapMs of gaps) {
          now += gapMs;
          const { state, waitMs = 0 } = await call(now);
          const within = (ms: number) => passed.filter((at) => at > now - ms).length;
          const [sure, possible] = [within(HOUR_MS), within(HOUR_MS + MINUTE_MS)];
          if (state) {
            const { remaining } = state;
            results.push({
              sure,
              possible,
              remaining,
              isRight: sure < limit && remaining >= limit - possible - 1 && remaining <= limit - sure - 1,
            });
            passed.push(now);
          } else {
            // The wait is exact: a second earlier the call would have been refused again.
            const isRefusedBefore = waitMs <= 1_000 || (await call(now + waitMs - 1_000)).state === null;
            now += waitMs;
            const isLetIn = (await call(now)).state !== null;
            results.push({ sure, possible, waitMs, isRight: possible >= limit && isRefusedBefore && isLetIn });
            passed.push(now);
          }
        }
        expect(results.filter(({ isRight }) => !isRight)).toEqual([]);
      }),
      RUNS,
    );
  });

  it("holds for nodes whose clocks differ, and for a clock that is set back by up to an hour", async () => {
    await using run = await start();
    const step = fc.record({ gapMs: fc.nat({ max: 12 * MINUTE_MS }), behindMs: fc.nat({ max: 59 * MINUTE_MS }) });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 40 }), async (limit, steps) => {
        const call = await run.caller(limit);
        const passed: number[] = [];
        let now = START;
        let behind = 0;
        for (const { gapMs, behindMs } of steps) {
          now += gapMs;
          // Set back only: between adjustments, each node's clock advances with time.
          behind = Math.max(behind, behindMs);
          const { state } = await call(now - behind);
          if (!state) continue;
          expect(passed.filter((at) => at > now - HOUR_MS).length).toBeLessThan(limit);
          passed.push(now);
        }
      }),
      RUNS,
    );
  });

  it("locks no project out whatever the clock does: a jump over years, and back, starts a new window", async () => {
    await using run = await start();
    for (const jumpMs of [YEARS_MS, -YEARS_MS, HOUR_MS + 2 * MINUTE_MS, -HOUR_MS - 2 * MINUTE_MS]) {
      const call = await run.caller(1);
      expect((await call(START)).state).not.toBeNull();
      expect((await call(START + jumpMs)).state).toMatchObject({ remaining: 0 });
      expect((await call(START + jumpMs)).state).toBeNull();
      expect((await call(START + 1_000)).state).toMatchObject({ remaining: 0 });
      expect((await call(START + 2_000)).state).toBeNull();
    }
  });

  it("applies a lowered limit at once, and says when there is room", async () => {
    await using run = await start();
    const projectId = await insertTestProject(run.database);
    const call = (limit: number, atMs: number) =>
      countCall(run.database.kysely, { projectId, bucket: "agent", limit, now: new Date(START + atMs) });
    for (const minute of [0, 10, 20]) await call(3, minute * MINUTE_MS);
    await expect(call(1, 30 * MINUTE_MS)).rejects.toMatchObject({ retryAfterSeconds: 51 * 60 - 20 });
  });
});
