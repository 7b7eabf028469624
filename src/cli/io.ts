/** Where a command reads and writes; standard output carries its result alone, progress goes to standard error. */
export interface CommandIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** All of standard input; empty when a person sits there. */
  readInput(): Promise<string>;
  /** Whether a person watches standard error, so that progress may be drawn. */
  isTerminal: boolean;
  signal: AbortSignal;
}

export const writeLine = (write: (text: string) => void, line = "") => write(`${line}\n`);

/** A left-aligned table for people. */
export function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
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
