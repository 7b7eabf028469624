import type { Problem, Severity } from "#docs/problems.ts";

/**
 * What the author of a site should know of one version of it. Plain data: it may be written down as JSON.
 * `path` of a problem is in the repository.
 */
export interface Report {
  /** Pages with an address, those of an API's operations included. */
  pages: number;
  /** By path and line. At most as many as asked for, errors before warnings where not all have room. */
  problems: readonly Problem[];
  /** Of all problems that were found. */
  errors: number;
  warnings: number;
  /** How many of these are not in `problems`. */
  leftOut: number;
  /** Links, images and files that pages lead to on the same site. */
  links: { checked: number; broken: number };
  durationMs: number;
}

/** How many problems are kept of all that are found, by default: about 300 KB. */
export const MAX_LISTED = 1_000;

/** Gathers problems: each once, all of them counted, the first of each severity kept. */
export function createProblemGatherer(maxListed = MAX_LISTED) {
  const kept = { error: [] as Problem[], warning: [] as Problem[] };
  const counts = { error: 0, warning: 0 };
  // What a snippet has wrong comes up on every page that takes it in.
  const seen = new Set<string>();
  const maxSeen = maxListed * 20;
  return {
    add(problem: Problem): void {
      const key = `${problem.path}\n${problem.line} ${problem.column ?? ""} ${problem.message}`;
      if (seen.has(key)) return;
      if (seen.size < maxSeen) seen.add(key);
      counts[problem.severity] += 1;
      if (kept[problem.severity].length < maxListed) kept[problem.severity].push(problem);
    },
    /** Counts problems that are too many to be named. */
    addUnlisted(severity: Severity, count: number): void {
      counts[severity] += count;
    },
    result(): Pick<Report, "problems" | "errors" | "warnings" | "leftOut"> {
      const errors = kept.error.slice(0, maxListed);
      const problems = [...errors, ...kept.warning.slice(0, maxListed - errors.length)].sort(byPlace);
      const { error, warning } = counts;
      return { problems, errors: error, warnings: warning, leftOut: error + warning - problems.length };
    },
  };
}

export type ProblemGatherer = ReturnType<typeof createProblemGatherer>;

function byPlace(a: Problem, b: Problem): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
