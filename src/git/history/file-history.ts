import type { ObjectReader } from "#git/objects/object-reader.ts";
import { readCommits, readLog } from "./comparison.ts";
import { type CommitInfo, isObjectId, type ObjectId } from "#git/objects/objects.ts";
import type { Repository } from "#git/process/runner.ts";

/** The last commit that changed a line of a file. */
export interface BlamedLine {
  line: number;
  commit: ObjectId;
}

const TIMEOUT_MS = 20_000;

export interface LogRange {
  base: ObjectId | null;
  head: ObjectId;
  limit: number;
}

/** Lines `from` to `to` of a file in a commit. */
export interface FileLines {
  commit: ObjectId;
  path: string;
  from: number;
  to: number;
}

/** Commits that changed a file or folder; all commits of a range without a path. */
export async function readFileLog(
  repository: Repository,
  reader: ObjectReader,
  range: LogRange,
  path: string | undefined,
): Promise<CommitInfo[]> {
  if (path === undefined) return readLog(repository, reader, range);
  const { base, head, limit } = range;
  const { stdout } = await repository.run({
    args: [
      "--literal-pathspecs",
      "rev-list",
      `--max-count=${limit}`,
      "--end-of-options",
      head,
      ...(base === null ? [] : [`^${base}`]),
      "--",
      path,
    ],
    timeoutMs: TIMEOUT_MS,
  });
  return readCommits(reader, stdout.toString("latin1").split("\n").filter(isObjectId));
}

/** The commits that lines `from` to `to` of a file come from; the lines must exist. */
export async function readBlame(repository: Repository, { commit, path, from, to }: FileLines): Promise<BlamedLine[]> {
  const { stdout } = await repository.run({
    args: ["blame", "--porcelain", `-L${from},${to}`, commit, "--", path],
    timeoutMs: TIMEOUT_MS,
  });
  // git-blame(1), THE PORCELAIN FORMAT: "<commit> <line there> <line here> [<lines>]"; the text begins with a tab.
  return stdout
    .toString("latin1")
    .split("\n")
    .flatMap((text) => {
      const [, id = "", line] = /^([0-9a-f]{40}) \d+ (\d+)(?: \d+)?$/.exec(text) ?? [];
      return line === undefined ? [] : [{ line: Number(line), commit: id }];
    });
}
