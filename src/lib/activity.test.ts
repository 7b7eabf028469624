import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, it } from "vitest";
import { createActivity } from "./activity.ts";

it("tells a follower when work begins and ends, with what the work added and the error that it threw", async () => {
  const sums = createActivity<{ of: number; sum?: number }>("sum of a test");
  const current = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const add = (of: number) => {
    const fact: { of: number; sum?: number } = { of };
    return sums.run(fact, async () => {
      await nextRound();
      seen.push(`inside ${current.getStore() ?? "nothing"}`);
      if (of > 9) throw new RangeError("too much");
      fact.sum = of + 1;
      return fact.sum;
    });
  };
  const following = sums.follow(current, {
    begin: ({ of }) => `mark ${of}`,
    end: (mark, { sum }, error) => seen.push([mark, sum, error instanceof RangeError]),
  });
  expect(await add(1)).toBe(2);
  await expect(add(10)).rejects.toThrow("too much");
  following[Symbol.dispose]();
  expect(await add(2)).toBe(3);
  expect(seen).toEqual(["inside mark 1", ["mark 1", 2, false], "inside mark 10", ["mark 10", undefined, true], "inside nothing"]); // oxfmt-ignore
});

it("keeps work at the same time apart", async () => {
  const walks = createActivity<{ name: string }>("walk of a test");
  const current = new AsyncLocalStorage<string>();
  using _ = walks.follow(current, { begin: ({ name }) => `${current.getStore() ?? ""}/${name}`, end: () => undefined });
  const walk = (name: string) =>
    walks.run({ name }, async () => {
      await nextRound();
      return walks.run({ name: "inner" }, async () => current.getStore());
    });
  expect(await Promise.all([walk("a"), walk("b")])).toEqual(["/a/inner", "/b/inner"]);
  expect(current.getStore()).toBeUndefined();
});

it("tells each of several followers when work ends", async () => {
  const runs = createActivity<object>("run of a test");
  const ended: string[] = [];
  const follow = (name: string) =>
    runs.follow(new AsyncLocalStorage<string>(), { begin: () => name, end: (mark) => ended.push(mark) });
  using _one = follow("one");
  using _two = follow("two");
  await runs.run({}, () => Promise.resolve());
  expect(ended.sort()).toEqual(["one", "two"]);
});
