import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "#lib/app-error.ts";
import type { ProjectId } from "#lib/ids.ts";
import { sync } from "./objects/durable.ts";
import { isBranchName } from "./refs/references.ts";
import type { GitRunner } from "./process/runner.ts";

// For people who run git here by hand: Docent passes its own settings in the environment of every command.
const REPOSITORY_CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tfsync = all
\thooksPath = /dev/null
[gc]
\tauto = 0
[receive]
\tfsckObjects = true
`;

/** Replaces a repository's configuration with ours, because later commands would follow the old one. */
export async function writeConfiguration(directory: string): Promise<void> {
  await writeFile(path.join(directory, "config"), REPOSITORY_CONFIG, { flush: true });
  await rm(path.join(directory, "hooks"), { recursive: true, force: true });
}

export async function initialize(directory: string, options: { branch: string; run: GitRunner }): Promise<void> {
  if (!isBranchName(options.branch)) throw new AppError("invalid", "This is not a valid branch name.");
  await options.run({
    workingDirectory: path.dirname(directory),
    args: ["init", "--bare", "--quiet", "--template=", `--initial-branch=${options.branch}`, directory],
  });
  await writeConfiguration(directory);
}

export async function isFolder(place: string): Promise<boolean> {
  return (await stat(place).catch(() => null))?.isDirectory() ?? false;
}

/** Ids of the projects with a repository in a folder. */
export async function listRepositories(root: string): Promise<Set<ProjectId>> {
  const names = await readdir(root).catch((): string[] => []);
  return new Set(names.flatMap((name) => (/^([\w-]+)\.git$/.exec(name)?.[1] ?? []) as ProjectId[]));
}

/** Prefix of temporary folders for repositories that are being built or removed; cannot be a project id. */
const ASIDE = ".aside-";

/**
 * Builds a folder under a temporary name and renames it, so that even after a crash it exists completely or not at all.
 * `place` must not exist.
 */
export async function buildAside<T>(place: string, build: (directory: string) => Promise<T>): Promise<T> {
  const parent = path.dirname(place);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const aside = await mkdtemp(path.join(parent, ASIDE));
  try {
    const built = path.join(aside, path.basename(place));
    const result = await build(built);
    await syncTree(built);
    await rename(built, place);
    await sync(parent);
    return result;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

const ABANDONED_MS = 24 * 60 * 60_000;

/** Removes temporary folders that a crash left. */
async function removeAbandoned(parent: string): Promise<void> {
  const names = (await readdir(parent)).filter((name) => name.startsWith(ASIDE));
  for (const name of names) {
    const found = await stat(path.join(parent, name)).catch(() => null);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) {
      await rm(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

async function syncTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const place = path.join(directory, entry.name);
    await (entry.isDirectory() ? syncTree(place) : sync(place));
  }
  await sync(directory);
}

/** Renames a folder away, then deletes it, which may take long. Also finishes an interrupted removal. */
export async function removeDirectory(place: string): Promise<void> {
  const [parent, name] = [path.dirname(place), path.basename(place)];
  const asides = (await readdir(parent).catch((): string[] => [])).filter((one) => one.startsWith(ASIDE));
  for (const aside of asides) {
    const inside = await readdir(path.join(parent, aside)).catch((): string[] => []);
    if (inside.includes(name)) await rm(path.join(parent, aside), { recursive: true, force: true });
  }
  if (!(await stat(place).catch(() => null))) return;
  const aside = await mkdtemp(path.join(parent, ASIDE));
  await rename(place, path.join(aside, name));
  await sync(parent);
  await rm(aside, { recursive: true, force: true });
}

/** Sets the branch that clones check out. */
export async function setHead({ run }: { run: GitRunner }, branch: string): Promise<void> {
  await run({ args: ["symbolic-ref", "HEAD", `refs/heads/${branch}`] });
}
