import { expect, test } from "vitest";
import { measureWork } from "#testing/measure-work.ts";
import { BoundedMap } from "./bounded-map.ts";

test("a bounded map forgets what was set the longest ago, also after it was emptied", () => {
  const map = new BoundedMap<string, number>(3);
  const fill = (keys: string) => {
    for (const key of keys) map.set(key, 1);
    return [...map.keys()].join("");
  };
  expect(fill("abc")).toBe("abc");
  expect(fill("ad")).toBe("cad"); // `a` was set again
  map.delete("c");
  expect(fill("efg")).toBe("efg");
  map.clear();
  expect(fill("hijk")).toBe("ijk");
  expect(fill("lmnopqrst")).toBe("rst");
});

test("forgetting costs the same in a large map", () => {
  const size = 300_000;
  const map = new BoundedMap<number, number>(size);
  for (let key = 0; key < size; key++) map.set(key, key);
  const { threadMs } = measureWork(() => {
    for (let key = size; key < 2 * size; key++) map.set(key, key);
  });
  // 0.2 s; with a walk over the forgotten entries each time 15 s.
  expect(threadMs).toBeLessThan(5_000);
  expect(map.size).toBe(size);
});
