import type { Problem } from "#docs/problems.ts";
import type { Docs } from "#docs/tree/page-tree.ts";

/** Pages of another tool use its team's components everywhere: one line per name is enough. */
export const isNamedOnce = ({ config }: Docs, { code }: Problem): boolean =>
  code === "unknown_component" && config.dialect !== "native";

/** Keeps the first place of problems with the same message, in whatever order they are found. */
export function createFirstUses(): { add(problem: Problem): void; all(): Problem[] } {
  const first = new Map<string, Problem>();
  const placeOf = ({ path, line }: Problem) => `${path}\n${String(line ?? 0).padStart(9, "0")}`;
  return {
    add(problem) {
      const known = first.get(problem.message);
      if (known === undefined || placeOf(problem) < placeOf(known)) first.set(problem.message, problem);
    },
    all: () => [...first.values()].toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)),
  };
}
