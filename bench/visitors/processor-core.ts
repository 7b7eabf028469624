import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Core 0 is the measured thread's alone; its process's other threads share another with those who send requests. */
export const PROCESSOR_CORE = { measured: 0, load: 1 };

/**
 * Gives the first thread of a process a core of its own, and its other threads another. That is where a scheduler puts
 * them when the first thread is always busy. Needs two cores and `taskset` (Linux, package util-linux).
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
