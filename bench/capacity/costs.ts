/** What one unit of work takes, and how that is known. */
export interface Cost {
  value: number;
  unit: string;
  source: string;
}

export type Costs = Record<keyof typeof MEASURED, Cost>;

const cost = (value: number, unit: string, source: string): Cost => ({ value, unit, source });

const BUSY = "28 November 2026, load 10 to 23";

/** Measured on two cores of an AMD EPYC, partly beside much other work; `--run` replaces those that it measures. */
export const MEASURED = {
  page: cost(150, "µs of a core", `a cached page over HTTP, ${BUSY}; idle, 24 µs of the serving thread (page-serving.ts)`),
  view: cost(66, "µs of a core", "23 µs to count it (ingestion.ts, onto 20,000,000), 43 µs for its message (page-serving.ts)"),
  viewBytes: cost(56.5, "bytes in the database", "1,000,000 views of one project in 30 days, SQLite"),
  job: cost(658, "ms of a core", `100 jobs by the built-in rules in 50 pages, SQLite, ${BUSY}`),
  jobBytes: cost(14_008, "bytes in the database", "100 jobs by the built-in rules in 50 pages, SQLite"),
  jobDisk: cost(24_207, "bytes of repositories", "100 jobs by the built-in rules in 50 pages, before git packs them"),
  step: cost(11.8, "ms of a core", "85 steps a second with 100 concurrent jobs (agent-loop.ts)"),
  runningJob: cost(0.4, "MB of memory", "agent-loop.ts"),
  projectBytes: cost(1_638, "bytes in the database", "1,000 projects of 50 pages, SQLite, while they were indexed"),
  projectDisk: cost(49_218, "bytes of repositories", "1,000 projects of 50 short pages"),
  projectIdle: cost(190, "ms of a core an hour", `300 projects of 3 pages in a minute, without the look at all every ten minutes, ${BUSY}`),
  projectMemory: cost(0.356, "MB of memory", "first pages of 200 of 1,000 projects, while they were indexed"),
  node: cost(603, "MB of memory", "server and children, while 1,000 projects of 50 pages were indexed; 241 with one project, 40 jobs and 20,000 views (memory.ts)"),
}; // oxfmt-ignore
