import path from "node:path";
import type { Failure } from "#bench/agent/failure.ts";
import { type Change, changedLines } from "#bench/agent/change.ts";
import type { Task } from "#bench/agent/task.ts";

export function checkScope({ scope }: Task, { edits }: Change): Failure[] {
  const outside = edits.filter(({ path: file }) => !scope.some((each) => each === file || path.matchesGlob(file, each)));
  if (outside.length === 0) return [];
  const files = outside.slice(0, 10).map(({ path: file }) => file);
  return [{ kind: "scope", check: "scope", message: `Files changed that the instruction does not name: ${files.join(", ")}.` }];
} // oxfmt-ignore

export function checkSize({ maxLines }: Task, { edits }: Change): Failure[] {
  const lines = edits.map(changedLines).reduce((sum, { added, removed }) => sum + added.length + removed.length, 0);
  if (lines <= maxLines) return [];
  return [{ kind: "size", check: "size", message: `${lines} lines were added and removed; ${maxLines} are enough.` }];
}
