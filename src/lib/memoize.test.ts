import { expect, test } from "vitest";
import { memoize } from "./memoize.ts";

test("computes a result once per text, unless the text is long or many others came in between", () => {
  const calls: string[] = [];
  const length = memoize((text) => {
    calls.push(text);
    return text.length;
  });
  expect([length("a"), length("bb"), length("a")]).toEqual([1, 2, 1]);
  expect(calls).toEqual(["a", "bb"]);

  const long = "x".repeat(301);
  expect([length(long), length(long)]).toEqual([301, 301]);
  expect(calls).toHaveLength(4);

  for (let index = 0; index < 500; index++) length(`text ${index}`);
  expect(length("a")).toBe(1);
  expect(calls.filter((text) => text === "a")).toHaveLength(2);
});
