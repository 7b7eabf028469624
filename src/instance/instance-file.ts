import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const RunningServer = z.object({ pid: z.number().int(), startedAt: z.string().nullable(), baseUrl: z.string() });
export type Instance = z.infer<typeof RunningServer>;

/** One a process, so that none that stops takes away another's word. `server.json` is what earlier versions left. */
const NAME = /^server(?:-\d+)?\.json$/;
const nameOf = (pid: number) => `server-${pid}.json`;

/** Leaves word of a running server in its data directory, for the commands that work beside it. */
export function writeInstanceFile(dataDirectory: string, baseUrl: string): void {
  for (const name of namesIn(dataDirectory)) {
    if (readLiving(path.join(dataDirectory, name)) === null) rmSync(path.join(dataDirectory, name), { force: true });
  }
  const file = path.join(dataDirectory, nameOf(process.pid));
  const instance: Instance = { pid: process.pid, startedAt: startOf(process.pid), baseUrl };
  writeFileSync(`${file}.new`, JSON.stringify(instance), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** A server that runs on a data directory; null when none does, also after a crash. */
export function readInstanceFile(dataDirectory: string): Instance | null {
  for (const name of namesIn(dataDirectory)) {
    const instance = readLiving(path.join(dataDirectory, name));
    if (instance) return instance;
  }
  return null;
}

export function removeInstanceFile(dataDirectory: string): void {
  rmSync(path.join(dataDirectory, nameOf(process.pid)), { force: true });
}

function namesIn(dataDirectory: string): string[] {
  try {
    return readdirSync(dataDirectory)
      .filter((name) => NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** Null when the file is not ours, its process is gone, or another has its number now. */
function readLiving(file: string): Instance | null {
  try {
    const instance = RunningServer.parse(JSON.parse(readFileSync(file, "utf8")));
    process.kill(instance.pid, 0);
    return startOf(instance.pid) === instance.startedAt ? instance : null;
  } catch {
    return null;
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
