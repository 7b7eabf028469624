import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PERIOD_US = 100_000;
const REMOVALS = 50;
const REMOVE_EVERY_MS = 100;
const ROOT = "/sys/fs/cgroup";

/** A group of processes that together get a small share of one processor, as in a container of `cpus: 0.05`. */
export interface Starvation extends AsyncDisposable {
  /** Takes a process and its children into the group; those that they start later are in it too. */
  take(pid: number): void;
}

/** Null where this process may make no control group: it needs root and a writable hierarchy, of version 1 or 2. */
export async function createStarvation(percent: number): Promise<Starvation | null> {
  const quotaUs = (PERIOD_US * percent) / 100;
  const name = `docent-test-${process.pid}-${Date.now()}`;
  const ways: [folder: string, files: Record<string, string>][] = [
    [path.join(ROOT, name), { "cpu.max": `${quotaUs} ${PERIOD_US}` }],
    [path.join(ROOT, "cpu", name), { "cpu.cfs_period_us": String(PERIOD_US), "cpu.cfs_quota_us": String(quotaUs) }],
  ];
  for (const [folder, files] of ways) {
    if (!(await makeGroup(folder, files))) continue;
    const add = (pid: number): void => {
      writeFileSync(path.join(folder, "cgroup.procs"), String(pid));
      for (const child of childrenOf(pid)) add(child);
    };
    return { take: add, [Symbol.asyncDispose]: () => removeGroup(folder) };
  }
  return null;
}

async function makeGroup(folder: string, files: Record<string, string>): Promise<boolean> {
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    // Opened for writing alone: what is no file of the hierarchy is not made.
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text, { flag: "r+" });
    return true;
  } catch {
    await removeGroup(folder);
    return false;
  }
}

/** Once the processes that are in it are gone, which takes them a moment. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1; attempt <= REMOVALS; attempt += 1) {
    try {
      return rmdirSync(folder);
    } catch {
      await sleep(REMOVE_EVERY_MS);
    }
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}
