/** Where a command reads and writes; standard output carries its result alone, progress goes to standard error. */
export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** All of standard input; empty when a person sits there. */
  readInput(): Promise<string>;
  /** Asks the person who sits there; null when nobody does. */
  confirm(question: string): Promise<boolean | null>;
  /** Whether a person watches standard error, so that progress may be drawn. */
  isTerminal: boolean;
  signal: AbortSignal;
}

// Control characters, those that turn the direction of text, and those that are not seen; joiners stay, for emoji and
// for scripts that need them.
const UNPRINTABLE = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A text that does nothing to a terminal but appear: models, files and people write what is printed here. What would act
 * shows as JSON writes it (`\\u001b`), so that a line of JSON stays the JSON that it was.
 */
export const printable = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(UNPRINTABLE, (character) =>
    Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** The same in one line. */
export const printableLine = (text: string): string => printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");

/** The one way to print: everything that a command says comes through here. */
export const writeLine = (write: (text: string) => void, line = "") => write(`${printable(line)}\n`);

/** A left-aligned table for people, one line a row: line breaks in cells do not break it. */
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
