import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
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
  /** Files that are run whatever changed; they count with the others. */
  alsoRun?: readonly string[];
  /** Only tests that import something that differs from this commit. */
  changedSince: string | null;
  /** Prints at the end what each file cost and started. */
  withTimes: boolean;
  environment: Record<string, string>;
}

/** `code`: the exit code, where it is not ok. */
type Outcome = TestCounts & { ok: boolean; code: number };

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
    const counts = join(folder, "counts.json");
    const alsoRun = run.alsoRun ?? [];
    const first = await runTwice({ ...run, environment }, counts);
    const others =
      alsoRun.length > 0 ? [await runOnce({ ...run, environment, filters: alsoRun, changedSince: null }, counts)] : [];
    const outcome = others.reduce(sum, first);
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
  const isEmpty = counts.passed + counts.failed === 0;
  if (isEmpty && changedSince !== null)
    console.log("\nNo test imports what changed: name the tests of it, or run the gate.");
  else if (isEmpty) console.log("\nNo test ran.");
  const failed = counts.failed === 0 && (code !== 0 || isEmpty) ? 1 : counts.failed;
  return { ...counts, failed, ok: failed === 0 && code === 0, code: code || 1 };
}

const sum = (one: Outcome, other: Outcome): Outcome => ({
  ...one,
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  ok: one.ok && other.ok,
});

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
    // By the channel it notices that this process was killed: see count-reporter.ts.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { ...process.env, ...colors(), ...env },
  });
  let ending: NodeJS.Signals | null = null;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      ending = signal;
      child.kill(signal);
    });
  return new Promise((resolve) => {
    child.on("error", (error) => {
      console.error(error.message);
      resolve(1);
    });
    child.on("close", (code, ended) => {
      const signal = ending ?? ended;
      if (signal !== null) console.error(`\nThe tests were ended by ${signal}.`);
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal]);
    });
  });
}
