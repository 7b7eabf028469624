import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const BENCH = path.join(import.meta.dirname, "..", "..", "bench", "soak.ts");

/** The short form of an hour: `bench/README.md`. */
it("a server under steady load answers each request, ends each job and counts each visitor", async () => {
  const args = [BENCH, "--minutes", "1.5", "--views", "60", "--calls", "6", "--jobs", "0.7"];
  const failed = await promisify(execFile)(process.execPath, args).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(failed).toBe("");
}, 600_000);
