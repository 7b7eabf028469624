import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Niceness of background threads: next to a thread that wants all of a core, it leaves this one a quarter of it
 * (sched(7): each step is a factor of 1.25). Not lower: other threads may wait for a lock that it holds.
 */
const NICENESS = 5;

/**
 * Lowers the priority of the calling thread below all others. Linux keeps a niceness per thread, which setpriority(2)
 * sets by the thread's number. Elsewhere, or without permission, nothing changes and it returns false.
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
