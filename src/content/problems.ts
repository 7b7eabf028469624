/** File of the repository and line from 1, null where no line can be named. */
export interface Place {
  path: string;
  line: number | null;
}

/** Something an author should know about their project. An error cost them something visible, a warning did not. */
export interface Problem extends Place {
  severity: "error" | "warning";
  message: string;
}

/** Finding the line of an entry costs a parse of its file: it is asked for only where the problem is kept. */
type Where = Place | (() => Place);

/** Collects problems up to a bound; beyond it only the number of the others is kept. */
export interface ProblemList {
  error(where: Where, message: string): void;
  warning(where: Where, message: string): void;
  all(): Problem[];
}

export function createProblemList(limit = 100): ProblemList {
  const problems: Problem[] = [];
  let more = 0;
  const add = (severity: Problem["severity"], where: Where, message: string) => {
    if (problems.length >= limit) more += 1;
    else problems.push({ severity, ...(typeof where === "function" ? where() : where), message });
  };
  return {
    error: (where, message) => add("error", where, message),
    warning: (where, message) => add("warning", where, message),
    all: () => {
      const last = problems.at(-1);
      if (more === 0 || last === undefined) return [...problems];
      return [...problems, { severity: "warning", path: last.path, line: null, message: `And ${more} more problems.` }];
    },
  };
}
