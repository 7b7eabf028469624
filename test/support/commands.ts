import path from "node:path";
import { runSubprocess } from "#lib/subprocess.ts";
import { NODE_COMPILE_CACHE } from "./processes.ts";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** Runs `docent` as a process of its own, as a person does. */
export async function runDocent(args: readonly string[], environment: Record<string, string> = {}, timeoutMs = 40_000) {
  const { exitCode, stdout, stderr } = await runSubprocess({
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", path.join(ROOT, "src", "cli", "main.ts"), ...args],
    env: { PATH: process.env["PATH"] ?? "", NODE_COMPILE_CACHE, ...environment },
    timeoutMs,
    maxOutputBytes: 1_000_000,
  });
  return { exitCode, stdout: stdout.toString(), stderr };
}
