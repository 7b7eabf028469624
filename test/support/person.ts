import { mkdir } from "node:fs/promises";
import path from "node:path";
import { runSubprocess } from "#lib/subprocess.ts";
import { NODE_COMPILE_CACHE } from "./processes.ts";

const MAIN = path.join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

export interface Run {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Somebody at a machine of their own: a home, a folder to work in, and `docent`. */
export async function createPerson(home: string) {
  const folder = path.join(home, "work");
  await mkdir(folder, { recursive: true });
  const docent = async (
    args: readonly string[],
    { input = "", environment = {} }: { input?: string; environment?: Record<string, string> } = {},
  ): Promise<Run> => {
    const { exitCode, stdout, stderr } = await runSubprocess({
      command: process.execPath,
      args: [MAIN, ...args],
      env: { PATH: process.env["PATH"] ?? "", HOME: home, NODE_COMPILE_CACHE, ...environment },
      cwd: folder,
      input,
      timeoutMs: 60_000,
      maxOutputBytes: 4_000_000,
    });
    return { exitCode, stdout: stdout.toString(), stderr };
  };
  /** What a command answers with `--json`; fails with what it said otherwise. */
  const json = async <T>(...args: string[]): Promise<T> => {
    const { exitCode, stdout, stderr } = await docent([...args, "--json"]);
    if (exitCode !== 0) throw new Error(`docent ${args.join(" ")} ended with ${exitCode}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  };
  return { home, folder, docent, json };
}
