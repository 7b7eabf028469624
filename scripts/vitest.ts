import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeMemoryFolder } from "./memory-folder.ts";

/** `failedFiles`: the files in which something failed, relative to the project. */
export type TestCounts = { passed: number; failed: number; skipped: number; failedFiles: string[] };

const root = join(import.meta.dirname, "..");

/** More failures than these are no accident. */
const MAX_REPEATED_FILES = 3;

/**
 * Runs one project of vitest.config.ts and returns its counts; a crash counts as one failure. In CI, where a machine is
 * shared with strangers, up to three files that failed are run once more, alone. Those that pass then are named at the
 * end: such a test is to be mended, but it does not stop what has nothing to do with it.
 */
export async function runVitest(
  project: "server" | "browser",
  filters: string[],
  env: Record<string, string> = {},
): Promise<TestCounts & { ok: boolean }> {
  const memory = process.env["TMPDIR"] === undefined ? makeMemoryFolder() : null;
  try {
    return await runTwice(project, filters, memory === null ? env : { TMPDIR: memory.path, ...env });
  } finally {
    memory?.remove();
  }
}

async function runTwice(
  project: string,
  filters: string[],
  env: Record<string, string>,
): Promise<TestCounts & { ok: boolean }> {
  const first = await runOnce(project, filters, env);
  const again = first.failedFiles;
  if (first.ok || !process.env["CI"] || again.length === 0 || again.length > MAX_REPEATED_FILES) return first;
  console.log(`\nOnce more, alone: ${again.join(", ")}`);
  const second = await runOnce(project, again, { ...env, VITEST_MAX_WORKERS: "1" });
  if (!second.ok) return first;
  console.log(`\nUNSTEADY: failed beside others and passed alone: ${again.join(", ")}`);
  return { ...first, passed: first.passed + first.failed, failed: 0, ok: true };
}

async function runOnce(
  project: string,
  filters: string[],
  env: Record<string, string>,
): Promise<TestCounts & { ok: boolean }> {
  const folder = mkdtempSync(join(tmpdir(), "docent-counts-"));
  const countsFile = join(folder, "counts.json");
  try {
    const args = ["run", "--project", project, "--reporter=default"];
    const code = await run([...args, "--reporter=./scripts/count-reporter.ts", ...filters], {
      ...env,
      TEST_COUNTS_FILE: countsFile,
    });
    const counts = readCounts(countsFile);
    const failed = counts.failed === 0 && code !== 0 ? 1 : counts.failed;
    return { ...counts, failed, ok: code === 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCounts(file: string): TestCounts {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as TestCounts;
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failedFiles: [] };
  }
}

/** Tools behind a pipe cannot see the terminal; in a log file colours are noise. */
export function colors(): Record<string, string | undefined> {
  return process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: undefined };
}

function run(args: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(join(root, "node_modules", ".bin", "vitest"), args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...colors(), ...env },
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
