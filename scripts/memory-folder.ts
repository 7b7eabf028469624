import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { freemem } from "node:os";
import { join } from "node:path";
import { MEMORY_FOLDER, RUN_FOLDER } from "./abandoned.ts";

const GIGABYTE = 1024 ** 3;

/**
 * A folder in memory for the temporary files of one run of the tests, or null where there is no room for one. Tests write
 * many small databases and repositories, each with its flushes: on a disk they wait for it for a third of their time.
 */
export function makeMemoryFolder(): { path: string; remove(): void } | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    // A run held 275 MB at most in November 2026. What it holds is taken from the memory that workers, PostgreSQL and the
    // browser need as well, so there must be plenty of both. In containers the folder is often one of 64 MB.
    if (bavail * bsize < 6 * GIGABYTE || freemem() < 6 * GIGABYTE) return null;
    const path = mkdtempSync(join(MEMORY_FOLDER, `${RUN_FOLDER}${process.pid}-`));
    const remove = () => rmSync(path, { recursive: true, force: true });
    // PostgreSQL and a few tests run as other users of the machine.
    chmodSync(path, 0o755);
    if (!mayRunPrograms(path)) {
      remove();
      return null;
    }
    process.once("exit", remove);
    return { path, remove };
  } catch {
    return null;
  }
}

function mayRunPrograms(folder: string): boolean {
  const program = join(folder, "try");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
