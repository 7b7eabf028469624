import { type CommandIo, writeLine } from "./io.ts";
import type { ProgressListener } from "#cli/places/progress-listener.ts";

/** A line that is overwritten on a terminal; elsewhere nothing is written. */
export interface ProgressLine extends Disposable {
  show(text: string): void;
}

// A longer line would wrap, and cannot be overwritten. Every terminal has 80 columns.
const MAX_WIDTH = 79;

/** Disposing clears the line. */
export function createProgressLine(io: Pick<CommandIo, "stderr" | "isTerminal">): ProgressLine {
  let isShown = false;
  const write = (text: string) => {
    if (io.isTerminal) io.stderr(`\r\u001b[K${text}`);
  };
  return {
    show(text) {
      isShown = true;
      write(text.slice(0, MAX_WIDTH));
    },
    [Symbol.dispose]() {
      if (isShown) write("");
      isShown = false;
    },
  };
}

/** Progress of a command; `line` describes how far it is. */
export const listenerOf = (io: CommandIo, line?: ProgressLine): ProgressListener => ({
  signal: io.signal,
  say: (words) => writeLine(io.stderr, words),
  reassure: (words) => {
    if (io.isTerminal) writeLine(io.stderr, words);
  },
  progress: (words) => line?.show(words),
});
