/** Streams of a command: standard output carries only its result, standard error its progress. */
export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** All of standard input; empty if it is a terminal. */
  readInput(): Promise<string>;
  /** Asks the user; null if there is none. */
  confirm(question: string): Promise<boolean | null>;
  /** Whether standard error is a terminal, so that progress can be drawn. */
  isTerminal: boolean;
  signal: AbortSignal;
}

// Control characters, bidirectional overrides and invisible characters. Joiners stay, because emoji and some scripts
// need them.
const UNPRINTABLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a text safe for a terminal: models, files and people write what is printed here. Escapes characters as JSON
 * does (`\\u001b`), so that a line of JSON stays valid and unchanged.
 */
export const printable = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** The same, on one line. */
export const printableLine = (text: string): string => printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/** Prints a line. All output of commands goes through here. */
export const writeLine = (write: (text: string) => void, line = "") => write(`${printable(line)}\n`);

/** A left-aligned table with one line per row: line breaks in cells are escaped. */
export function table(headers: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printableLine));
  const widths = headers.map((header, column) =>
    Math.max(header.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const render = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd();
  return [render(headers), render(widths.map((width) => "-".repeat(width))), ...rows.map(render)].join("\n");
}
