import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, it } from "vitest";
import { measureWork } from "#testing/measure-work.ts";
import { createLruCache } from "./lru-cache.ts";

it("drops the least recently used entry", () => {
  const cache = createLruCache<string, number>({ maxWeight: 2 });
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
});

it("does not keep a value that weighs more than the whole cache", () => {
  const cache = createLruCache<string, string>({ maxWeight: 4, weigh: (text) => text.length });
  cache.set("a", "1234");
  cache.set("b", "12345");
  expect([cache.get("a"), cache.get("b")]).toEqual(["1234", undefined]);
  cache.set("a", "12345");
  expect(cache.get("a")).toBeUndefined();
  expect(cache.weight).toBe(0);
});

it("keeps nothing with a maximum of 0", () => {
  const cache = createLruCache<string, number>({ maxWeight: 0 });
  cache.set("a", 1);
  expect(cache.get("a")).toBeUndefined();
});

it("never exceeds its maximum weight, and its weight is the sum of its entries", () => {
  const step = fc.record({ key: fc.nat(8), weight: fc.nat(7), drop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = createLruCache<number, number>({ maxWeight: 12, weigh: (weight) => weight });
      for (const { key, weight, drop } of steps) {
        if (drop) cache.delete(key);
        else cache.set(key, weight);
        expect(cache.weight).toBeLessThanOrEqual(12);
      }
      const held = Array.from({ length: 9 }, (_, key) => cache.get(key) ?? 0);
      expect(cache.weight).toBe(held.reduce((sum, weight) => sum + weight, 0));
    }),
  );
});

it("still drops the oldest entry after it was emptied", () => {
  const cache = createLruCache<string, number>({ maxWeight: 3 });
  const fill = (keys: string) => {
    for (const key of keys) cache.set(key, 1);
    return "abcdefghijkl"
      .split("")
      .filter((key) => cache.get(key) !== undefined)
      .join("");
  };
  expect(fill("abcd")).toBe("bcd");
  cache.clear();
  expect(fill("efgh")).toBe("fgh");
  for (const key of "fgh") cache.delete(key);
  expect(fill("ijkl")).toBe("jkl");
});

it("drops entries at constant cost in a large cache", () => {
  const size = 300_000;
  const cache = createLruCache<number, number>({ maxWeight: size });
  for (let key = 0; key < size; key++) cache.set(key, key);
  const { threadMs } = measureWork(() => {
    for (let key = size; key < 2 * size; key++) cache.set(key, key);
  });
  // 0.2 s; with a walk over the dropped entries each time 15 s.
  expect(threadMs).toBeLessThan(5_000);
  expect(cache.size).toBe(size);
});

it("holds on to nothing that was only read", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapBytes = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const cache = createLruCache<string, number>({ maxWeight: 100 });
  // Text that is made for each call, as the key of a page is made for each request.
  const keyOf = (number: number) => `${"page ".repeat(50)}${number % 10}`;
  for (let number = 0; number < 10; number++) cache.set(keyOf(number), number);
  const before = heapBytes();
  for (let number = 0; number < 200_000; number++) cache.get(keyOf(number));
  // 30 MB where the map of the entries was changed by each read and an iterator over it was kept.
  expect(heapBytes() - before).toBeLessThan(10_000_000);
  expect(cache.size).toBe(10);
});
