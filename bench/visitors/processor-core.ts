import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Keeps all threads of a process on one core, so that those who send requests take nothing from the server that is
 * measured. False where that cannot be done: without `taskset` (Linux, package util-linux) or with a single core.
 */
export async function keepOnCore(pid: number, core: number): Promise<boolean> {
  if (core >= availableParallelism()) return false;
  return run("taskset", ["--all-tasks", "--cpu-list", "--pid", String(core), String(pid)]).then(
    () => true,
    () => false,
  );
}
