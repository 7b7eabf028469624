import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";

const Instance = z.object({ pid: z.number().int(), baseUrl: z.string() });
export type Instance = z.infer<typeof Instance>;

const fileOf = (dataDirectory: string) => path.join(dataDirectory, "server.json");

/** Leaves word of a running server in its data directory, for the commands that work beside it. */
export function writeInstanceFile(dataDirectory: string, instance: Instance): void {
  mkdirSync(dataDirectory, { recursive: true });
  const file = fileOf(dataDirectory);
  writeFileSync(`${file}.${instance.pid}`, JSON.stringify(instance));
  renameSync(`${file}.${instance.pid}`, file);
}

/** The server that runs on a data directory; null when none does, also after a crash. */
export function readInstanceFile(dataDirectory: string): Instance | null {
  try {
    const instance = Instance.parse(JSON.parse(readFileSync(fileOf(dataDirectory), "utf8")));
    process.kill(instance.pid, 0);
    return instance;
  } catch {
    return null; // no file, not ours, or its process is gone
  }
}

export function removeInstanceFile(dataDirectory: string): void {
  if (readInstanceFile(dataDirectory)?.pid === process.pid) rmSync(fileOf(dataDirectory), { force: true });
}
