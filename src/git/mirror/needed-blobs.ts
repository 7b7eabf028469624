import type { ObjectId } from "#git/objects/objects.ts";
import type { Repository } from "#git/process/runner.ts";

const MAX_BLOBS = 20_000;
const MAX_OUTPUT_BYTES = 12 * 1024 * 1024;

/** Both blobs of each file that differs between two trees, which a comparison of them may read. */
export async function differingBlobs(
  repository: Repository,
  [base, head]: readonly [ObjectId, ObjectId],
  paths: readonly string[] = [],
): Promise<ObjectId[]> {
  if (base === head) return [];
  const { stdout } = await repository.run({
    args: [
      "--literal-pathspecs",
      "diff-tree",
      "-r",
      "-z",
      "--raw",
      "--no-renames",
      "--no-commit-id",
      "--end-of-options",
      base,
      head,
      "--",
      ...paths,
    ],
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  const found = new Set<ObjectId>();
  for (const line of stdout.toString("utf8").split("\0")) {
    // git-diff-tree(1), raw output: ":<mode> <mode> <id> <id> <status>"
    const [, oldMode = "", newMode = "", old = "", next = ""] =
      /^:(\d+) (\d+) ([0-9a-f]{40}) ([0-9a-f]{40}) /.exec(line) ?? [];
    if (isBlob(oldMode)) found.add(old);
    if (isBlob(newMode)) found.add(next);
    if (found.size >= MAX_BLOBS) break;
  }
  return [...found];
}

const isBlob = (mode: string): boolean => mode.startsWith("100") || mode === "120000";

/** Blobs that a three-way merge of two commits may read: both sides of every difference from their merge bases. */
export async function mergedBlobs(
  repository: Repository,
  [ours, theirs]: readonly [ObjectId, ObjectId],
): Promise<ObjectId[]> {
  const { stdout } = await repository.run({
    args: ["merge-base", "--all", "--end-of-options", ours, theirs],
    answers: [0, 1],
  });
  const bases = stdout.toString("latin1").split("\n").filter(Boolean);
  const pairs = bases.flatMap((base): [ObjectId, ObjectId][] => [
    [base, ours],
    [base, theirs],
  ]);
  const found: ObjectId[] = [];
  for (const pair of pairs.length > 0 ? pairs.slice(0, MAX_PAIRS) : [[ours, theirs] as const]) {
    found.push(...(await differingBlobs(repository, pair)));
  }
  return [...new Set(found)];
}

/** Criss-cross histories have several merge bases. */
const MAX_PAIRS = 16;

/** Missing blobs that a push of `commit` may send: mainly those that a revert restores. */
export async function missingInPush(
  repository: Repository,
  { commit, expected }: { commit: ObjectId; expected: ObjectId | null },
): Promise<ObjectId[]> {
  const { stdout } = await repository.run({
    args: ["rev-list", "--objects", "--missing=print", "--no-object-names", "--stdin"],
    input: `${commit}\n^${expected ?? "HEAD"}\n`,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  return stdout
    .toString("latin1")
    .split("\n")
    .filter((line) => line.startsWith("?"))
    .map((line) => line.slice(1, 41));
}
