import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { colors } from "./vitest.ts";

export type CheckResult = { name: string; ok: boolean; seconds: number };

type Step = { name: string; commands: string[][] };

const root = join(import.meta.dirname, "..");

// Four by default, each of which reads the types that it shares with others anew: 26 s of processor on two cores, and 19 s with two.
const CHECKERS = String(Math.min(4, availableParallelism()));

// Browser code has a DOM and no Node, and the client has neither: they are TypeScript projects of their own.
const steps: Step[] = [
  { name: "format", commands: [["oxfmt", "--check"]] },
  {
    name: "types",
    commands: [
      ["tsc", "--checkers", CHECKERS],
      ["tsc", "-p", "src/browser"],
      ["tsc", "-p", "clients/typescript", "--noEmit"],
    ],
  },
  { name: "lint", commands: [["oxlint"]] },
  { name: "unused code", commands: [["knip", "--no-progress", "--no-config-hints"]] },
];

/**
 * Runs the four checks and prints what fails with its output as a block, then a summary. One after the other: each uses all
 * cores, and two of them take 2.3 GB.
 */
export async function runChecks(): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const step of steps) results.push(await runStep(step));
  console.log("");
  for (const { name, ok, seconds } of results) {
    console.log(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(12)} ${seconds.toFixed(1)} s`);
  }
  return results;
}

async function runStep({ name, commands }: Step): Promise<CheckResult> {
  const startedAt = performance.now();
  const runs: Awaited<ReturnType<typeof run>>[] = [];
  for (const command of commands) runs.push(await run(command));
  const output = runs.map((result) => result.output.trim()).filter(Boolean);
  const ok = runs.every((result) => result.code === 0);
  if (!ok && output.length > 0) console.log(`\n== ${name}\n${output.join("\n")}`);
  return { name, ok, seconds: (performance.now() - startedAt) / 1000 };
}

function run([command = "", ...args]: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(join(root, "node_modules", ".bin", command), args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // With CI set, oxlint 1.94 and oxfmt 0.78 print colours whatever NO_COLOR says.
    env: { ...process.env, ...colors(), CI: undefined },
  });
  let output = "";
  const collect = (chunk: string) => {
    output += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    child.on("close", (code) => resolve({ code, output }));
  });
}
