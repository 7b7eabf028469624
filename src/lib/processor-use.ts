import { readdirSync, readFileSync } from "node:fs";

/** The length of a clock tick of proc(5): 100 a second on every platform that Node runs on. */
const TICK_MS = 10;
const OWN = "self";

/** One reading of a process or thread. */
export interface ThreadLook {
  /** User and system time, in steps of 10 ms. */
  usedMs: number;
  /** `R` runs or waits for a processor, `S` sleeps, `D` waits for a disk, `T` is stopped. */
  state: string;
}

/**
 * A whole process: the time of all threads, and the state of its main thread. Null when it has exited, and on platforms
 * without proc(5).
 */
export const lookAtProcess = (pid: number): ThreadLook | null => look(`/proc/${pid}/stat`);

/** One thread of this process; the main thread has the number of the process. */
export const lookAtThread = (thread: number): ThreadLook | null => look(`/proc/${OWN}/task/${thread}/stat`);

/**
 * Whether a process (`self` for this one) waits for something other than a processor: all its threads sleep, except
 * `except`, the calling thread. A starved process has a runnable thread. False where the state is unknown.
 */
export function isAsleep(pid: number | "self", except: number | null = null): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).filter((thread) => Number(thread) !== except);
    return threads.every((thread) => (look(`/proc/${pid}/task/${thread}/stat`)?.state ?? "S") === "S");
  } catch {
    return false;
  }
}

function look(file: string): ThreadLook | null {
  try {
    const [state = "", ...fields] = readFileSync(file, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return { state, usedMs: (Number(fields[10]) + Number(fields[11])) * TICK_MS };
  } catch {
    return null;
  }
}
