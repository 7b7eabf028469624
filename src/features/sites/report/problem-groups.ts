import type { Severity } from "#docs/problems.ts";

/** The part of a problem that identifies its cause and place; stored reports of older versions may lack the code. */
export interface PlacedProblem {
  severity: Severity;
  code?: string | undefined;
  message: string;
  path: string;
  line: number | null;
  column?: number | undefined;
}

export interface ProblemGroup<One extends PlacedProblem> {
  first: One;
  /** The total, including `shown`. */
  count: number;
  /** The first few. */
  shown: readonly One[];
}

/** Fewer are easier to read at their own places. */
const MIN_COUNT = 4;
const SHOWN_PLACES = 3;

/** Errors before warnings. */
export const bySeverity = (a: PlacedProblem, b: PlacedProblem): number =>
  Number(a.severity === "warning") - Number(b.severity === "warning");

/** Groups problems with a common cause: errors first, then largest first. `single` are the others, in their order. */
export function groupProblems<One extends PlacedProblem>(
  problems: readonly One[],
): { groups: ProblemGroup<One>[]; single: One[] } {
  const byCause = Map.groupBy(problems, ({ severity, code, message }) => JSON.stringify([severity, code, message]));
  const large = [...byCause.values()].filter((found) => found.length >= MIN_COUNT);
  const grouped = new Set(large.flat());
  return {
    groups: large
      .toSorted((a, b) => bySeverity(a[0]!, b[0]!) || b.length - a.length)
      .map((found) => ({ first: found[0]!, count: found.length, shown: found.slice(0, SHOWN_PLACES) })),
    single: problems.filter((problem) => !grouped.has(problem)),
  };
}

/** "guide.mdx:3:7", or only the file where no line is known */
export const placeText = ({ path, line, column }: PlacedProblem): string =>
  [path, ...(line === null ? [] : [line]), ...(line === null || column === undefined ? [] : [column])].join(":");
