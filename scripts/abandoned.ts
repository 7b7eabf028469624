import { readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isAlive } from "./install.mjs";

/** In memory on Linux: runs of the tests work there. */
export const MEMORY_FOLDER = "/dev/shm";
const root = join(import.meta.dirname, "..");
/** What a copy of the project for mistakes begins with. It stands beside the project: hard links do not leave a file system. */
export const MUTANTS_COPY = `${root}-mutants-`;
/** What the temporary folders of a run begin with, and those that its tests make. */
export const RUN_FOLDER = "docent-run-";
const TEMPORARY = [RUN_FOLDER, "docent-test-"];
const DAY_MS = 24 * 60 * 60_000;

/** Removes the folders that killed runs left. */
export function removeAbandoned(): void {
  for (const folder of new Set([tmpdir(), MEMORY_FOLDER])) removeAbandonedIn(folder, TEMPORARY);
  removeAbandonedIn(dirname(root), [basename(MUTANTS_COPY)]);
}

/**
 * Removes folders whose names begin with a prefix. With the id of a process after it, they go when the process has ended;
 * without one, after a day.
 */
export function removeAbandonedIn(folder: string, prefixes: readonly string[]): void {
  for (const name of namesIn(folder)) {
    const rest = prefixes.filter((prefix) => name.startsWith(prefix)).map((prefix) => name.slice(prefix.length));
    if (rest.length === 0) continue;
    const pid = rest.map((end) => Number(/^(\d+)-/.exec(end)?.[1])).find((number) => number > 0);
    try {
      const isOver = pid === undefined ? Date.now() - statSync(join(folder, name)).mtimeMs > DAY_MS : !isAlive(pid);
      if (isOver) rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // It belongs to someone else, or another run removes it.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // there is no such folder on this system
  }
}
