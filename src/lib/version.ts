import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { memoize } from "./memoize.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** In a package, `scripts/build-program.mjs` has written the commit. */
const readManifest = () =>
  JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { version: string; commit?: string };

/** The version of Docent from its package.json. */
export const readVersion = (): string => readManifest().version;

/** The version with the commit where it is known: `0.2.0 (abcdef1)`. */
export function readRelease(): string {
  const { version, commit = commitOf(root) } = readManifest();
  return commit === null ? version : `${version} (${commit})`;
}

/** A start of the server asks twice. */
const commitOf = memoize((folder: string): string | null => {
  // A package may be installed inside another repository, whose commit is not Docent's.
  if (!existsSync(path.join(folder, ".git"))) return null;
  try {
    const args = ["-C", folder, "rev-parse", "--short=7", "HEAD"];
    return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return null;
  }
});
