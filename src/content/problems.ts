/** Something an author should know about their project. An error cost them something visible, a warning did not. */
export interface Problem {
  severity: "error" | "warning";
  /** File of the repository. */
  path: string;
  /** From 1; null where no line can be named. */
  line: number | null;
  message: string;
}

/** Collects problems up to a bound; beyond it only the number of the others is kept. */
export interface ProblemList {
  error(path: string, line: number | null, message: string): void;
  warning(path: string, line: number | null, message: string): void;
  all(): Problem[];
}

export function createProblemList(limit = 100): ProblemList {
  const problems: Problem[] = [];
  let more = 0;
  let lastPath = "";
  const add = (problem: Problem) => {
    lastPath = problem.path;
    if (problems.length < limit) problems.push(problem);
    else more += 1;
  };
  return {
    error: (path, line, message) => add({ severity: "error", path, line, message }),
    warning: (path, line, message) => add({ severity: "warning", path, line, message }),
    all: () =>
      more === 0
        ? [...problems]
        : [...problems, { severity: "warning", path: lastPath, line: null, message: `And ${more} more problems.` }],
  };
}
