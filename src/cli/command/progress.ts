import { type CommandIo, writeLine } from "./io.ts";
import type { ProgressListener } from "#cli/places/progress-listener.ts";

/** One line that is written over and over while a person watches; without a terminal nothing is written. */
export interface ProgressLine extends Disposable {
  show(text: string): void;
}

// Longer would wrap, and a wrapped line cannot be written over. 80 columns is what every terminal has.
const MAX_WIDTH = 79;

/** Disposing wipes the line. */
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

/** What a command shows meanwhile; `line`: how far its work is. */
export const listenerOf = (io: CommandIo, line?: ProgressLine): ProgressListener => ({
  signal: io.signal,
  say: (words) => writeLine(io.stderr, words),
  reassure: (words) => {
    if (io.isTerminal) writeLine(io.stderr, words);
  },
  progress: (words) => line?.show(words),
});
