import { expect, it } from "vitest";
import { judgeDisk } from "./machine-checks.ts";

const MEBIBYTE = 1024 ** 2;

it.each([
  ["a small disk on which a server is ready", 41, 64, "warning", "Little space: 43 MB free, 64 %."],
  ["a disk on which a server is not ready", 31, 64, "problem", "The disk of /data is full: 33 MB free, 48 %."],
  ["a disk with space", 20_000, 100_000, "ok", "21.0 GB free, 20 %."],
])("judges %s", (_, free, all, state, words) => {
  const disk = { bavail: free, blocks: all, bsize: MEBIBYTE, files: 0, ffree: 0 };
  expect(judgeDisk("/data", disk)).toMatchObject([{ state, words }]);
});
