import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { readRelease, readVersion } from "./version.ts";

it("a checkout names its commit", () => {
  const commit = execFileSync("git", ["rev-parse", "--short=7", "HEAD"], { encoding: "utf8" }).trim();
  expect(readRelease()).toBe(`${readVersion()} (${commit})`);
});
