import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { AppError } from "#lib/app-error.ts";
import { ownModule } from "#lib/own-module.ts";

export interface ServerProcess extends AsyncDisposable {
  baseUrl: string;
  port: number;
}

// See `bin/docent` for the size.
const NODE_OPTIONS = ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=8"];
// About two seconds on an idle machine. The first start of a checkout on a busy machine took more than thirty.
const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 20_000;

/**
 * Starts `docent serve` as a child process on a free loopback port. Disposing stops it and waits. It exits when this
 * process does.
 */
export async function startServerProcess(options: {
  dataDirectory: string;
  environment: NodeJS.ProcessEnv;
}): Promise<ServerProcess> {
  const entry = fileURLToPath(ownModule(import.meta.url, "../main"));
  const child = spawn(
    process.execPath,
    [...NODE_OPTIONS, entry, "serve", "--port", "0", "--json", "--data", options.dataDirectory],
    { stdio: ["ignore", "pipe", "pipe", "ipc"], env: options.environment },
  ) as ChildProcessByStdio<null, Readable, Readable>; // the types do not know a fourth stream
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log = (log + chunk.toString("utf8")).slice(-4_000)));
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    new Promise<string>((resolve) => lines.once("line", resolve)),
    exited.then(() => null),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), START_TIMEOUT_MS).unref()),
  ]);
  if (line === null) {
    child.kill("SIGKILL");
    throw new AppError("unavailable", `The server did not start.\n${log}`);
  }
  const { baseUrl, port } = JSON.parse(line) as { baseUrl: string; port: number };
  return {
    baseUrl,
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      const kill = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(kill);
    },
  };
}
