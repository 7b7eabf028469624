import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = (...words: string[]) =>
  promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "test.ts"), ...words]).then(
    () => ({ code: 0, stdout: "", stderr: "" }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );

// A run that tested nothing would look like a good one.
it("a run is red in which no test ran", async () => {
  const { code, stdout } = await run("scripts/lockfile.test.ts", "-t", "no such name");
  expect(stdout).toContain("No test ran.");
  expect(code).toBe(1);
});

it("a run is red that names a file that is not there, beside one that is", async () => {
  const { code, stderr } = await run("scripts/lockfile.test.ts", "src/lib/not-there");
  expect(stderr).toBe("No test file has src/lib/not-there in its path.\n");
  expect(code).toBe(1);
});
