import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Niceness of threads that may wait: beside one that wants all of a core, it leaves this one a quarter of it (sched(7):
 * each step is a factor of 1.25). Not less: others may wait for a lock that it holds.
 */
const NICENESS = 5;

/**
 * Lets the thread that calls it stand back behind all others. Linux keeps a niceness for each thread, which setpriority(2)
 * takes by the thread's number. Elsewhere, and where it is forbidden, the thread stays as it is: false.
 */
export function standBack(): boolean {
  try {
    const thread = /\/task\/(\d+)$/.exec(readlinkSync("/proc/thread-self"))?.[1]; // "PID/task/TID"
    if (thread === undefined) return false;
    setPriority(Number(thread), Math.max(getPriority(Number(thread)), NICENESS));
    return true;
  } catch {
    return false;
  }
}
