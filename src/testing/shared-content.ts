import { type ContentProcess, createContentProcess } from "#docs/render/process/content-process.ts";
import { silentLogger } from "#lib/logger.ts";

const kept: { content?: ContentProcess } = {};

/**
 * Render processes that the tests of a worker share, as the projects of a server do: starting and warming one up takes
 * longer than most tests. Disposing does nothing; they end with the worker.
 */
export function sharedContent(): ContentProcess {
  if (kept.content === undefined) {
    const content = createContentProcess({ logger: silentLogger, processes: 1, isWarmedUp: false });
    process.once("exit", () => void content[Symbol.asyncDispose]());
    kept.content = { ...content, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  return kept.content;
}
