import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";

export interface RunningProcess {
  child: ChildProcess;
  /** First line of standard output, parsed. */
  started: { baseUrl: string; port: number };
  /** Resolves with the signal that ended the process, or null. */
  exited: Promise<NodeJS.Signals | null>;
  /** What it wrote to standard error, its end if that is long. */
  log(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const ROOT = path.join(import.meta.dirname, "..", "..");
const START_TIMEOUT_MS = 40_000;
// Halves the start of a program that is started again and again.
export const NODE_COMPILE_CACHE = path.join(ROOT, "node_modules", ".cache", "docent");

const BUNDLE = process.env["DOCENT_TEST_BUNDLE"];
/** Programs of the bundle, by their source. */
const BUNDLED: Record<string, string> = {
  "src/cli/main.ts": "main.js",
  "test/support/crashing-server.ts": "test-support-crashing-server.js",
};

/**
 * The file that starts a program of the project, as `docent serve` chooses it: of the bundle of this checkout, if it was made since
 * the last change, and of the sources otherwise.
 */
export function programFile(entry: string): string {
  const bundled = BUNDLED[entry];
  return BUNDLE !== undefined && bundled !== undefined ? path.join(BUNDLE, bundled) : path.join(ROOT, entry);
}

/** Starts a program of the project as a process of its own and waits for its first line. */
export async function startProcess(
  entry: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<RunningProcess> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", programFile(entry), ...args], {
    env: {
      PATH: process.env["PATH"] ?? "",
      NODE_COMPILE_CACHE,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      ...environment,
    },
    // A server stops when its channel closes, so none outlives a test process that was killed.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    cwd: ROOT,
  });
  let log = "";
  child.stderr!.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-8_000)));
  const exited = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once("exit", (_code, signal) => resolve(signal)),
  );
  const lines = createInterface({ input: child.stdout! });
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once("line", resolve)),
    exited.then(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), START_TIMEOUT_MS).unref()),
  ]);
  if (line === null) {
    child.kill("SIGKILL");
    throw new Error(`${entry} did not start.\n${log}`);
  }
  return {
    child,
    started: JSON.parse(line) as RunningProcess["started"],
    exited,
    log: () => log,
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
