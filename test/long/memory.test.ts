import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const BENCH = path.join(import.meta.dirname, "..", "..", "bench", "memory.ts");

/** Only Linux says what processes share. More jobs and views: `bench/README.md`. */
it.runIf(process.platform === "linux")(
  "a server with 1,500 pages, 20 jobs and 40,000 views takes at most 512 MB with its child processes",
  { timeout: 1_200_000 },
  async () => {
    const args = [BENCH, "--jobs", "20", "--views", "40000", "--quiet", "0"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const most = Number(/Most: (\d+) MB/.exec(stdout)?.[1]);
    expect(most <= 512 ? "" : stdout).toBe("");
  },
);
