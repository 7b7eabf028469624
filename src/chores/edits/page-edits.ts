import { createLineIndex } from "#lib/line-index.ts";

/** A replacement of raw text by offsets. Edits of one page do not overlap. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Applies edits and keeps everything else byte for byte. Linear; throws when two overlap. */
export function editText(source: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let last = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < last || end < start) throw new Error(`edits overlap at ${start}`);
    parts.push(source.slice(last, start), text);
    last = end;
  }
  return parts.join("") + source.slice(last);
}

/** Places in one file as `path:line`, for reports. */
export function placesIn(path: string, source: string): (offset: number) => string {
  const lineOf = createLineIndex(source);
  return (offset) => `${path}:${lineOf(offset)}`;
}
