import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestInstance } from "#test/support/instance.ts";

export interface ServedProgram extends AsyncDisposable {
  pid: number;
  port: number;
  baseUrl: string;
  /** From the start of the process until `/ready` answers 200. */
  readyMs: number;
}

/** `docent serve` in a process of its own, ready. Disposing stops it. */
export async function serveProgram(
  { data, environment }: Pick<TestInstance, "data" | "environment">,
  further: Record<string, string> = {},
): Promise<ServedProgram> {
  const program = path.join(import.meta.dirname, "..", "bin", "docent");
  const startMs = performance.now();
  const server = spawn(process.execPath, [program, "serve", "--data", data, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment, DOCENT_LOG_LEVEL: "warn", ...further },
  });
  const ended = once(server, "exit").then(() => Promise.reject(new Error("The server ended before it was ready.")));
  ended.catch(() => {}); // an end after it is the expected one
  const [line] = (await Promise.race([once(createInterface(server.stdout), "line"), ended])) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const baseUrl = `http://127.0.0.1:${port}`;
  while ((await fetch(`${baseUrl}/ready`)).status !== 200) await sleep(50);
  return {
    pid: server.pid!,
    port,
    baseUrl,
    readyMs: performance.now() - startMs,
    async [Symbol.asyncDispose]() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill("SIGTERM");
      await once(server, "exit");
    },
  };
}
