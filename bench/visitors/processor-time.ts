import { readFile } from "node:fs/promises";

export interface ProcessorTime {
  /** Of all threads of a process, in user and kernel. */
  allMs: number;
  /** Of its first thread. */
  mainMs: number;
}

/** USER_HZ of Linux on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What a process has used so far; NaN where there is no `/proc`. */
export async function readProcessorTime(pid: number): Promise<ProcessorTime> {
  return { allMs: await readStat(`/proc/${pid}/stat`), mainMs: await readStat(`/proc/${pid}/task/${pid}/stat`) };
}

async function readStat(file: string): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => "");
  // The name of the program stands in parentheses and may hold anything; fields 14 and 15 are the times.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND;
}

export interface Quartiles {
  low: number;
  median: number;
  high: number;
}

export function quartiles(numbers: readonly number[]): Quartiles {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)] ?? Number.NaN;
    return below + ((sorted[Math.ceil(place)] ?? Number.NaN) - below) * (place % 1);
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}
