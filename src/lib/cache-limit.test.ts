import { expect, test } from "vitest";
import { cacheLimit } from "./cache-limit.ts";

const GB = 1024 ** 3;

test("a cache has its full size from 2 GB of memory, and in proportion with less", () => {
  expect([0.5, 1, 2, 64].map((memory) => cacheLimit(128, memory * GB))).toEqual([32, 64, 128, 128]);
});
