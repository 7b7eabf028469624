import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Core 0 is only for the measured thread; its process's other threads share another core with the load generators. */
export const PROCESSOR_CORE = { measured: 0, load: 1 };

/**
 * Pins the first thread of a process to one core, and its other threads to another. That is where a scheduler puts them when the
 * first thread is always busy. Needs two cores and `taskset` (Linux, package util-linux).
 */
export async function keepApart(pid: number): Promise<void> {
  if (availableParallelism() < 2) throw new Error("Two cores are needed, one of them for the thread that is measured.");
  const pin = (core: number, ...which: string[]) =>
    run("taskset", [...which, "--cpu-list", "--pid", String(core), String(pid)]).catch((cause: unknown) => {
      throw new Error("A thread was given no core of its own: needs Linux and taskset (package util-linux).", {
        cause,
      });
    });
  await pin(PROCESSOR_CORE.load, "--all-tasks");
  await pin(PROCESSOR_CORE.measured);
}
