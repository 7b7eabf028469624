import { constants, type Dirent } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import { mapConcurrently } from "#lib/waiting/concurrency.ts";
import { createGitRunner, DEFAULT_GIT_ENVIRONMENT } from "./process/runner.ts";

export interface DirectoryFile {
  path: string;
  /** Changes whenever the file is written. */
  version: string;
  sizeBytes: number;
  kind: "file" | "symlink";
}

const MAX_FILES = 200_000;
const MAX_DEPTH = 40;
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const AT_ONCE = 64;
const LEFT_OUT = new Set([".git", "node_modules"]);

/**
 * The current files of a directory as a `Snapshot`. In a git work tree, ignored files are left out, because a push
 * would not include them. Symbolic links are listed but not followed.
 *
 * @throws AppError `too_large` for more than 200,000 files.
 */
export async function directorySnapshot(directory: string) {
  const listed = (await listByGit(directory)) ?? (await listByWalk(directory));
  if (listed.length > MAX_FILES) {
    throw new AppError("too_large", `${directory} has more than ${MAX_FILES} files: name the folder of the docs.`);
  }
  const found = await mapConcurrently(listed, AT_ONCE, (name) => describe(directory, name));
  const files = found.filter((file) => file !== null);
  const byPath = new Map(files.map((file) => [file.path, file]));
  return {
    files: () => Promise.resolve(files),
    async read(name: string): Promise<Uint8Array | null> {
      return byPath.get(name)?.kind === "file" ? await readWhole(path.join(directory, name)) : null;
    },
  };
}

async function describe(directory: string, name: string): Promise<DirectoryFile | null> {
  const found = await lstat(path.join(directory, name), { bigint: true }).catch(() => null);
  if (found === null) return null; // deleted, but still in git's index
  const kind = found.isFile() ? "file" : found.isSymbolicLink() ? "symlink" : null;
  if (kind === null) return null;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { path: name, kind, sizeBytes: Number(size), version: [dev, ino, size, mtimeNs, ctimeNs].join("-") };
}

/** Null if the path is no longer a regular file. */
async function readWhole(file: string): Promise<Uint8Array | null> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return null;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= MAX_FILE_BYTES ? await handle.readFile() : null;
  } finally {
    await handle.close();
  }
}

/** Null without git, outside a work tree, or if git ignores every file. */
async function listByGit(directory: string): Promise<string[] | null> {
  const run = createGitRunner({ environment: DEFAULT_GIT_ENVIRONMENT, maxProcesses: 1 });
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const answer = await run({ args, workingDirectory: directory }).catch(() => null);
  const names = answer === null ? [] : answer.stdout.toString("utf8").split("\0").filter(Boolean);
  const known = [...new Set(names)].filter((name) => !name.split("/").some((part) => LEFT_OUT.has(part)));
  return known.length === 0 ? null : known.toSorted();
}

async function listByWalk(directory: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries: Dirent[] = await readdir(path.join(directory, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (LEFT_OUT.has(entry.name) || found.length > MAX_FILES) continue;
      if (!entry.isDirectory()) found.push(name);
      else if (depth < MAX_DEPTH) await walk(name, depth + 1);
    }
  };
  await walk("", 0);
  return found;
}
