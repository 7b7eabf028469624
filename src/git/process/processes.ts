import { readdir, readFile, readlink, realpath } from "node:fs/promises";

const WRITERS = new Set(["receive-pack", "update-ref", "pack-refs", "gc", "fetch", "push", "branch", "tag"]);

/** Whether a git process on this machine is moving references in a repository. False on systems without `/proc`. */
export async function isBeingWritten(directory: string): Promise<boolean> {
  const real = await realpath(directory).catch(() => directory);
  const processes = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    const place = await readlink(`/proc/${id}/cwd`).catch(() => null); // ended, or another user's
    if (place !== real) continue;
    const words = (await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")).split("\0");
    if (/(^|\/)git[^/]*$/.test(words[0] ?? "") && words.some((word) => WRITERS.has(word.replace(/^git-/, ""))))
      return true;
  }
  return false;
}
