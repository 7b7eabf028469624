import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Run, runDocent } from "./commands.ts";

export type { Run };

/** Somebody at a machine of their own: a home, a folder to work in, and `docent`. */
export async function createPerson(home: string) {
  const folder = path.join(home, "work");
  await mkdir(folder, { recursive: true });
  const docent = (
    args: readonly string[],
    { input = "", environment = {} }: { input?: string; environment?: Record<string, string> } = {},
  ): Promise<Run> => runDocent(args, { folder, input, environment: { HOME: home, ...environment } });
  /** What a command answers with `--json`; fails with what it said otherwise. */
  const json = async <T>(...args: string[]): Promise<T> => {
    const { exitCode, stdout, stderr } = await docent([...args, "--json"]);
    if (exitCode !== 0) throw new Error(`docent ${args.join(" ")} ended with ${exitCode}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as T;
  };
  return { home, folder, docent, json };
}
