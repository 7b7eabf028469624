import { readdir } from "node:fs/promises";
import path from "node:path";
import type { GitRunner } from "#git/process/runner.ts";

/** What the copy of one repository consists of: texts that are made for it, and files that are copied. */
export interface RepositoryCopy {
  texts: { path: string; text: string }[];
  /** Paths inside of the repository. */
  files: string[];
}

/** What git derives from the objects and makes again, and what it is still writing. */
const LEFT_OUT = /^(?:tmp_|multi-pack-index|.*\.(?:lock|bitmap|graph|keep)$|commit-graph)/;
/** Refilled by git from the references that are read. */
const REFERENCES = new Set(["refs", "packed-refs", "logs", "objects", "hooks", "worktrees"]);

/** Reads the references first: a commit is on disk before a reference names it, and no object is ever dropped. */
export async function readReferences(run: GitRunner, directory: string): Promise<string> {
  const { stdout } = await run({ directory, args: ["for-each-ref", "--format=%(objectname) %(refname)"] });
  return stdout.toString("utf8");
}

/** The files next to the objects: HEAD, the configuration, what a mirror notes. */
export async function listOwnFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !REFERENCES.has(entry.name) && !LEFT_OUT.test(entry.name))
    .map(({ name }) => name);
}

/**
 * Files of the objects. Loose ones come first: git packs them, and removes them afterwards. A pack without its index is still being
 * written, and nothing acknowledged is in it.
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

/** Git removes folders that it has emptied. One that cannot be read must not be left out. */
const namesIn = (folder: string) =>
  readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
