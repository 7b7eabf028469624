import { readdirSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const LOOK_EVERY_MS = 2;

/** Files below a directory that hold a text, in whatever encoding that leaves its ASCII. */
export async function filesWith(directory: string, text: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    if ((await readFile(file, "latin1").catch(() => "")).includes(text)) found.push(file);
  }
  return found;
}

/** Collects what every user of the machine can see of all its programs: their arguments, until it is disposed. */
export function watchCommandLines(): Disposable & { seen: ReadonlySet<string> } {
  const seen = new Set<string>();
  const look = () => {
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      try {
        seen.add(readFileSync(`/proc/${name}/cmdline`, "latin1").replaceAll("\0", " "));
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return { seen, [Symbol.dispose]: () => clearInterval(timer) };
}
