import { beforeAll, describe, expect, it } from "vitest";
import { runStorm, type StormReport } from "#test/support/storm.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { ENGINES } from "#testing/databases.ts";

// A short form of `bench/kill-storm.ts`, which tells more: a job that gets its messages at once, and one after another.
const SIZE = { jobs: LONG_TESTS ? 3 : 2, seed: 20_261_120, modelDelayMs: 60, timeoutMs: 150_000 };

describe("a kill storm", () => {
  let calm: StormReport;
  beforeAll(async () => {
    calm = await runStorm({ ...SIZE, engine: "sqlite", kills: 0 });
  }, 90_000);

  it("is compared with a run in which each message is handled once", () => {
    for (const end of calm.ends)
      expect(end).toMatchObject({ status: "completed", error: null, handled: 3, pullRequests: 1 });
    expect(calm.ends.map((end) => end.commits.length)).toEqual([1, 3, 3].slice(0, SIZE.jobs));
    expect(calm.ends.map((end) => end.finishedTurns)).toEqual([[1], [1, 2, 3], [1, 2, 3]].slice(0, SIZE.jobs));
    expect(calm.ends[1]!.prompts).toEqual(["Ship 1, leg 1", "Ship 1, leg 2", "Ship 1, leg 3"]);
    expect(calm.ends.every((end) => end.hasTurnDates && end.hasGaplessEvents)).toBe(true);
  });

  it.each(ENGINES)(
    "on %s ends like an undisturbed run: one pull request per job, each message once, the same commits",
    async (engine) => {
      const stormy = await runStorm({ ...SIZE, engine, kills: LONG_TESTS ? 8 : 3 });
      expect(stormy.ends).toEqual(calm.ends);
    },
    180_000,
  );
});
