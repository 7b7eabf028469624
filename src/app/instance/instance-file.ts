import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const RunningServer = z.object({
  pid: z.number().int(),
  startedAt: z.string().nullable(),
  baseUrl: z.string(),
  /** The data directory that it works on: a copy of the file in another one tells nothing. Earlier versions left none. */
  directory: z.string().optional(),
});
export type Instance = z.infer<typeof RunningServer>;

/** One file a process, so that a process that stops does not remove another's. Earlier versions left `server.json`. */
const NAME = /^server(?:-\d+)?\.json$/;
/** What a server left behind that died, or found no room, while it left word. */
const UNFINISHED = /^server-(\d+)\.json\.new$/;
const nameOf = (pid: number) => `server-${pid}.json`;

/** Leaves word of a running server in its data directory, for the commands that work beside it. */
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

/** A server that runs on a data directory; null when none does, also after a crash. */
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

/** Null when the file is not ours, was copied from another directory, its process is gone, or another has its number now. */
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

/** The same by every path that leads to the directory, and another for a copy. */
function identityOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `${dev}:${ino}`;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** When a process was started, in ticks since the machine was (Linux, proc(5): field 22); null where that is not told. */
function startOf(pid: number): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    return status.slice(status.lastIndexOf(")") + 2).split(" ")[19] ?? null; // the name before may hold spaces
  } catch {
    return null;
  }
}
