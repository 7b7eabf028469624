import { execFileSync } from "node:child_process";

/** Only root mounts; in a container not even it may. */
export function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== "linux") return false;
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
