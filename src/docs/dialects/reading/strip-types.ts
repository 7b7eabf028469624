import { Worker } from "node:worker_threads";
import { createLruCache } from "#lib/lru-cache.ts";

const PATIENCE_MS = 5_000;

// The parser behind stripTypeScriptTypes does not recover from code that is nested too deeply (Node 24.21): every later call
// in the same thread fails, so each file gets a thread of its own, some 80 ms.
const PROGRAM = `const { parentPort, workerData } = require("node:worker_threads");
process.removeAllListeners("warning");
parentPort.postMessage(require("node:module").stripTypeScriptTypes(workerData));`;

const stripped = createLruCache<string, string | null>({
  maxWeight: 4_000_000,
  weigh: (text) => (text?.length ?? 0) + 1_000,
});

/** TypeScript as JavaScript with every line and column where it was; null for what is no TypeScript. */
export async function stripTypes(source: string): Promise<string | null> {
  const known = stripped.get(source);
  if (known !== undefined) return known;
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: source,
    env: {},
    execArgv: [],
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  const text = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), PATIENCE_MS);
    worker
      .once("message", resolve)
      .once("error", () => resolve(null))
      .once("exit", () => resolve(null));
    worker.once("exit", () => clearTimeout(timer));
  });
  await worker.terminate();
  stripped.set(source, text);
  return text;
}
