import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Keeps a process that sends requests, or the first thread of one that answers them, on one core, so that the senders
 * take nothing from the thread that is measured. False where that cannot be done: without `taskset` (Linux, package
 * util-linux) or with fewer cores.
 */
export async function keepOnCore(pid: number, core: number, threads: "all" | "first"): Promise<boolean> {
  if (core >= availableParallelism()) return false;
  const which = threads === "all" ? ["--all-tasks"] : [];
  return run("taskset", [...which, "--cpu-list", "--pid", String(core), String(pid)]).then(
    () => true,
    () => false,
  );
}
