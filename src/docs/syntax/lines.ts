import { Fences } from "#docs/fences.ts";
import { createLines } from "#lib/line-index.ts";
import type { Rewritten } from "./rewriter.ts";

/** A line of a source by offsets, without the prefixes of its containers. */
export interface SourceLine {
  /** Spaces for indentation that was removed. */
  pad: number;
  from: number;
  /** Before the line end. */
  end: number;
  /** After the line end. */
  next: number;
}

/** Offset after the front matter. */
export function startOfBody(source: string): number {
  return /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\n)?---[ \t]*(?:\r?\n|$)/.exec(source.slice(0, 100_000))?.[0].length ?? 0;
}

export function linesOf(source: string, from: number): SourceLine[] {
  const lines: SourceLine[] = [];
  for (let at = from; at < source.length;) {
    const found = source.indexOf("\n", at);
    const next = found === -1 ? source.length : found + 1;
    const end = found === -1 ? next : source[found - 1] === "\r" ? found - 1 : found;
    lines.push({ pad: 0, from: at, end, next });
    at = next;
  }
  return lines;
}

export const lineText = (source: string, line: SourceLine): string =>
  " ".repeat(line.pad) + source.slice(line.from, line.end);

/** The line without `columns` of its indentation, after the first `kept` ones. */
export function dedented(
  source: string,
  line: SourceLine,
  { kept, columns }: { kept: number; columns: number },
): SourceLine {
  let { pad, from } = line;
  for (; pad < kept + columns && from < line.end; from += 1) {
    if (source[from] === " ") pad += 1;
    else if (source[from] === "\t") pad += 4 - (pad % 4);
    else break;
  }
  return { ...line, from, pad: pad >= kept + columns ? pad - columns : Math.min(pad, kept) };
}

const MAX_CODE = 5_000;
/** Limits the total lookahead for the ends of code in a page; beyond it backticks are text. */
const MAX_LOOKED_AT = 50_000_000;

/** The parts of a body outside fences and inline code. */
export function proseOf(source: string): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  const fences = new Fences();
  let start = startOfBody(source);
  let codeEnd = 0;
  let left = MAX_LOOKED_AT;
  const endAt = (end: number, next: number) => {
    if (end > start) ranges.push({ start, end });
    start = next;
  };
  for (const line of linesOf(source, start)) {
    if (line.next <= codeEnd) continue;
    if (line.from >= codeEnd && fences.covers(source.slice(line.from, line.end))) {
      endAt(line.from, line.next);
      continue;
    }
    for (let at = Math.max(line.from, codeEnd); at < line.end;) {
      const found = source.slice(at, line.end).indexOf("`");
      if (found === -1) break;
      let width = 1;
      while (source[at + found + width] === "`") width += 1;
      left -= MAX_CODE;
      const end = left < 0 ? null : endOfCode(source, at + found, width);
      if (end !== null) endAt(at + found, end);
      codeEnd = end ?? codeEnd;
      at = end ?? at + found + width;
    }
  }
  endAt(source.length, source.length);
  return ranges;
}

/** The offset after the matching run of backticks; null when the paragraph has none. */
function endOfCode(source: string, at: number, width: number): number | null {
  const near = source.slice(at + width, at + width + MAX_CODE);
  const blank = near.search(/\n[ \t]*\n/);
  for (const run of (blank === -1 ? near : near.slice(0, blank)).matchAll(/`+/g))
    if (run[0].length === width) return at + width + run.index + width;
  return null;
}

/** The matches of an expression outside code. */
export function* matchesInProse(source: string, expression: RegExp): Generator<RegExpExecArray> {
  for (const { start, end } of proseOf(source)) {
    for (const match of source.slice(start, end).matchAll(expression)) {
      match.index += start;
      yield match;
    }
  }
}

/** Maps lines of a rewritten text to those of the original. */
export function createLineMap(rewritten: Rewritten, original: string): (line: number) => number {
  const { line } = createLines(original);
  const { starts } = createLines(rewritten.source);
  return (written) => line(rewritten.start(starts[written - 1] ?? rewritten.source.length));
}
