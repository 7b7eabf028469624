import { Worker } from "node:worker_threads";
import { ownModule } from "#lib/own-module.ts";
import type { htmlToMarkdown } from "./html-to-markdown.ts";

type Converted = ReturnType<typeof htmlToMarkdown>;

const MAX_MEMORY_MB = 256;

/**
 * `htmlToMarkdown` in a thread that can be stopped: 200 KB of nested paragraphs take the libraries 60 seconds, which would block
 * the server. Null for a page that takes longer than `withinMs`, or too much memory. Starting the thread takes about 0.2 s.
 */
export async function htmlInThread(
  html: string,
  { address, withinMs, signal }: { address: URL; withinMs: number; signal: AbortSignal },
): Promise<Converted> {
  signal.throwIfAborted();
  const worker = new Worker(ownModule(import.meta.url, "html-thread"), {
    workerData: { html, address: address.href },
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<Converted>();
  const timer = setTimeout(() => resolve(null), withinMs);
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  worker.once("message", resolve);
  worker.once("error", (error: NodeJS.ErrnoException) =>
    error.code === "ERR_WORKER_OUT_OF_MEMORY" ? resolve(null) : reject(error),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  }
}
