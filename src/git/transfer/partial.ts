import { readdir } from "node:fs/promises";
import path from "node:path";

/** What git calls the remote of a mirror while a command runs. No file names it, so nothing else can reach it. */
export const MIRROR_REMOTE = "host";

/**
 * Tells git that objects may be missing here, since the remote promised them. For the commands that need to know it: one that
 * does not know takes a missing object for missing, and never fetches it by itself (git 2.39 has no way to forbid that).
 */
export const PROMISED: Readonly<Record<string, string>> = {
  [`remote.${MIRROR_REMOTE}.promisor`]: "true",
  [`remote.${MIRROR_REMOTE}.partialCloneFilter`]: "blob:none",
};

/** Whether objects that its references reach may be missing in a repository. */
export async function isPartial(directory: string): Promise<boolean> {
  const names = await readdir(path.join(directory, "objects", "pack")).catch(() => []);
  return names.some((name) => name.endsWith(".promisor"));
}
