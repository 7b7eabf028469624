/** A program to start. Each `pipe` is the next connection. */
export interface Start {
  id: number;
  command: string;
  args: readonly string[];
  cwd: string | undefined;
  env: NodeJS.ProcessEnv;
  detached: boolean;
  stdio: ("pipe" | "ignore")[];
}

/** The state of a program. Nothing follows `error` (it could not be started) and `exit`. */
export type Started = { id: number } & (
  | { kind: "pid"; pid: number }
  | { kind: "error"; text: string; error: object; exitCode: number }
  | { kind: "exit"; exitCode: number | null; signal: NodeJS.Signals | null }
);
