import { MAX_CHANGED_FILES } from "#tools/write-policy.ts";
import { type Finding, error, type Judge, warning } from "./judge.ts";

// Real documentation changes touch 2 files at the median, 48 at p99 and 488 at most (1,807 commits of an agent).
const WARN_FILES = 50;
const WARN_LINES = 1_000;
// Renaming a product in a large repository is a legitimate request: it changed 799 of 1,544 files in one of them.
const MAX_LINES = 100_000;

/** Refuses changes that are too large to review. */
export const judgeSize: Judge = (_deps, { edits, changedLines }) => {
  const files = edits.size;
  const message = `The change touches ${files} files and ${changedLines} lines.`;
  const finding: Finding = { check: "size", path: null, line: null, message };
  if (files > MAX_CHANGED_FILES || changedLines > MAX_LINES) {
    const limits = `At most ${MAX_CHANGED_FILES} files and ${MAX_LINES} lines can be reviewed.`;
    return [error({ ...finding, message: `${message} ${limits}` })];
  }
  return files > WARN_FILES || changedLines > WARN_LINES ? [warning(finding)] : [];
};
