import { run } from "#cli/run.ts";
import { runSubprocess } from "#lib/subprocess.ts";
import { createCommandIo } from "#testing/command-io.ts";
import { LONG_TESTS } from "#testing/long-tests.ts";
import { NODE_COMPILE_CACHE, programFile } from "./processes.ts";

/** Commands that live as long as their process, or read its standard input themselves. A `serve` here is one that is refused. */
const PROCESSES = new Set(["demo", "dev", "mcp"]);
const LIMIT_MS = 60_000;

export interface Run {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

interface Call {
  /** Variables besides PATH. */
  environment?: Record<string, string>;
  folder?: string;
  input?: string;
}

/**
 * Runs `docent` in this process, one command at a time: to start a process takes longer than most commands. The long form
 * of the tests starts each as a person does, as do all that live as long as their process.
 */
export async function runDocent(args: readonly string[], call: Call = {}): Promise<Run> {
  if (LONG_TESTS || PROCESSES.has(args[0] ?? "")) return await spawnDocent(args, call);
  const turn = queue.last.then(() => runHere(args, call));
  queue.last = turn.catch(() => undefined);
  return await turn;
}

/** Runs `docent` as a process of its own, as a person does. */
export async function spawnDocent(
  args: readonly string[],
  { environment = {}, folder, input }: Call = {},
): Promise<Run> {
  const { exitCode, stdout, stderr } = await runSubprocess({
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", programFile("src/cli/main.ts"), ...args],
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE, ...environment },
    ...(folder !== undefined && { cwd: folder }),
    ...(input !== undefined && { input }),
    timeoutMs: LIMIT_MS,
    maxOutputBytes: 4_000_000,
  });
  return { exitCode, stdout: stdout.toString(), stderr };
}

/** The address at which the operator of a server signs in, or makes the first account, by `docent admin`. */
export async function operatorAddress(data: string, baseUrl: string): Promise<string> {
  const { stdout } = await runDocent(["admin", "--json", "--data", data]);
  const { pathname, search } = new URL((JSON.parse(stdout) as { url: string }).url);
  return baseUrl + pathname + search;
}

/** What a command listens to until its process ends. */
const LISTENED = ["exit", "uncaughtExceptionMonitor"] as const;

/** A command reads the environment and the working directory of the process, so no two may run together. */
const queue: { last: Promise<unknown> } = { last: Promise.resolve() };

async function runHere(args: readonly string[], { environment = {}, folder, input = "" }: Call): Promise<Run> {
  const before = { environment: process.env, folder: process.cwd(), exitCode: process.exitCode };
  const emitter: NodeJS.EventEmitter = process;
  const listeners = LISTENED.map((event) => ({ event, known: new Set(emitter.rawListeners(event)) }));
  const { io, said } = createCommandIo({ readInput: async () => input, signal: AbortSignal.timeout(LIMIT_MS) });
  try {
    process.env = { PATH: before.environment["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", ...environment };
    if (folder !== undefined) process.chdir(folder);
    process.exitCode = undefined;
    const status = await run(args, io);
    return { exitCode: Number(process.exitCode ?? status), ...said };
  } finally {
    process.env = before.environment;
    process.chdir(before.folder);
    process.exitCode = before.exitCode;
    for (const { event, known } of listeners) {
      for (const listener of emitter.rawListeners(event)) {
        if (!known.has(listener)) emitter.off(event, listener as () => void);
      }
    }
  }
}
