import type { Problem, Severity } from "#docs/problems.ts";

/**
 * The problems of one version of a site, for its author. Plain data that can be stored as JSON. `path` of a problem is
 * relative to the repository.
 */
export interface Report {
  /** Pages with an address, including those of API operations. */
  pages: number;
  /** By path and line. At most the requested number, errors before warnings when not all fit. */
  problems: readonly Problem[];
  /** Of all problems. */
  errors: number;
  warnings: number;
  /** How many of these are missing from `problems`. */
  leftOut: number;
  /** Links, images and files on the same site that pages refer to. */
  links: { checked: number; broken: number };
  durationMs: number;
}

/** The default limit of listed problems: about 300 KB. */
export const MAX_LISTED = 1_000;

/** Collects problems: each once, all of them counted, the first of each severity kept. */
export function createProblemGatherer(maxListed = MAX_LISTED) {
  const kept = { error: [] as Problem[], warning: [] as Problem[] };
  const counts = { error: 0, warning: 0 };
  // A problem in a snippet occurs on every page that includes it.
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
    /** Counts further problems that are not listed. */
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
