import { readdir } from "node:fs/promises";
import path from "node:path";

/** Name of a mirror's remote while a command runs. It is in no configuration file, so nothing else can use it. */
export const MIRROR_REMOTE = "host";

/**
 * Marks the remote as a promisor, so that git accepts missing objects. Only for commands that need it: without it git
 * reports a missing object and never fetches it by itself (git 2.39 cannot forbid such fetches).
 */
export const PROMISED: Readonly<Record<string, string>> = {
  [`remote.${MIRROR_REMOTE}.promisor`]: "true",
  [`remote.${MIRROR_REMOTE}.partialCloneFilter`]: "blob:none",
};

/** Whether a repository may lack objects that its references reach. */
export async function isPartial(directory: string): Promise<boolean> {
  const names = await readdir(path.join(directory, "objects", "pack")).catch(() => []);
  return names.some((name) => name.endsWith(".promisor"));
}
