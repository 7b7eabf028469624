import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isRunning } from "#lib/subprocess.ts";

const RunningServer = z.object({
  pid: z.number().int(),
  startedAt: z.string().nullable(),
  baseUrl: z.string(),
  /** The data directory of the server: a copy of the file elsewhere is invalid. Earlier versions did not write it. */
  directory: z.string().optional(),
});
export type Instance = z.infer<typeof RunningServer>;

/**
 * One file per process, so that a process that exits does not remove the file of another. Earlier versions wrote
 * `server.json`.
 */
const NAME = /^server(?:-\d+)?\.json$/;
/** Partial files of a server that crashed, or ran out of space, while writing. */
const UNFINISHED = /^server-(\d+)\.json\.new$/;
const nameOf = (pid: number) => `server-${pid}.json`;

/** Records a running server in its data directory, for commands that run on the same directory. */
export function writeInstanceFile(dataDirectory: string, baseUrl: string): void {
  for (const name of namesIn(dataDirectory, NAME)) {
    if (readLiving(dataDirectory, name) === null) rmSync(path.join(dataDirectory, name), { force: true });
  }
  for (const name of namesIn(dataDirectory, UNFINISHED)) {
    if (!isRunning(Number(UNFINISHED.exec(name)?.[1]))) rmSync(path.join(dataDirectory, name), { force: true });
  }
  const file = path.join(dataDirectory, nameOf(process.pid));
  const { pid } = process;
  const instance: Instance = { pid, startedAt: startOf(pid), baseUrl, directory: identityOf(dataDirectory) };
  writeFileSync(`${file}.new`, JSON.stringify(instance), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The running server of a data directory; null if none runs, also after a crash. */
export function readInstanceFile(dataDirectory: string): Instance | null {
  for (const name of namesIn(dataDirectory, NAME)) {
    const instance = readLiving(dataDirectory, name);
    if (instance) return instance;
  }
  return null;
}

export function removeInstanceFile(dataDirectory: string): void {
  rmSync(path.join(dataDirectory, nameOf(process.pid)), { force: true });
}

function namesIn(dataDirectory: string, pattern: RegExp): string[] {
  try {
    return readdirSync(dataDirectory)
      .filter((name) => pattern.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** Null if the file is invalid or a copy from another directory, or if its process has exited or its PID was reused. */
function readLiving(dataDirectory: string, name: string): Instance | null {
  try {
    const instance = RunningServer.parse(JSON.parse(readFileSync(path.join(dataDirectory, name), "utf8")));
    if ((instance.directory ?? identityOf(dataDirectory)) !== identityOf(dataDirectory)) return null;
    if (!isRunning(instance.pid)) return null;
    return startOf(instance.pid) === instance.startedAt ? instance : null;
  } catch {
    return null;
  }
}

/** The same for every path to the directory, and different for a copy. */
function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `${dev}:${ino}`;
}

/** Start time of a process in clock ticks since boot (Linux, proc(5): field 22); null if unavailable. */
function startOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? null; // the process name before it may contain spaces
  } catch {
    return null;
  }
}
