import { expect, test } from "vitest";
import { missingPackages } from "./lockfile.ts";

test("package-lock.json is complete, so that npm ci accepts it (npm run fix completes it)", () => {
  expect(missingPackages()).toEqual([]);
});
