import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TestCounts = { passed: number; failed: number; skipped: number };

const root = join(import.meta.dirname, "..");

/** Runs one project of vitest.config.ts and returns its counts; a crash counts as one failure. */
export async function runVitest(
  project: "server" | "browser",
  filters: string[],
  env: Record<string, string> = {},
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
    return { passed: 0, failed: 1, skipped: 0 };
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
