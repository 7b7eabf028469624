import { readdir } from "node:fs/promises";
import path from "node:path";
import type { GitRunner } from "#git/process/runner.ts";

/** The copy of one repository: files with generated text, and copied files. */
export interface RepositoryCopy {
  texts: { path: string; text: string }[];
  /** Paths inside the repository. */
  files: string[];
}

/** Files that git can regenerate, and temporary files. */
const LEFT_OUT = /^(?:tmp_|multi-pack-index|.*\.(?:lock|bitmap|graph|keep)$|commit-graph)/;
/** Git recreates these from the copied references. */
const REFERENCES = new Set(["refs", "packed-refs", "logs", "objects", "hooks", "worktrees"]);

/**
 * Lists the references. Read before the objects: a commit is on disk before a reference names it, and objects are never
 * dropped.
 */
export async function readReferences(run: GitRunner, directory: string): Promise<string> {
  const { stdout } = await run({ directory, args: ["for-each-ref", "--format=%(objectname) %(refname)"] });
  return stdout.toString("utf8");
}

export async function isCommit(run: GitRunner, directory: string, reference: string): Promise<boolean> {
  const args = ["rev-parse", "--verify", "--quiet", `${reference}^{commit}`];
  return (await run({ directory, args, answers: [0, 1, 128] })).exitCode === 0;
}

/** Files next to the objects: HEAD, the configuration, notes of a mirror. */
export async function listOwnFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !REFERENCES.has(entry.name) && !LEFT_OUT.test(entry.name))
    .map(({ name }) => name);
}

/**
 * Lists the object files, loose ones first, because git packs them before it removes them. A pack without an index is
 * still being written, and contains nothing that was acknowledged.
 */
export async function listObjectFiles(directory: string): Promise<string[]> {
  const objects = path.join(directory, "objects");
  const groups = (await readdir(objects)).filter((name) => /^[0-9a-f]{2}$/.test(name)).sort();
  const loose: string[] = [];
  for (const group of groups) {
    const names = await namesIn(path.join(objects, group));
    loose.push(...names.filter((name) => !LEFT_OUT.test(name)).map((name) => `objects/${group}/${name}`));
  }
  const packs = await namesIn(path.join(objects, "pack"));
  const whole = new Set(packs.filter((name) => name.endsWith(".idx")).map((name) => name.slice(0, -".idx".length)));
  const packed = packs.filter((name) => !LEFT_OUT.test(name) && whole.has(name.slice(0, name.lastIndexOf("."))));
  return [...loose, ...packed.map((name) => `objects/pack/${name}`)];
}

/** Git removes empty folders. An unreadable folder must not be skipped. */
const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
