/** File of the repository and line from 1, null where no line can be named. */
export interface Place {
  path: string;
  line: number | null;
}

/** What a problem is about: a closed list, which `docs/sites/check.md` explains, by which tools tell problems apart. */
export const PROBLEM_CODES = [
  "configuration", "navigation", "duplicate_address", "redirect", "api_description", "front_matter", "syntax", "snippet",
  "expression", "encoding", "unknown_component", "left_out", "formula", "diagram", "unknown_icon", "style", "broken_link",
  "broken_anchor", "missing_file", "not_rendered", "not_checked", "more",
] as const; // oxfmt-ignore

export type ProblemCode = (typeof PROBLEM_CODES)[number];

export type Severity = "error" | "warning";

/** Something an author should know about their project. An error cost them something visible, a warning did not. */
export interface Problem extends Place {
  severity: Severity;
  code: ProblemCode;
  message: string;
  /** From 1, in UTF-16 units; absent where only the line is known. */
  column?: number;
}

/** Finding the line of an entry costs a parse of its file: it is asked for only where the problem is kept. */
type Where = Place | (() => Place);

interface Told {
  message: string;
  code: ProblemCode | undefined;
}

/** Collects problems up to a bound; beyond it only the number of the others is kept. */
export interface ProblemList {
  error(where: Where, message: string, code?: ProblemCode): void;
  warning(where: Where, message: string, code?: ProblemCode): void;
  all(): Problem[];
}

/** A problem is one of the configuration unless it says what else it is. */
export function createProblemList(limit = 100): ProblemList {
  const problems: Problem[] = [];
  let more = 0;
  const add = (severity: Severity, where: Where, { message, code = "configuration" }: Told) => {
    if (problems.length >= limit) more += 1;
    else problems.push({ severity, code, ...(typeof where === "function" ? where() : where), message });
  };
  return {
    error: (where, message, code) => add("error", where, { message, code }),
    warning: (where, message, code) => add("warning", where, { message, code }),
    all: () => {
      const last = problems.at(-1);
      if (more === 0 || last === undefined) return [...problems];
      return [
        ...problems,
        { severity: "warning", code: "more", path: last.path, line: null, message: `And ${more} more problems.` },
      ];
    },
  };
}
