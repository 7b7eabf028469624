import type { ObjectId } from "#git/objects/objects.ts";
import type { Repository } from "#git/process/runner.ts";

const MAX_COMMITS = 20_000;
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/**
 * The last change of each file on a branch, in Unix seconds of the commit that brought the change to the branch. Walks
 * at most 20,000 first-parent commits. It reads no file contents, so it works in a mirror too. `since` limits the walk
 * to changes after that commit, which must be in the branch's history. Deleted files are included.
 */
export async function readLastChanges(
  repository: Repository,
  { head, since }: { head: ObjectId; since: ObjectId | null },
): Promise<Map<string, number>> {
  const { stdout } = await repository.run({
    args: [
      "log",
      "-z",
      "--first-parent",
      "--diff-merges=first-parent",
      "--no-renames",
      "--name-only",
      "--format=%x01%H %ct",
      `--max-count=${MAX_COMMITS}`,
      "--end-of-options",
      head,
      ...(since === null ? [] : [`^${since}`]),
      "--",
    ],
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const changes = new Map<string, number>();
  let seconds = 0;
  for (const part of stdout.toString("utf8").split("\0")) {
    const commit = /^\n?\x01[0-9a-f]{40} (\d{1,12})$/.exec(part)?.[1]; // eslint-disable-line no-control-regex
    if (commit !== undefined) seconds = Number(commit);
    else {
      const path = part.startsWith("\n") ? part.slice(1) : part;
      if (path !== "" && !changes.has(path)) changes.set(path, seconds);
    }
  }
  return changes;
}
