import { AppError } from "#lib/app-error.ts";
import { parseCommit } from "#git/objects/commit-objects.ts";
import type { ObjectReader } from "#git/objects/object-reader.ts";
import type { CommitInfo, FileChange, TreeMerge, ObjectId } from "#git/objects/objects.ts";
import type { Repository } from "#git/process/runner.ts";

const MAX_QUICK_STEPS = 32;
// Some 50,000 files; read into memory at once.
const MAX_CHANGES_BYTES = 12 * 1024 * 1024;
const MAX_COMMIT_BYTES = 1024 * 1024;

/** Commits by id, in the given order; `AppError not_found` if one is missing. */
export async function readCommits(reader: ObjectReader, ids: readonly ObjectId[]): Promise<CommitInfo[]> {
  for (const header of await reader.headers(ids)) {
    if (header?.type !== "commit") throw new AppError("not_found", "There is no such commit.");
    if (header.sizeBytes > MAX_COMMIT_BYTES) throw new AppError("too_large", "A commit message is too large.");
  }
  const objects = await reader.objects(ids);
  return objects.map((object, index) => parseCommit(ids[index] ?? "", object?.content ?? Buffer.alloc(0)));
}

/**
 * Commits from `head` back to `base`, exclusive, if that is a short linear history; else null. Handles the common case
 * of a pull request without a process.
 */
async function linearHistory(
  reader: ObjectReader,
  base: ObjectId | null,
  head: ObjectId,
): Promise<CommitInfo[] | null> {
  const line: CommitInfo[] = [];
  for (let id = head; id !== base;) {
    if (line.length >= MAX_QUICK_STEPS) return null;
    const [commit] = await readCommits(reader, [id]);
    if (!commit || commit.parents.length > 1) return null;
    line.push(commit);
    const [parent] = commit.parents;
    if (parent === undefined) return base === null ? line : null;
    id = parent;
  }
  return line;
}

export async function findMergeBase(
  repository: Repository,
  reader: ObjectReader,
  [a, b]: readonly [ObjectId, ObjectId],
): Promise<ObjectId | null> {
  if (await linearHistory(reader, a, b)) return a;
  const { exitCode, stdout } = await repository.run({
    args: ["merge-base", "--end-of-options", a, b],
    answers: [0, 1],
  });
  return exitCode === 0 ? stdout.toString("latin1").trim().slice(0, 40) : null;
}

/** The commits that are in the history of `tip`; uses one process for any number of commits. */
export async function findContained(
  repository: Repository,
  tip: ObjectId,
  commits: readonly ObjectId[],
): Promise<Set<ObjectId>> {
  if (commits.length === 0) return new Set();
  // Lists commits outside the tip's history; the others are in it.
  const { stdout } = await repository.run({
    args: ["rev-list", "--stdin"],
    input: [`^${tip}`, ...commits, ""].join("\n"),
  });
  const outside = new Set(stdout.toString("latin1").split("\n"));
  return new Set(commits.filter((commit) => !outside.has(commit)));
}

export async function readLog(
  repository: Repository,
  reader: ObjectReader,
  options: { base: ObjectId | null; head: ObjectId; limit: number },
): Promise<CommitInfo[]> {
  const line = options.base === null ? null : await linearHistory(reader, options.base, options.head);
  if (line) return line.slice(0, options.limit);
  const { stdout } = await repository.run({
    args: ["rev-list", "--topo-order", `--max-count=${options.limit}`, "--stdin"],
    input: `${options.head}\n${options.base === null ? "" : `^${options.base}\n`}`,
  });
  return readCommits(reader, stdout.toString("latin1").split("\n").filter(Boolean));
}

const PATCH = ["--literal-pathspecs", "diff-tree", "-p", "-r", "-M", "--full-index", "--no-commit-id"];
// The text after a hunk's numbers: in documentation the heading above it, not any line that starts with a letter.
const HEADINGS = { "diff.default.xfuncname": "^ {0,3}#{1,6}[ \t].*" };
const MERGE = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories"];
const NO_HELPERS = ["--no-ext-diff", "--no-textconv", "--no-color", "--end-of-options"];

export async function readChanges(repository: Repository, base: ObjectId, head: ObjectId): Promise<FileChange[]> {
  if (base === head) return [];
  const { stdout } = await repository.run({
    args: ["diff-tree", "-r", "-M", "-z", "--raw", "--numstat", "--no-commit-id", ...NO_HELPERS, base, head],
    maxOutputBytes: MAX_CHANGES_BYTES,
  });
  const fields = stdout.toString("utf8").split("\0");
  const changes: FileChange[] = [];
  let next = 0;
  const take = () => fields[next++] ?? "";
  while (fields[next]?.startsWith(":")) {
    const status = take().split(" ")[4]?.[0];
    const first = take();
    if (status === "R") changes.push(change("renamed", take(), first));
    else changes.push(change(status === "A" ? "added" : status === "D" ? "removed" : "modified", first, null));
  }
  // The counts follow in the same order; a renamed file has its two paths in separate fields.
  for (const entry of changes) {
    const [additions = "-", deletions = "-"] = take().split("\t");
    if (entry.status === "renamed") next += 2;
    if (additions !== "-") entry.additions = Number(additions);
    if (deletions !== "-") entry.deletions = Number(deletions);
  }
  return changes;
}

function change(status: FileChange["status"], path: string, oldPath: string | null): FileChange {
  return { status, path, oldPath, additions: null, deletions: null };
}

export async function readPatch(
  repository: Repository,
  options: { base: ObjectId; head: ObjectId; paths?: readonly string[]; maxBytes: number },
): Promise<string> {
  const { base, head, paths } = options;
  if (base === head) return "";
  const { stdout } = await repository.run({
    args: [...PATCH, ...NO_HELPERS, base, head, "--", ...(paths ?? [])],
    config: HEADINGS,
    maxOutputBytes: options.maxBytes,
  });
  return stdout.toString("utf8");
}

export async function mergeTrees(
  repository: Repository,
  options: { ours: ObjectId; theirs: ObjectId },
): Promise<TreeMerge> {
  const { exitCode, stdout } = await repository.run({
    args: [...MERGE, "--end-of-options", options.ours, options.theirs],
    answers: [0, 1],
  });
  const [tree = "", ...conflicts] = stdout.toString("utf8").split("\0").filter(Boolean);
  return exitCode === 0 ? { ok: true, tree } : { ok: false, conflicts: [...new Set(conflicts)] };
}
