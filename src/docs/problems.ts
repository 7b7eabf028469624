/** File of the repository and line from 1, null where it is unknown. */
export interface Place {
  path: string;
  line: number | null;
}

/** The subject of a problem: a closed list, explained in `docs/sites/check.md`, for tools that distinguish problems. */
export const PROBLEM_CODES = [
  "configuration", "navigation", "duplicate_address", "redirect", "api_description", "front_matter", "syntax", "snippet",
  "expression", "encoding", "unknown_component", "left_out", "formula", "diagram", "unknown_icon", "style", "broken_link",
  "broken_anchor", "missing_file", "not_rendered", "not_checked", "more",
] as const; // oxfmt-ignore

export type ProblemCode = (typeof PROBLEM_CODES)[number];

export type Severity = "error" | "warning";

/** Something that an author needs to know about their project. Readers lose something by an error: a page, words, a working link, a picture. */
export interface Problem extends Place {
  severity: Severity;
  code: ProblemCode;
  message: string;
  /** From 1, in UTF-16 units; absent where only the line is known. */
  column?: number;
}

/** Finding the line of an entry requires parsing its file, so a function is called only when the problem is kept. */
type Where = Place | (() => Place);

interface Told {
  message: string;
  code: ProblemCode | undefined;
}

/** Collects problems up to a limit and counts the rest. */
export interface ProblemList {
  error(where: Where, message: string, code?: ProblemCode): void;
  warning(where: Where, message: string, code?: ProblemCode): void;
  all(): Problem[];
}

/** A problem has the code of the configuration unless it names another one. */
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
