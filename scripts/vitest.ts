import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAbandoned, RUN_FOLDER } from "./abandoned.ts";
import { makeMemoryFolder } from "./memory-folder.ts";
import { timesTable } from "./times.ts";

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
  /** Whether a test failed: not a file that cannot be read, nor a process that crashed. */
  hasFailedTest: boolean;
  /** The files in which something failed, relative to the project. */
  failedFiles: string[];
  /** Whether every file ran to its end and all errors belong to a file. */
  isWhole: boolean;
  /** Tests that this machine cannot run, with the reason. */
  notRun: string[];
}

const root = join(import.meta.dirname, "..");

/** More failures than these are no accident. */
const MAX_REPEATED_FILES = 3;

export interface TestRun {
  /** Projects of vitest.config.ts. */
  projects: readonly string[];
  /** Folders, files and further options of vitest; everything where there are none. */
  filters: readonly string[];
  /** Only tests that import something that differs from this commit. */
  changedSince: string | null;
  /** Prints at the end what each file cost and started. */
  withTimes: boolean;
  environment: Record<string, string>;
}

type Outcome = TestCounts & { ok: boolean };

/**
 * Runs the tests and returns their counts; a crash counts as one failure. In CI, where a machine is shared with strangers,
 * up to three files that failed are run once more, alone, unless a test process died. Those that pass then are named at the end: such a test needs
 * mending, but it does not stop a change that has nothing to do with it.
 */
export async function runVitest(run: TestRun): Promise<Outcome> {
  removeAbandoned();
  const memory = process.env["TMPDIR"] === undefined ? makeMemoryFolder() : null;
  const folder = mkdtempSync(join(tmpdir(), `${RUN_FOLDER}${process.pid}-`));
  const times = join(folder, "times.jsonl");
  try {
    const environment = {
      ...(memory !== null && { TMPDIR: memory.path }),
      ...(run.withTimes && { TEST_TIMES_FILE: times }),
      ...run.environment,
    };
    const outcome = await runTwice({ ...run, environment }, join(folder, "counts.json"));
    if (run.withTimes) console.log(`\n${timesTable(times)}`);
    return outcome;
  } finally {
    memory?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTwice(run: TestRun, countsFile: string): Promise<Outcome> {
  const first = await runOnce(run, countsFile);
  const again = first.failedFiles;
  if (first.ok || !first.isWhole || !process.env["CI"] || again.length === 0 || again.length > MAX_REPEATED_FILES)
    return first;
  console.log(`\nOnce more, alone: ${again.join(", ")}`);
  const environment = { ...run.environment, VITEST_MAX_WORKERS: "1" };
  const second = await runOnce({ ...run, filters: again, changedSince: null, environment }, countsFile);
  if (!second.ok) return first;
  console.log(`\nUNSTEADY: failed beside others and passed alone: ${again.join(", ")}`);
  return { ...first, passed: first.passed + first.failed, failed: 0, ok: true };
}

async function runOnce(
  { projects, filters, changedSince, environment }: TestRun,
  countsFile: string,
): Promise<Outcome> {
  const args = ["run", "--reporter=default", "--reporter=./scripts/count-reporter.ts"];
  for (const project of projects) args.push("--project", project);
  if (changedSince !== null) args.push("--changed", changedSince);
  const code = await vitest([...args, ...filters], { ...environment, TEST_COUNTS_FILE: countsFile });
  const counts = readCounts(countsFile);
  const isEmpty = changedSince !== null && counts.passed + counts.failed === 0;
  if (isEmpty) console.log("\nNo test imports what changed: name the tests of it, or run the gate.");
  const failed = counts.failed === 0 && (code !== 0 || isEmpty) ? 1 : counts.failed;
  return { ...counts, failed, ok: failed === 0 && code === 0 };
}

export function readCounts(file: string): TestCounts {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as TestCounts;
  } catch {
    return { passed: 0, failed: 1, skipped: 0, hasFailedTest: false, failedFiles: [], isWhole: false, notRun: [] };
  }
}

/** Tools behind a pipe cannot see the terminal; in a log file colours are noise. */
export function colors(): Record<string, string | undefined> {
  return process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: undefined };
}

function vitest(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(join(root, "node_modules", ".bin", "vitest"), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...colors(), ...env, DOCENT_TESTS_STARTED_BY: String(process.pid) },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}
