import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Gives the first thread of process `first` a core of its own; its other threads and process `second` share another.
 * That is where a scheduler puts them when the first thread is always busy, and so those who send requests take nothing
 * from the thread that is measured. False where it cannot be done: without `taskset` (Linux, package util-linux) or with
 * a single core.
 */
export async function keepApart({ first, second }: { first: number; second: number }): Promise<boolean> {
  if (availableParallelism() < 2) return false;
  const pin = (core: number, pid: number, ...which: string[]) =>
    run("taskset", [...which, "--cpu-list", "--pid", String(core), String(pid)]);
  try {
    await pin(1, second, "--all-tasks");
    await pin(1, first, "--all-tasks");
    await pin(0, first);
    return true;
  } catch {
    return false;
  }
}
