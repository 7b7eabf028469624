import { Worker } from "node:worker_threads";
import { createLruCache } from "#lib/lru-cache.ts";

const TIMEOUT_MS = 10_000;

// The parser behind stripTypeScriptTypes does not recover from code that is nested too deeply (Node 24.21): every later call
// in the same thread fails. So it has its own thread, some 80 ms, and the files after such a file get another one.
const PROGRAM = `const { parentPort, workerData } = require("node:worker_threads");
const { stripTypeScriptTypes } = require("node:module");
process.removeAllListeners("warning");
for (const source of workerData) {
  let text = null;
  let isBroken = false;
  try { text = stripTypeScriptTypes(source); } catch (error) { isBroken = !/_TYPESCRIPT_SYNTAX$/.test(error.code); }
  parentPort.postMessage(text);
  if (isBroken) break;
}`;

// The result depends on the text alone: after each push, sites are loaded again with the same configuration.
const stripped = createLruCache<string, string | null>({
  maxWeight: 4_000_000,
  weigh: (text) => (text?.length ?? 0) + 1_000,
});

/** TypeScript as JavaScript with every line and column in place; null for anything that is not TypeScript. */
export async function stripTypes(sources: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const texts = new Map<string, string | null>();
  for (const source of sources) {
    const known = stripped.get(source);
    if (known !== undefined) texts.set(source, known);
  }
  for (;;) {
    const open = [...new Set(sources)].filter((source) => !texts.has(source));
    if (open.length === 0) return texts;
    const made = await inThread(open);
    for (const [index, source] of open.entries()) {
      const text = made[index];
      if (text === undefined && index > 0) break;
      texts.set(source, text ?? null);
      stripped.set(source, text ?? null);
    }
  }
}

/** Results for the sources that the thread got to. */
async function inThread(sources: readonly string[]): Promise<(string | null)[]> {
  const options = {
    workerData: sources,
    env: {},
    execArgv: [],
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  };
  const worker = new Worker(PROGRAM, { eval: true, ...options });
  const made: (string | null)[] = [];
  const timer = setTimeout(() => void worker.terminate(), TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    worker
      .on("message", (text: string | null) => made.push(text))
      .on("error", () => {})
      .once("exit", () => resolve());
  });
  clearTimeout(timer);
  return made;
}
