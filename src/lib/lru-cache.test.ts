import fc from "fast-check";
import { expect, it } from "vitest";
import { createLruCache } from "./lru-cache.ts";

it("drops what was used the longest ago", () => {
  const cache = createLruCache<string, number>({ maxCost: 2 });
  cache.set("a", 1);
  cache.set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
});

it("does not keep what costs more than all of it", () => {
  const cache = createLruCache<string, string>({ maxCost: 4, costOf: (text) => text.length });
  cache.set("a", "1234");
  cache.set("b", "12345");
  expect([cache.get("a"), cache.get("b")]).toEqual(["1234", undefined]);
  cache.set("a", "12345");
  expect(cache.get("a")).toBeUndefined();
  expect(cache.cost).toBe(0);
});

it("never costs more than it may, and its cost is the sum of what it holds", () => {
  const step = fc.record({ key: fc.nat(8), weight: fc.nat(7), drop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const cache = createLruCache<number, number>({ maxCost: 12, costOf: (weight) => weight });
      for (const { key, weight, drop } of steps) {
        if (drop) cache.delete(key);
        else cache.set(key, weight);
        expect(cache.cost).toBeLessThanOrEqual(12);
      }
      const held = Array.from({ length: 9 }, (_, key) => cache.get(key) ?? 0);
      expect(cache.cost).toBe(held.reduce((sum, weight) => sum + weight, 0));
    }),
  );
});
