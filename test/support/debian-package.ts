import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs a package of Debian, with its progress on standard error. False where that cannot be tried: not Debian, not root. */
export function installDebianPackage(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return false;
  console.error(`Installing the package "${name}" with apt-get.`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", name]]) {
    spawnSync("apt-get", ["-q", ...args], { stdio: ["ignore", 2, 2], env });
  }
  return true;
}
