import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Process {
  name: string;
  megabytes: number;
}

/** The process and everything that it started, with their proportional set sizes. */
export function familyOf(pid: number): Process[] {
  const children = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => parentOf(entry) === pid);
  return [...ofOne(pid), ...children.flatMap((child) => familyOf(Number(child)))];
}

function parentOf(pid: string): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return null; // it ended meanwhile
  }
}

function ofOne(pid: number): Process[] {
  try {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))![1];
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
    const script = command.slice(1).find((word) => !word.startsWith("-")) ?? "";
    return [
      { name: `${path.basename(command[0] ?? "")} ${path.basename(script)}`, megabytes: Number(kilobytes) / 1_024 },
    ];
  } catch {
    return [];
  }
}

/** Processor time of the server's process in seconds, with its threads (Linux, proc(5): fields 14 and 15, in hundredths of a second). */
export function processorSeconds(pid: number): number {
  const status = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = status.slice(status.lastIndexOf(")") + 2).split(" ").slice(11, 13); // oxfmt-ignore
  return (Number(user) + Number(system)) / 100;
}

/** In megabytes. */
export const memoryOf = (family: readonly Process[]) => family.reduce((total, { megabytes }) => total + megabytes, 0);
