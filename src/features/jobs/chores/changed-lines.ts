import type { DiffLine, FileDiff } from "#git/history/diff.ts";

/** A line before and after the change. `before` is null for a new line, `after` for a removed one. */
export interface ChangedLine {
  /** Line number in the changed file; for a removed line, in the file before the change. */
  line: number;
  before: string | null;
  after: string | null;
}

const MAX_LINE = 500;

/** The changed lines of a file. A removed line is paired with the added line that replaces it. */
export function changedLinesIn({ hunks }: FileDiff): ChangedLine[] {
  const places: ChangedLine[] = [];
  for (const { lines } of hunks) {
    let removed: DiffLine[] = [];
    let added: DiffLine[] = [];
    const flush = () => {
      for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
        const [old, now] = [removed[at], added[at]];
        places.push({ line: now?.newNumber ?? old?.oldNumber ?? 0, before: textOf(old), after: textOf(now) });
      }
      removed = [];
      added = [];
    };
    for (const line of lines) {
      if (line.kind === "removed") {
        if (added.length > 0) flush();
        removed.push(line);
      } else if (line.kind === "added") added.push(line);
      else flush();
    }
    flush();
  }
  return places;
}

function textOf(line: DiffLine | undefined): string | null {
  if (!line) return null;
  const text = line.segments.map((segment) => segment.text).join("");
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE).toWellFormed()}…` : text;
}
